"""The MIMIC de-identifier as a base system (thesis 2.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from multideid.base_systems.mimic.anchors import ranges
from multideid.base_systems.mimic.finder import NATIVE_LABELS, find_in_notes, find_phi
from multideid.base_systems.mimic.patterns import Notes
from multideid.document import Document, Span
from multideid.taggers.mapped import MappedTagger
from multideid.text.bio import TokenLabels, bio_names
from multideid.text.table import TokenTable

_BEGINS = {label: 2 * n + 1 for n, label in enumerate(NATIVE_LABELS)}


class MimicTagger(MappedTagger):
    """Rules for English notes; training only maps their labels to those of the corpus.

    Attributes
    ----------
    labels_ : tuple of str
        The BIO tags of the corpus. Set by `fit`.
    mapping_ : LabelMapping
        Corpus label of each native label; native labels without one are dropped. Set by
        `fit`.

    Examples
    --------
    >>> MimicTagger().tag(Document("n", "Seen by Dr. Lopez."))
    [Span(start=12, end=17, label='DOCTOR')]
    """

    name: ClassVar[str] = "mimic"
    summary: ClassVar[str] = "Rules and word lists for English notes; needs no training."

    min_precision: ClassVar[float] = 0.5
    certain_labels: ClassVar[Mapping[str, str]] = {"EMAIL": "EMAIL", "URL": "URL"}
    _file: ClassVar[str] = "mimic"

    def tag(self, document: Document) -> list[Span]:
        """Return the spans of `document`, with native labels before `fit` and mapped ones after."""
        spans = find_phi(document.text)
        if not hasattr(self, "labels_"):
            return spans
        pairs = self.mapping_.pairs
        return [Span(s.start, s.end, pairs[s.label]) for s in spans if s.label in pairs]

    def _native(self, tokens: TokenTable) -> TokenLabels:
        """Tag tokens with native labels."""
        notes = Notes(tokens)
        spans = find_in_notes(notes)
        size = notes.words.start.dtype
        offset = notes.base.astype(size)[tokens.document]
        # A token that overlaps a span takes its label; spans do not overlap one another.
        starts, ends, labels = zip(*spans, strict=True) if spans else ((), (), ())
        lows = np.searchsorted(tokens.end + offset, np.array(starts, size), side="right")
        highs = np.searchsorted(tokens.start + offset, np.array(ends, size))
        begins = np.array([_BEGINS[label] for label in labels], dtype=np.int32)
        ids = np.zeros(len(tokens), dtype=np.int32)
        ids[ranges(lows, highs)] = np.repeat(begins + 1, highs - lows)
        ids[lows[lows < highs]] = begins[lows < highs]
        return TokenLabels(ids, bio_names(NATIVE_LABELS))
