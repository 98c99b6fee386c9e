"""Medical Subject Headings: reading NLM's descriptors, and look-up of phrases."""

from __future__ import annotations

from multideid.knowledge.mesh.descriptors import Descriptor
from multideid.knowledge.mesh.lookup import Heading, MeshLookup, phrase_key
from multideid.knowledge.mesh.reading import read_descriptors

__all__ = ["Descriptor", "Heading", "MeshLookup", "phrase_key", "read_descriptors"]
