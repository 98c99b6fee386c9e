"""The MIMIC de-identifier as a base system (thesis 2.5)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from multideid.base_systems.mimic.finder import NATIVE_LABELS, find_in_batch, find_phi
from multideid.document import Document, Span
from multideid.errors import ModelError, UsageError
from multideid.tagger import BaseTagger
from multideid.text.bio import TokenLabels, bio_names, encode_bio, phi_labels
from multideid.text.table import TokenTable

FloatArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int32]

_FILE = "mimic.json"
_NATIVE_NAMES = bio_names(NATIVE_LABELS)


class MimicTagger(BaseTagger):
    """Rules for English notes; training learns only which label is which.

    Attributes
    ----------
    labels_ : tuple of str
        The BIO tags of the corpus. Set by `fit`.
    mapping_ : dict of str to str
        The corpus's label for each native one; a native label that is missing
        here finds nothing. Set by `fit`.

    Examples
    --------
    >>> MimicTagger().tag(Document("n", "Seen by Dr. Lopez."))
    [Span(start=12, end=17, label='DOCTOR')]
    """

    name: ClassVar[str] = "mimic"
    summary: ClassVar[str] = "rules and word lists for English notes; needs no training"

    mapping_: dict[str, str]

    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        """Learn which of the corpus's labels each native label stands for.

        A native label stands for the label that most of its tokens have,
        provided that at least half of them have some label.
        """
        if len(tokens) != len(labels):
            raise UsageError(f"{len(labels)} tags were given for {len(tokens)} tokens")
        self.labels_ = labels.names
        native = (self._native(tokens).ids + 1) // 2
        gold = (labels.ids + 1) // 2
        shape = (len(NATIVE_LABELS) + 1, len(labels.names) // 2 + 1)
        counts = np.bincount(native * shape[1] + gold, minlength=shape[0] * shape[1])
        self.mapping_ = _map_labels(counts.reshape(shape), phi_labels(labels.names))
        return self

    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        """Score the tag that the rules decided 1, every other 0.

        Returns
        -------
        float32 array, shape (n_tokens, len(labels_))

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it was never fitted.
        """
        if not hasattr(self, "labels_"):
            raise _not_fitted()
        chosen = self._column_of_native()[self._native(tokens).ids]
        scores = np.zeros((len(tokens), len(self.labels_)), dtype=np.float32)
        scores[np.arange(len(tokens)), chosen] = 1.0
        return scores

    def tag(self, document: Document) -> list[Span]:
        """Return the spans of `document`: with native labels if never fitted, else mapped."""
        spans = find_phi(document.text)
        if not hasattr(self, "labels_"):
            return spans
        return [
            Span(s.start, s.end, self.mapping_[s.label]) for s in spans if s.label in self.mapping_
        ]

    def save(self, folder: Path) -> None:
        """Write the label mapping as JSON."""
        content = {"labels": self.labels_, "mapping": self.mapping_}
        (folder / _FILE).write_text(json.dumps(content, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If the file is missing or is not what `save` writes.
        """
        path = folder / _FILE
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            labels, mapping = tuple(content["labels"]), dict(content["mapping"])
        except (OSError, ValueError, KeyError, TypeError):
            raise ModelError(path, "not a label mapping of mimic; save the model anew") from None
        if not set(mapping.values()) <= set(phi_labels(labels)) or not set(mapping) <= set(
            NATIVE_LABELS
        ):
            raise ModelError(path, "maps labels that the model does not have; save the model anew")
        tagger = cls()
        tagger.labels_, tagger.mapping_ = labels, mapping
        return tagger

    def _native(self, tokens: TokenTable) -> TokenLabels:
        """Tag tokens with native labels."""
        rows = zip(tokens.ids, tokens.texts, find_in_batch(tokens), strict=True)
        documents = [Document(name, text, tuple(spans)) for name, text, spans in rows]
        return encode_bio(tokens, documents, NATIVE_LABELS)

    def _column_of_native(self) -> IntArray:
        """Return the column of `labels_` for every native BIO tag."""
        place = {name: n for n, name in enumerate(self.labels_)}
        tags = (name.partition("-") for name in _NATIVE_NAMES)
        mapped = (f"{prefix}-{self.mapping_.get(label, '')}" for prefix, _, label in tags)
        return np.array([place.get(tag, 0) for tag in mapped], dtype=np.int32)


def _not_fitted() -> Exception:
    from sklearn.exceptions import NotFittedError

    error: Exception = NotFittedError(
        "mimic was not fitted: fit it, or use tag() for its own labels"
    )
    return error


def _map_labels(counts: npt.NDArray[np.int64], labels: tuple[str, ...]) -> dict[str, str]:
    """Choose a corpus label for each native one from counts, shape (native + 1, gold + 1)."""
    mapping = {}
    for native, row in zip(NATIVE_LABELS, counts[1:], strict=True):
        inside = row[1:].sum()
        if labels and inside and 2 * inside >= row.sum():
            mapping[native] = labels[int(row[1:].argmax())]
    return mapping
