"""The base class of all de-identifiers."""

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
_DOCUMENT_COST = 100  # In characters: even an empty document takes memory.
_NOT_SAVED = {"n_jobs", "progress"}


@dataclass(frozen=True, slots=True)
class FailedDocument:
    """A document that could not be processed, and is therefore withheld.

    Parameters
    ----------
    id : str
    problem : str
        A message without any text of the document.
    """

    id: str
    problem: str


class Deidentifier(ABC):
    """Finds PHI in text with one or more base systems.

    Attributes
    ----------
    labels_ : tuple of str
        The PHI labels of the training corpus. Set by `fit`.
    taggers_ : dict of str to BaseTagger
        The fitted base systems. Set by `fit`.
    """

    kind: ClassVar[str]
    """Name of the class in the manifest of a saved model."""

    labels_: tuple[str, ...]
    taggers_: dict[str, BaseTagger]

    def fit(self, documents: Iterable[Document], groups: Groups = None) -> Self:
        """Learn from annotated documents.

        Parameters
        ----------
        documents : iterable of Document
        groups : sequence of hashable, optional
            One value per document. Documents of equal value, such as versions of a
            note or notes of a hospital, share a fold, so that out-of-fold scores show
            how well systems do on other groups. Default: each document is a group.

        Returns
        -------
        Deidentifier
            The fitted model itself.

        Raises
        ------
        UsageError
            If the corpus has no document, no span or no PHI token, or a parameter is
            invalid for it.
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
        """Return the documents with predicted spans.

        Existing spans of the documents are ignored and replaced.

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
        """Yield the documents in order, with predicted spans.

        Documents are processed in batches of about 500,000 characters. One that
        cannot be processed is yielded as a `FailedDocument`, without effect on the
        others of its batch.
        """
        self._check_fitted()
        for batch in batches(documents):
            yield from self.predict_batch(batch)

    def predict_batch(self, batch: Sequence[Document]) -> list[Document | FailedDocument]:
        """Return the results of `predict_each` for a single batch of documents."""
        try:
            return list(self._found(batch))
        except Exception as error:
            if len(batch) > 1:
                return [result for document in batch for result in self.predict_batch([document])]
            # The message may quote the document, so only the type of the error is reported.
            known = isinstance(error, DocumentError)
            problem = error.problem if known else f"failed with {type(error).__name__}"  # type: ignore[attr-defined]
            return [FailedDocument(batch[0].id, problem)]

    def votes(self, documents: Sequence[Document]) -> list[Votes]:
        """Return the base systems that found each span by themselves.

        A system votes for a span if it gives one of its tokens the same label. In a
        Mega model only rule systems vote, since the others are not fitted.

        Parameters
        ----------
        documents : sequence of Document
            With the spans to vote on, as `predict` returns them.

        Returns
        -------
        list of tuple of tuple of str
            For each span of each document, the names of the systems.
        """
        self._check_fitted()
        tokens = TokenTable.from_documents(documents)
        scores = dict(zip(self.taggers_, self._scorer().scores(tokens), strict=True))
        return count_votes(documents, tokens, scores, self.labels_)

    def with_votes(
        self, results: Sequence[Document | FailedDocument]
    ) -> list[Document | FailedDocument]:
        """Return results of `predict_batch` with the votes under ``"votes"`` in each `meta`."""
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
            Whether an existing model may be replaced.
        """
        self._check_fitted()
        with ModelWriter(path, self._info(), overwrite) as folder:
            for name, tagger in self.taggers_.items():
                place = folder / "systems" / name
                place.mkdir(parents=True)
                tagger.save(place)
            self._save(folder)

    def get_params(self) -> dict[str, Any]:
        """Return the constructor's parameters, except `n_jobs` and `progress`."""
        names = set(inspect.signature(type(self)).parameters) - _NOT_SAVED
        return {name: value for name, value in vars(self).items() if name in names}

    def __getstate__(self) -> dict[str, Any]:
        """Leave out compiled scorers, which are made again on demand."""
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
        """Return the tag of every token."""

    def _save(self, folder: Path) -> None:  # noqa: B027 (most learn nothing else)
        """Write the learned parameters, except those of the base systems."""

    def _load(self, folder: Path) -> None:  # noqa: B027
        """Read the parameters that `_save` wrote."""

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
    """Return a value with all mappings in it as dicts, for JSON."""
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
    """Yield documents, in order, in lists of at most about 500,000 characters."""
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
