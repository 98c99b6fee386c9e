"""Stat-Deid: a linear SVM per token (thesis 2.1; Sibanda & Uzuner 2006)."""

from multideid.base_systems.stat_deid.tagger import StatDeidTagger

__all__ = ["StatDeidTagger"]
