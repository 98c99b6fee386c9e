"""SNoW: a sparse network of Winnows, and inference over a line's entities (Roth & Yih 2002)."""

from multideid.base_systems.snow.tagger import SnowTagger

__all__ = ["SnowTagger"]
