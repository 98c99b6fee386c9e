"""The MIMIC de-identifier: rules for English notes, no training (thesis 2.5)."""

from multideid.base_systems.mimic.finder import NATIVE_LABELS, find_phi
from multideid.base_systems.mimic.tagger import MimicTagger

__all__ = ["NATIVE_LABELS", "MimicTagger", "find_phi"]
