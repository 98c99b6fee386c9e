"""Token tables and tags from words with marked spans, for tests of the stacker."""

from __future__ import annotations

import re

import numpy as np

from multideid.arrays import FloatArray, IntArray
from multideid.document import Document, Span
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable

LABELS = ("DATE", "NAME")
_MARKED = re.compile(r"([A-Z]+)\[(.*?)\]", re.DOTALL)


def tags_of(marked: str) -> tuple[TokenTable, IntArray]:
    """Return the tokens and tags of a text such as ``"to NAME[Ann Lee] on DATE[3/4]"``."""
    text, spans, at = "", [], 0
    for found in _MARKED.finditer(marked):
        text += marked[at : found.start()]
        spans.append(Span(len(text), len(text) + len(found[2]), found[1]))
        text, at = text + found[2], found.end()
    document = Document("n", text + marked[at:], tuple(spans))
    tokens = TokenTable.from_documents([document])
    return tokens, encode_bio(tokens, [document], LABELS).ids


def scores_of(tags: IntArray, confidence: float = 1.0) -> FloatArray:
    """Return scores that decide the tags."""
    scores = np.zeros((len(tags), 2 * len(LABELS) + 1), dtype=np.float32)
    scores[np.arange(len(tags)), tags] = confidence
    return scores
