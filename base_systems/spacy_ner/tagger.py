"""A recognizer of spaCy trained from scratch, or an installed pipeline taken as it is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from multideid.arrays import IntArray
from multideid.base_systems.spacy_ner.recognizer import Recognizer, RecognizerTrainer, Shape
from multideid.document import Document, Span
from multideid.persistence import save_json
from multideid.taggers.mapped import MappedTagger
from multideid.taggers.parameters import SEED, ParamRule, at_least
from multideid.taggers.span_adapter import tag_tokens
from multideid.text.bio import TokenLabels
from multideid.text.spacy_pipelines import check_installed
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from spacy.language import Language

_FOLDER = "recognizer"

_TOKENS_READ = 900_000
_EPOCHS = range(3, 11)


class SpacyTagger(MappedTagger):
    """spaCy's named-entity recognizer over our tokens.

    Parameters
    ----------
    pipeline : str, optional
        An installed pipeline, such as ``"en_core_web_sm"``. It is not trained:
        it reads the text of the notes, and training learns which label of the
        corpus each of its own stands for. Default: none; a recognizer is
        trained from scratch.
    language : str, default "xx"
        Code of the notes' language, whose spelling variants spaCy knows;
        ``"xx"`` for any. Of no use to an installed pipeline; nor are the others.
    epochs : int, optional
        Passes over the corpus. Default: as many as read 900,000 tokens, three
        at least and ten at most.
    width : int, default 64
        Numbers that stand for a token.
    depth : int, default 2
        Layers, each of which sees one token more to each side.
    seed : int, default 0

    Attributes
    ----------
    labels_ : tuple of str
    recognizer_ : Recognizer
        Where one was trained.
    mapping_ : LabelMapping
        Where a pipeline is installed.
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

    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        """Train a recognizer, or learn what the corpus calls the installed one's labels.

        Raises
        ------
        UsageError
            If the pipeline is not installed, or spaCy has no such language.
        DocumentError
            If the installed pipeline fails on a document.
        """
        if self.pipeline is not None:
            return super().fit(tokens, labels)
        epochs = _enough(len(tokens)) if self.epochs is None else self.epochs
        trainer = RecognizerTrainer(self._shape(), epochs, seed=self.seed)
        self.recognizer_ = trainer.train(tokens, labels)
        self.labels_ = labels.names
        return self

    def predict_tags(self, tokens: TokenTable) -> IntArray:
        """Return the tag that the recognizer gives each token, as indices in `labels_`.

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
            If something is missing or damaged.
        """
        tagger = super().load(folder)
        if tagger.pipeline is None:
            tagger.recognizer_ = Recognizer.load(tagger._shape(), folder, _FOLDER)
        return tagger

    @classmethod
    def _restored(cls, values: dict[str, Any]) -> Self:
        tagger = cls(**values["params"])
        if tagger.pipeline is not None:
            return super()._restored(values)
        tagger.labels_ = tuple(values["labels"])
        return tagger

    def _shape(self) -> Shape:
        return Shape(self.language, self.width, self.depth)

    def _native(self, tokens: TokenTable) -> TokenLabels:
        assert self.pipeline is not None
        return tag_tokens(self.name, _Installed(_load(self.pipeline)), tokens)


def _enough(n_tokens: int) -> int:
    """Return how often a corpus is read by default: a small one oftener."""
    wanted = round(_TOKENS_READ / max(n_tokens, 1))
    return min(max(wanted, _EPOCHS[0]), _EPOCHS[-1])


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
    """Load an installed pipeline; a folder is refused, for a model might name one."""
    import spacy

    check_installed(name)
    return spacy.load(name)
