"""Dictionaries and hand-made rules; training learns only what a corpus calls their finds."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from multideid.base_systems.heuristic_dictionary.codes import CodedText
from multideid.base_systems.heuristic_dictionary.patterns import NATIVE_LABELS, RULES
from multideid.errors import ModelError
from multideid.learners.label_mapping import LabelMapping
from multideid.persistence import load_json, save_json
from multideid.tagger import BaseTagger, FloatArray, IntArray
from multideid.text.bio import TokenLabels, bio_names
from multideid.text.table import TokenTable

_FILE = "heuristic-dictionary"
_NATIVE_NAMES = bio_names(NATIVE_LABELS)


class HeuristicDictionaryTagger(BaseTagger):
    """The heuristic system of Douglass (2005), as Sibanda and Uzuner (2006, 4.1) describe it.

    Each rule's finds have a label of their own; training learns which of the
    corpus's labels that is, and leaves out the rules that are mostly wrong there.

    Attributes
    ----------
    labels_ : tuple of str
    mapping_ : LabelMapping
    """

    name: ClassVar[str] = "heuristic-dictionary"
    summary: ClassVar[str] = "Dictionaries, indicators, near matches; English (Douglass 2005)."

    labels_: tuple[str, ...]
    mapping_: LabelMapping

    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        """Learn what the corpus calls what each rule finds, and which rules serve."""
        self.mapping_ = LabelMapping.fit(find_phi(tokens), labels, least=0.5)
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
            Before `fit`.
        """
        self.check_fitted()
        return self.mapping_.scores(find_phi(tokens))

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
        return self.mapping_.transform(find_phi(tokens)).ids

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
            If the file is missing or holds no label mapping.
        """
        tagger = cls()
        try:
            tagger.mapping_ = LabelMapping.from_dict(load_json(folder, _FILE))
        except ValueError:
            raise ModelError(folder / f"{_FILE}.json", "holds no label mapping") from None
        tagger.labels_ = tagger.mapping_.names
        return tagger


def find_phi(tokens: TokenTable) -> TokenLabels:
    """Tag tokens with the labels of the rules.

    Returns
    -------
    TokenLabels
        With the BIO tags of `NATIVE_LABELS`.
    """
    text = CodedText.of(tokens)
    ids = np.zeros(len(tokens), dtype=np.int32)
    for number, rule in enumerate(RULES):
        spans = np.array(list(rule.spans(text.string)), dtype=np.int64).reshape(-1, 2)
        _paint(ids, text.row[spans[:, 0]], text.row[spans[:, 1] - 1] + 1, number)
    return TokenLabels(ids, _NATIVE_NAMES)


def _paint(
    ids: npt.NDArray[np.int32],
    start: npt.NDArray[np.int64],
    stop: npt.NDArray[np.int64],
    number: int,
) -> None:
    """Tag the spans none of whose tokens has a tag yet, in place."""
    taken = np.concatenate([[0], np.cumsum(ids > 0)])
    free = taken[stop] == taken[start]
    start, stop = start[free], stop[free]
    change = np.zeros(len(ids) + 1, dtype=np.int32)
    change[start] += 1
    # A span may begin where another ends, but within one rule none overlap.
    np.subtract.at(change, stop, 1)
    ids[np.cumsum(change[:-1]) > 0] = 2 * number + 2
    ids[start] = 2 * number + 1
