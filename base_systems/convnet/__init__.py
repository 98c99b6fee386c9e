"""A convolutional network over feature embeddings, with context of the whole document."""

from multideid.base_systems.convnet.tagger import ConvnetTagger

__all__ = ["ConvnetTagger"]
