"""The regular-expression CRF of the MITRE Identification Scrubber Toolkit (thesis 2.3)."""

from multideid.base_systems.mist.tagger import MistTagger

__all__ = ["MistTagger"]
