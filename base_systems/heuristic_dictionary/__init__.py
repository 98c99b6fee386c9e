"""Dictionaries, indicators and patterns, without statistics (Douglass 2005)."""

from multideid.base_systems.heuristic_dictionary.tagger import HeuristicDictionaryTagger

__all__ = ["HeuristicDictionaryTagger"]
