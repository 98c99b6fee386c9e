"""Base class of taggers with native labels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from multideid.arrays import FloatArray, IntArray
from multideid.errors import ModelError
from multideid.persistence.files import load_json, save_json
from multideid.persistence.json_rules import check_json
from multideid.taggers.contract import BaseTagger
from multideid.taggers.label_mapping import LabelMapping, one_hot, same_class
from multideid.taggers.parameters import made_again
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

_PATTERN = {"params": dict, "mapping": {"pairs": {str: str}, "labels": [str]}}


class MappedTagger(BaseTagger):
    """A tagger that finds PHI without training; `fit` maps its labels to the corpus's.

    Subclasses implement `_native`, which tags tokens with native labels.

    Attributes
    ----------
    labels_ : tuple of str
        The BIO tags of the corpus. Set by `fit`.
    mapping_ : LabelMapping
        Corpus label of each native label. Set by `fit`.
    """

    min_precision: ClassVar[float] = 0.0
    """Parameter of `LabelMapping.fit`."""

    certain_labels: ClassVar[Mapping[str, str]] = {}
    """Native labels of finds that are PHI by their form, as e-mail addresses are, each with its
    label in classes that the corpus does not annotate; see `passing_labels`."""

    _file: ClassVar[str]
    """Name of the model's JSON file, without suffix."""

    mapping_: LabelMapping

    @property
    def learns(self) -> bool:
        """Whether `fit` learns more than the label mapping, so that it knows its documents."""
        return False

    @abstractmethod
    def _native(self, tokens: TokenTable) -> TokenLabels:
        """Tag tokens with native labels."""

    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        """Map each native label to the corpus label of most of its tokens.

        Native labels with a precision below `min_precision` are ignored.
        """
        self.mapping_ = LabelMapping.fit(self._native(tokens), labels, self.min_precision)
        self.labels_ = labels.names
        return self

    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        """Return scores of 1 for the decided tags and 0 for all others.

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
        """Return the decided tag of each token, as an index into `labels_`.

        Returns
        -------
        int32 array, shape (n_tokens,)

        Raises
        ------
        sklearn.exceptions.NotFittedError
            Before `fit`.
        """
        self.check_fitted()
        found = tokens.memo.pop(self._memo_key(), None)
        return self.mapping_.transform(self._native(tokens) if found is None else found).ids

    def passing_labels(self) -> dict[str, str]:
        """Return the `certain_labels` of classes that nobody annotated in the training corpus.

        Finds of these have no label of the corpus, so that no learner can decide on
        them. De-identifiers let them pass through, under the label given here.
        """
        mapping = getattr(self, "mapping_", None)
        if mapping is None:
            return {}
        return {
            native: label
            for native, label in self.certain_labels.items()
            if native not in mapping.pairs and same_class(label, mapping.labels) is None
        }

    def passing_tags(self, tokens: TokenTable) -> TokenLabels:
        """Tag tokens with `passing_labels` alone.

        The native labels are kept in `tokens` until `predict_tags` takes them.
        """
        pairs = self.passing_labels()
        mapping = LabelMapping(pairs, tuple(sorted(set(pairs.values()))))
        native = tokens.memo[self._memo_key()] = self._native(tokens)
        return mapping.transform(native)

    def _memo_key(self) -> tuple[str, int]:
        return "native labels", id(self)

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
            If the file is missing or was not written by `save`.
        """
        values, path = load_json(folder, cls._file), folder / f"{cls._file}.json"
        try:
            return cls._restored(values, path)
        except (KeyError, TypeError, ValueError, ModelError) as error:
            problem = f": {error.problem}" if isinstance(error, ModelError) else ""
            raise ModelError(
                path, f"does not hold a model of system {cls.name!r}{problem}"
            ) from None

    @classmethod
    def _restored(cls, values: dict[str, Any], path: Path) -> Self:
        """Make the tagger from the JSON values of `save`."""
        # Older models hold the mapping alone.
        kept = values if "mapping" in values else {"params": {}, "mapping": values}
        check_json(path, kept, _PATTERN)
        tagger = made_again(cls, kept["params"], path)
        tagger.mapping_ = LabelMapping.from_dict(kept["mapping"])
        tagger.labels_ = tagger.mapping_.names
        return tagger
