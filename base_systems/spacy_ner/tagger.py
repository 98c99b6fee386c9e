"""A recognizer of spaCy trained from scratch, or an installed pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from multideid.arrays import IntArray
from multideid.base_systems.spacy_ner.recognizer import Recognizer, RecognizerTrainer, Shape
from multideid.document import Document, Span
from multideid.persistence.files import save_json
from multideid.persistence.json_rules import check_json
from multideid.taggers.mapped import MappedTagger
from multideid.taggers.parameters import SEED, ParamRule, at_least, made_again
from multideid.taggers.span_adapter import tag_tokens
from multideid.text.bio import TokenLabels
from multideid.text.spacy_pipelines import check_installed
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from spacy.language import Language

_FOLDER = "recognizer"

_TOKENS_SEEN = 900_000
_EPOCHS = range(3, 11)


class SpacyTagger(MappedTagger):
    """spaCy's named-entity recognizer over our tokens.

    Parameters
    ----------
    pipeline : str, optional
        An installed pipeline, such as ``"en_core_web_sm"``. It is not trained on the
        corpus; training only maps its labels to those of the corpus. Default: none; a
        recognizer is trained from scratch.
    language : str, default "xx"
        Language code for spaCy's lexical attributes; ``"xx"`` for any. This and the
        following parameters are ignored with `pipeline`.
    epochs : int, optional
        Passes over the corpus. Default: 900,000 divided by the number of tokens, but
        between three and ten.
    width : int, default 64
        Width of token vectors.
    depth : int, default 2
        Number of convolution layers; each widens the window by one token on both sides.
    seed : int, default 0

    Attributes
    ----------
    labels_ : tuple of str
    recognizer_ : Recognizer
        Only without `pipeline`.
    mapping_ : LabelMapping
        Only with `pipeline`.
    """

    name: ClassVar[str] = "spacy"
    summary: ClassVar[str] = "spaCy's entity recognizer, trained from scratch (a neural network)."
    needs: ClassVar[Mapping[str, str]] = {"spacy": "spacy"}
    param_rules: ClassVar[Mapping[str, ParamRule]] = {
        "epochs": at_least(1),
        "width": at_least(1),
        "depth": at_least(1),
        "seed": SEED,
    }

    min_precision: ClassVar[float] = 0.5
    _file: ClassVar[str] = "spacy"

    recognizer_: Recognizer

    def __init__(  # noqa: PLR0913, PLR0917 (parameters of a model)
        self,
        pipeline: str | None = None,
        language: str = "xx",
        epochs: int | None = None,
        width: int = 64,
        depth: int = 2,
        seed: int = 0,
    ) -> None:
        self.pipeline = pipeline
        self.language = language
        self.epochs = epochs
        self.width = width
        self.depth = depth
        self.seed = seed

    @property
    def learns(self) -> bool:
        """Whether a recognizer is trained, as it is without `pipeline`."""
        return self.pipeline is None

    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        """Train a recognizer, or map the labels of the installed pipeline.

        Raises
        ------
        UsageError
            If the pipeline is not installed, or spaCy has no such language.
        DocumentError
            If the installed pipeline fails on a document.
        """
        if self.pipeline is not None:
            return super().fit(tokens, labels)
        epochs = _default_epochs(len(tokens)) if self.epochs is None else self.epochs
        trainer = RecognizerTrainer(self._shape(), epochs, seed=self.seed)
        self.recognizer_ = trainer.train(tokens, labels)
        self.labels_ = labels.names
        return self

    def predict_tags(self, tokens: TokenTable) -> IntArray:
        """Return the predicted tag of each token, as an index into `labels_`.

        Returns
        -------
        int32 array, shape (n_tokens,)

        Raises
        ------
        sklearn.exceptions.NotFittedError
            Before `fit`.
        DocumentError
            If the installed pipeline fails on a document.
        """
        if self.pipeline is not None:
            return super().predict_tags(tokens)
        self.check_fitted()
        return self.recognizer_.tags(tokens, self.labels_)

    def save(self, folder: Path) -> None:
        """Write parameters and tags as JSON, a trained recognizer as JSON and MessagePack."""
        if self.pipeline is not None:
            super().save(folder)
            return
        self.check_fitted()
        save_json(folder, self._file, {"params": self.get_params(), "labels": self.labels_})
        self.recognizer_.save(folder, _FOLDER)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If a file is missing or damaged.
        """
        tagger = super().load(folder)
        if tagger.pipeline is None:
            tagger.recognizer_ = Recognizer.load(tagger._shape(), folder, _FOLDER)
        return tagger

    @classmethod
    def _restored(cls, values: dict[str, Any], path: Path) -> Self:
        check_json(path, values, {"params": dict})
        if values["params"].get("pipeline") is not None:
            return super()._restored(values, path)
        check_json(path, values, {"labels": [str]})
        tagger = made_again(cls, values["params"], path)
        tagger.labels_ = tuple(values["labels"])
        return tagger

    def _shape(self) -> Shape:
        return Shape(self.language, self.width, self.depth)

    def _native(self, tokens: TokenTable) -> TokenLabels:
        assert self.pipeline is not None
        return tag_tokens(self.name, _Installed(_load(self.pipeline)), tokens)


def _default_epochs(n_tokens: int) -> int:
    """Return the default number of epochs, which is larger for small corpora."""
    epochs = round(_TOKENS_SEEN / max(n_tokens, 1))
    return min(max(epochs, _EPOCHS[0]), _EPOCHS[-1])


class _Installed:
    """An installed pipeline as a span plug-in."""

    def __init__(self, pipeline: Language) -> None:
        self._pipeline = pipeline

    def tag(self, document: Document) -> list[Span]:
        """Return the entities that the pipeline finds in the text."""
        doc = self._pipeline(document.text)
        return [Span(e.start_char, e.end_char, e.label_) for e in doc.ents if e.text.strip()]


@lru_cache(maxsize=4)
def _load(name: str) -> Language:
    """Load an installed pipeline; folders are refused, since a model file could name one."""
    import spacy

    check_installed(name)
    return spacy.load(name)
