"""The CRF of the Stanford Named Entity Recognizer's features (thesis 2.2)."""

from multideid.base_systems.stanford.tagger import StanfordTagger

__all__ = ["StanfordTagger"]
