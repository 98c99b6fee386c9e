"""A single decision tree over the features of Szarvas (2007): its upper baseline."""

from multideid.base_systems.tree.tagger import TreeTagger

__all__ = ["TreeTagger"]
