"""A recognizer of spaCy trained from scratch, or an installed pipeline taken as it is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from multideid.base_systems.spacy_ner.recognizer import Recognizer, RecognizerTrainer, Shape
from multideid.document import Document, Span
from multideid.errors import ModelError
from multideid.learners.label_mapping import LabelMapping
from multideid.persistence import load_json, save_json
from multideid.span_tagger import tag_tokens
from multideid.tagger import BaseTagger, FloatArray
from multideid.text.bio import TokenLabels
from multideid.text.spacy_pipelines import check_installed
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from spacy.language import Language

_FILE = "spacy"
_FOLDER = "recognizer"

_TOKENS_READ = 900_000
_EPOCHS = range(3, 11)


class SpacyTagger(BaseTagger):
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

    recognizer_: Recognizer
    mapping_: LabelMapping

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
        if self.pipeline is None:
            epochs = _enough(len(tokens)) if self.epochs is None else self.epochs
            trainer = RecognizerTrainer(self._shape(), epochs, seed=self.seed)
            self.recognizer_ = trainer.train(tokens, labels)
        else:
            self.mapping_ = LabelMapping.fit(self._native(tokens), labels, least=0.5)
        self.labels_ = labels.names
        return self

    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        """Score the tag that the recognizer decided 1, every other 0.

        Returns
        -------
        float32 array, shape (n_tokens, len(labels_))

        Raises
        ------
        sklearn.exceptions.NotFittedError
            Before `fit`.
        DocumentError
            If the installed pipeline fails on a document.
        """
        self.check_fitted()
        if self.pipeline is not None:
            return self.mapping_.scores(self._native(tokens))
        scores = np.zeros((len(tokens), len(self.labels_)), dtype=np.float32)
        scores[np.arange(len(tokens)), self.recognizer_.tags(tokens, self.labels_)] = 1
        return scores

    def save(self, folder: Path) -> None:
        """Write parameters and tags as JSON, a trained recognizer as JSON and MessagePack."""
        self.check_fitted()
        values = {"params": self.get_params(), "labels": self.labels_}
        if self.pipeline is not None:
            values["mapping"] = self.mapping_.to_dict()
        else:
            self.recognizer_.save(folder, _FOLDER)
        save_json(folder, _FILE, values)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If something is missing or damaged.
        """
        values = load_json(folder, _FILE)
        try:
            tagger = cls(**values["params"])
            tagger.labels_ = tuple(values["labels"])
            if tagger.pipeline is not None:
                tagger.mapping_ = LabelMapping.from_dict(values["mapping"])
        except (KeyError, TypeError, ValueError):
            raise ModelError(folder / f"{_FILE}.json", "holds no tagger of spaCy") from None
        if tagger.pipeline is None:
            tagger.recognizer_ = Recognizer.load(tagger._shape(), folder, _FOLDER)
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
