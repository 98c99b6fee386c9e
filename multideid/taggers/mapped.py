"""What all taggers have in common whose finds have labels of their own."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Self

from multideid.arrays import FloatArray, IntArray
from multideid.errors import ModelError
from multideid.persistence import load_json, save_json
from multideid.taggers.contract import BaseTagger
from multideid.taggers.label_mapping import LabelMapping, one_hot
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


class MappedTagger(BaseTagger):
    """A tagger that finds PHI untrained; training learns what a corpus calls its finds.

    Subclasses tag tokens with labels of their own (`_native`); the rest is here.

    Attributes
    ----------
    labels_ : tuple of str
        The BIO tags of the corpus. Set by `fit`.
    mapping_ : LabelMapping
        The corpus's label for each native one; a native label that is missing
        here finds nothing. Set by `fit`.
    """

    least: ClassVar[float] = 0.0
    """As `LabelMapping.fit`."""

    _file: ClassVar[str]
    """Name of the model's JSON file, without the ending."""

    mapping_: LabelMapping

    @abstractmethod
    def _native(self, tokens: TokenTable) -> TokenLabels:
        """Tag tokens with native labels."""

    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        """Learn which of the corpus's labels each native label stands for.

        A native label stands for the label that most of its tokens have,
        provided that at least the share `least` of them has some label.
        """
        self.mapping_ = LabelMapping.fit(self._native(tokens), labels, self.least)
        self.labels_ = labels.names
        return self

    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        """Score the tag that was decided 1, every other 0.

        Returns
        -------
        float32 array, shape (n_tokens, len(labels_))

        Raises
        ------
        sklearn.exceptions.NotFittedError
            Before `fit`.
        """
        return one_hot(self.predict_tags(tokens), len(self.labels_))

    def predict_tags(self, tokens: TokenTable) -> IntArray:
        """Return the tag that was decided for each token, as indices in `labels_`.

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

    def save(self, folder: Path) -> None:
        """Write the parameters and the label mapping."""
        self.check_fitted()
        values = {"params": self.get_params(), "mapping": self.mapping_.to_dict()}
        save_json(folder, self._file, values)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If the file is missing or is not what `save` writes.
        """
        values = load_json(folder, cls._file)
        try:
            return cls._restored(values)
        except (KeyError, TypeError, ValueError):
            path = folder / f"{cls._file}.json"
            raise ModelError(path, f"does not fit system {cls.name!r}") from None

    @classmethod
    def _restored(cls, values: dict[str, Any]) -> Self:
        """Make the tagger of what `save` wrote as JSON."""
        # Models of rules, such as the bundled one, once kept the mapping alone.
        kept = values if "mapping" in values else {"params": {}, "mapping": values}
        tagger = cls(**kept["params"])
        tagger.mapping_ = LabelMapping.from_dict(kept["mapping"])
        tagger.labels_ = tagger.mapping_.names
        return tagger
