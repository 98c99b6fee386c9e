"""Conversion between BIO tags and spaCy's entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.text.bio import phi_labels, tag_runs
from multideid.text.lines import line_starts
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span


def piece_bounds(tokens: TokenTable, most: int) -> LongArray:
    """Return the bounds of pieces of documents.

    Documents of more than `most` tokens are split at line starts, or within longer
    lines. Empty documents have no piece.
    """
    lines = line_starts(tokens)
    bounds = [0]
    for stop in tokens.first[1:].tolist():
        while stop - bounds[-1] > most:
            line = int(lines[np.searchsorted(lines, bounds[-1] + most, side="right") - 1])
            bounds.append(line if line > bounds[-1] else bounds[-1] + most)
        if stop > bounds[-1]:
            bounds.append(stop)
    return np.array(bounds, dtype=np.int64)


def set_entities(doc: Doc, ids: IntArray, names: tuple[str, ...]) -> None:
    """Set a document's entities from the tags of its tokens.

    spaCy rejects entities that begin or end with white space, such as line ends. They
    are trimmed, and entities of white space alone are dropped.
    """
    from spacy.tokens import Span

    labels = phi_labels(names)
    found: list[Span] = []
    runs = tag_runs(np.zeros(len(ids), dtype=np.int32), ids)
    for first, last, label in zip(*(column.tolist() for column in runs), strict=True):
        inner = [n for n in range(first, last + 1) if not doc[n].is_space]
        if inner:
            found.append(Span(doc, inner[0], inner[-1] + 1, label=labels[label]))
    doc.set_ents(found)


def entity_tags(doc: Doc, names: tuple[str, ...]) -> IntArray:
    """Return the tags of a document's entities, shape (n_tokens,)."""
    code = {name: n for n, name in enumerate(names)}
    ids = np.zeros(len(doc), dtype=np.int32)
    for entity in doc.ents:
        ids[entity.start : entity.end] = code[f"I-{entity.label_}"]
        ids[entity.start] = code[f"B-{entity.label_}"]
    return ids
