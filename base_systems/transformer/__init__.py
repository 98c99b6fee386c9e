"""A pretrained token-classification network of the transformers library."""

from multideid.base_systems.transformer.tagger import TransformerTagger

__all__ = ["TransformerTagger"]
