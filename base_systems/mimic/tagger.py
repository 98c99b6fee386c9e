"""The MIMIC de-identifier as a base system (thesis 2.5)."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from multideid.base_systems.mimic.anchors import ranges
from multideid.base_systems.mimic.finder import NATIVE_LABELS, find_in_notes, find_phi
from multideid.base_systems.mimic.notes import Notes
from multideid.document import Document, Span
from multideid.errors import ModelError
from multideid.learners.label_mapping import LabelMapping
from multideid.persistence import load_json, save_json
from multideid.tagger import BaseTagger, FloatArray, IntArray
from multideid.text.bio import TokenLabels, bio_names
from multideid.text.table import TokenTable

_FILE = "mimic"
_BEGINS = {label: 2 * n + 1 for n, label in enumerate(NATIVE_LABELS)}


class MimicTagger(BaseTagger):
    """Rules for English notes; training learns only which label is which.

    Attributes
    ----------
    labels_ : tuple of str
        The BIO tags of the corpus. Set by `fit`.
    mapping_ : LabelMapping
        The corpus's label for each native one; a native label that is missing
        here finds nothing. Set by `fit`.

    Examples
    --------
    >>> MimicTagger().tag(Document("n", "Seen by Dr. Lopez."))
    [Span(start=12, end=17, label='DOCTOR')]
    """

    name: ClassVar[str] = "mimic"
    summary: ClassVar[str] = "rules and word lists for English notes; needs no training"

    mapping_: LabelMapping

    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        """Learn which of the corpus's labels each native label stands for.

        A native label stands for the label that most of its tokens have,
        provided that at least half of them have some label.
        """
        self.mapping_ = LabelMapping.fit(self._native(tokens), labels, least=0.5)
        self.labels_ = labels.names
        return self

    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        """Score the tag that the rules decided 1, every other 0.

        Returns
        -------
        float32 array, shape (n_tokens, len(labels_))

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it was never fitted; `tag` needs no fitting.
        """
        self.check_fitted()
        return self.mapping_.scores(self._native(tokens))

    def predict_tags(self, tokens: TokenTable) -> IntArray:
        """Return the tag that the rules give each token, as indices in `labels_`.

        Returns
        -------
        int32 array, shape (n_tokens,)

        Raises
        ------
        sklearn.exceptions.NotFittedError
            Before `fit`.
        """
        self.check_fitted()
        return self.mapping_.transform(self._native(tokens)).ids

    def tag(self, document: Document) -> list[Span]:
        """Return the spans of `document`: with native labels if never fitted, else mapped."""
        spans = find_phi(document.text)
        if not hasattr(self, "labels_"):
            return spans
        pairs = self.mapping_.pairs
        return [Span(s.start, s.end, pairs[s.label]) for s in spans if s.label in pairs]

    def save(self, folder: Path) -> None:
        """Write the label mapping."""
        self.check_fitted()
        save_json(folder, _FILE, self.mapping_.to_dict())

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If the file is missing or is not what `save` writes.
        """
        tagger = cls()
        try:
            tagger.mapping_ = LabelMapping.from_dict(load_json(folder, _FILE))
        except ValueError:
            raise ModelError(folder / f"{_FILE}.json", "holds no label mapping") from None
        tagger.labels_ = tagger.mapping_.names
        return tagger

    def _native(self, tokens: TokenTable) -> TokenLabels:
        """Tag tokens with native labels."""
        notes = Notes(tokens)
        spans = find_in_notes(notes)
        base = notes.words.base[tokens.document]
        # A token that overlaps a span takes its label; spans do not overlap one another.
        starts, ends, labels = zip(*spans, strict=True) if spans else ((), (), ())
        lows = np.searchsorted(tokens.end + base, np.array(starts, np.int64), side="right")
        highs = np.searchsorted(tokens.start + base, np.array(ends, np.int64))
        begins = np.array([_BEGINS[label] for label in labels], dtype=np.int32)
        ids = np.zeros(len(tokens), dtype=np.int32)
        ids[ranges(lows, highs)] = np.repeat(begins + 1, highs - lows)
        ids[lows[lows < highs]] = begins[lows < highs]
        return TokenLabels(ids, bio_names(NATIVE_LABELS))
