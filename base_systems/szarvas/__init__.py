"""The boosted decision trees of Szarvas, Farkas and Busa-Fekete (2007)."""

from multideid.base_systems.szarvas.tagger import SzarvasTagger

__all__ = ["SzarvasTagger"]
