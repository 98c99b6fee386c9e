"""The majority baseline: each word gets the tag that it had most often in training."""

from multideid.base_systems.majority.tagger import MajorityTagger

__all__ = ["MajorityTagger"]
