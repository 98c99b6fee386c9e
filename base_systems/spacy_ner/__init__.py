"""spaCy's named-entity recognizer, trained on the corpus, or an installed pipeline."""

from multideid.base_systems.spacy_ner.tagger import SpacyTagger

__all__ = ["SpacyTagger"]
