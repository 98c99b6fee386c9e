"""IdentiFinder: a hidden Markov model with a language model for each class (Bikel 1999)."""

from multideid.base_systems.identifinder.tagger import IdentifinderTagger

__all__ = ["IdentifinderTagger"]
