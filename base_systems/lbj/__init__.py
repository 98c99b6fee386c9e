"""The two-stage tagger of Ratinov and Roth, "LBJ" (thesis 2.4)."""

from multideid.base_systems.lbj.tagger import LbjTagger

__all__ = ["LbjTagger"]
