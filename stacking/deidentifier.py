"""What all de-identifiers have in common, however they decide."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from multideid.arrays import IntArray
from multideid.document import Document, Span, corpus_fingerprint
from multideid.errors import DocumentError, UsageError
from multideid.persistence import ModelInfo, ModelWriter, SystemRecord
from multideid.redact import Mode, Replacer, redact
from multideid.scoring.scorer import Scorer
from multideid.stacking.decode import tags_to_spans
from multideid.stacking.folds import Groups
from multideid.stacking.votes import VOTES, Votes, count_votes
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import TokenLabels, bio_names, corpus_labels, encode_bio
from multideid.text.table import TokenTable
from multideid.timing import stage

_BATCH_CHARACTERS = 500_000
_DOCUMENT_COST = 100  # In characters: even an empty document takes room.
_NOT_SAVED = {"n_jobs", "progress"}


@dataclass(frozen=True, slots=True)
class FailedDocument:
    """A document that could not be processed, and so is not emitted.

    Parameters
    ----------
    id : str
    problem : str
        In words that hold no document text.
    """

    id: str
    problem: str


class Deidentifier(ABC):
    """Finds PHI in text with one or more base systems.

    Attributes
    ----------
    labels_ : tuple of str
        The PHI labels it knows. Set by `fit`.
    taggers_ : dict of str to BaseTagger
        The fitted base systems. Set by `fit`.
    """

    kind: ClassVar[str]
    """What the manifest of a saved model calls this class."""

    labels_: tuple[str, ...]
    taggers_: dict[str, BaseTagger]

    def fit(self, documents: Iterable[Document], groups: Groups = None) -> Self:
        """Learn from annotated documents.

        Parameters
        ----------
        documents : iterable of Document
        groups : sequence of hashable, optional
            One value per document. Documents of equal value, such as versions of a
            note or notes of a hospital, share a fold, so that what is learned out of
            fold holds for documents of other groups. Default: each by itself.

        Returns
        -------
        Deidentifier
            Itself.

        Raises
        ------
        UsageError
            If there is no document, no span or no token of PHI to learn from, or a
            parameter does not fit the corpus.
        """
        corpus = list(documents)
        _check_corpus(corpus)
        labels = corpus_labels(corpus)
        tokens = TokenTable.from_documents(corpus)
        gold = encode_bio(tokens, corpus, labels)
        if not gold.ids.any():
            raise UsageError("the corpus has no token to learn from: its spans are of white space")
        self.__dict__ = self.__getstate__()
        self._fit(tokens, gold, groups)
        self.labels_ = labels
        self.corpus_ = corpus_fingerprint(corpus)
        return self

    def predict(self, documents: Iterable[Document]) -> list[Document]:
        """Return the documents with the spans that are found in them.

        Spans that the documents had are not looked at and not kept.

        Raises
        ------
        DocumentError
            If a document cannot be processed.
        """
        found = []
        for document in self.predict_each(documents):
            if isinstance(document, FailedDocument):
                raise DocumentError(document.id, document.problem)
            found.append(document)
        return found

    def predict_each(self, documents: Iterable[Document]) -> Iterator[Document | FailedDocument]:
        """Yield the documents in order, with the spans that are found in them.

        Documents are processed in batches of about 500,000 characters. One
        that cannot be processed is told as a `FailedDocument`; the others of
        its batch are not touched by that.
        """
        self._check_fitted()
        for batch in batches(documents):
            yield from self.predict_batch(batch)

    def predict_batch(self, batch: Sequence[Document]) -> list[Document | FailedDocument]:
        """Return what `predict_each` yields, for documents that are processed at once."""
        try:
            return list(self._found(batch))
        except Exception as error:
            if len(batch) > 1:
                return [result for document in batch for result in self.predict_batch([document])]
            # The message may quote the document, so only its kind is told.
            known = isinstance(error, DocumentError)
            problem = error.problem if known else f"failed with {type(error).__name__}"  # type: ignore[attr-defined]
            return [FailedDocument(batch[0].id, problem)]

    def votes(self, documents: Sequence[Document]) -> list[Votes]:
        """Return which base systems would have found each span by themselves.

        A system votes for a span if it decides for the same label on a token
        of it. Of a Mega model, whose systems are united, only rules vote.

        Parameters
        ----------
        documents : sequence of Document
            With the spans in question, as `predict` returns them.

        Returns
        -------
        list of tuple of tuple of str
            For each document, for each span, the systems' names.
        """
        self._check_fitted()
        tokens = TokenTable.from_documents(documents)
        scores = dict(zip(self.taggers_, self._scorer().scores(tokens), strict=True))
        return count_votes(documents, tokens, scores, self.labels_)

    def with_votes(
        self, results: Sequence[Document | FailedDocument]
    ) -> list[Document | FailedDocument]:
        """Return what `predict_batch` returned, with votes in each `meta` under ``"votes"``."""
        votes = iter(self.votes([r for r in results if isinstance(r, Document)]))
        return [
            replace(r, meta={**r.meta, VOTES: next(votes)}) if isinstance(r, Document) else r
            for r in results
        ]

    def spans(self, text: str) -> tuple[Span, ...]:
        """Return the PHI spans of a text."""
        return self.predict([Document("text", text)])[0].spans

    def deidentify(self, text: str, mode: Mode | Replacer = "mask") -> str:
        """Return the text with its PHI replaced.

        Parameters
        ----------
        text : str
        mode : str or Replacer
            As `multideid.redact.redact`.
        """
        return redact(self.predict([Document("text", text)])[0], mode)

    def save(self, path: str | Path, overwrite: bool = False) -> None:
        """Write the model folder, atomically; see `load_folder`.

        Parameters
        ----------
        path : str or Path
        overwrite : bool
            Whether a model that stands there may be replaced.
        """
        self._check_fitted()
        with ModelWriter(path, self._info(), overwrite) as folder:
            for name, tagger in self.taggers_.items():
                place = folder / "systems" / name
                place.mkdir(parents=True)
                tagger.save(place)
            self._save(folder)

    def get_params(self) -> dict[str, Any]:
        """Return the constructor's parameters, without those of how it runs."""
        names = set(inspect.signature(type(self)).parameters) - _NOT_SAVED
        return {name: value for name, value in vars(self).items() if name in names}

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made of the rest when it is wanted."""
        return {k: value for k, value in vars(self).items() if not k.startswith("_compiled")}

    def _scorer(self) -> Scorer:
        if "_compiled_scorer" not in self.__dict__:
            self._compiled_scorer = Scorer(list(self.taggers_.values()))
        return self._compiled_scorer

    @abstractmethod
    def _fit(self, tokens: TokenTable, labels: TokenLabels, groups: Groups = None) -> None:
        """Learn from tokens and gold tags; set `taggers_`."""

    @abstractmethod
    def _tags(self, tokens: TokenTable) -> IntArray:
        """Decide the tag of every token."""

    def _save(self, folder: Path) -> None:  # noqa: B027 (most learn nothing else)
        """Write what was learned besides the base systems."""

    def _load(self, folder: Path) -> None:  # noqa: B027
        """Read what `_save` wrote."""

    def _info(self) -> ModelInfo:
        records = tuple(SystemRecord(n, t.get_params()) for n, t in self.taggers_.items())
        params = _plain(self.get_params())
        return ModelInfo(self.kind, self.labels_, records, params, self.corpus_)

    def _check_fitted(self) -> None:
        if not hasattr(self, "labels_"):
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(f"{type(self).__name__} is not fitted yet; call fit first")

    def _found(self, batch: Sequence[Document]) -> list[Document]:
        with stage("tokens"):
            tokens = TokenTable.from_documents(batch)
        with stage("decisions"):
            tags = TokenLabels(self._tags(tokens), bio_names(self.labels_))
        with stage("spans"):
            spans = tags_to_spans(tokens, tags)
        return [document.with_spans(s) for document, s in zip(batch, spans, strict=True)]


def _plain(value: Any) -> Any:
    """Return a value with every mapping in it as a dict, which JSON can express."""
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    return value


def _check_corpus(corpus: Sequence[Document]) -> None:
    if not corpus:
        raise UsageError("the corpus is empty: there is no document to learn from")
    if not any(document.spans for document in corpus):
        raise UsageError(
            f"none of the corpus's {len(corpus)} documents has a span: training needs annotated PHI"
        )


def batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Yield documents, in order, in lists of about 500,000 characters or one document."""
    batch: list[Document] = []
    size = 0
    for document in documents:
        cost = len(document.text) + _DOCUMENT_COST
        if batch and size + cost > _BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
        batch.append(document)
        size += cost
    if batch:
        yield batch
