"""The base class of all de-identifiers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Self, overload

from multideid.arrays import FloatArray, IntArray
from multideid.document import Document, FailedDocument, Span, corpus_fingerprint
from multideid.errors import DocumentError, UsageError, is_ours
from multideid.evidence import with_scores
from multideid.redact.modes import Mode, Replacer
from multideid.redact.redaction import make_replacer, redact
from multideid.scoring.scorer import Scorer
from multideid.stacking.corpus_checks import check_corpus
from multideid.stacking.decode import tags_to_spans
from multideid.stacking.folds import Groups
from multideid.stacking.inputs import Column, Texts, annotated, read_notes
from multideid.stacking.pass_through import certain_spans, passing_labels, with_certain_spans
from multideid.stacking.site_knowledge import SiteKnowledge
from multideid.stacking.stored_model import StoredModel
from multideid.stacking.systems import SystemsEstimator
from multideid.stacking.votes import VOTES, Votes, count_votes, system_spans
from multideid.text.bio import TokenLabels, bio_names, corpus_labels, encode_bio
from multideid.text.table import TokenTable
from multideid.timing import stage

_BATCH_CHARACTERS = 500_000
_DOCUMENT_COST = 100  # In characters: even an empty document takes memory.


class Deidentifier(SiteKnowledge, StoredModel, SystemsEstimator):
    """Finds PHI in text with one or more base systems.

    It follows scikit-learn's conventions: `clone`, pipelines, cross-validation and searches
    work with it. It takes texts as strings, documents, lists and columns.

    Attributes
    ----------
    labels_ : tuple of str
        The PHI labels of the training corpus. Set by `fit`.
    taggers_ : dict of str to BaseTagger
        The fitted base systems. Set by `fit`.
    passing_labels_ : dict of str to tuple of str
        Labels of certain finds in classes that nobody annotated, each with the systems
        that find it; empty with ``pass_through=False``.
    """

    pass_through: bool

    @property
    def passing_labels_(self) -> dict[str, tuple[str, ...]]:
        """Labels of certain finds in classes that nobody annotated, with their systems."""
        self._check_fitted()
        return passing_labels(self.taggers_) if self.pass_through else {}

    @property
    def predicted_labels_(self) -> tuple[str, ...]:
        """All labels that predicted spans can have: `labels_` and `passing_labels_`."""
        return (*self.labels_, *self.passing_labels_)

    def fit(self, documents: Texts, y: object = None, *, groups: Groups = None) -> Self:
        """Learn from annotated documents.

        Parameters
        ----------
        documents : iterable of Document, or texts with `y`
            A list, or a pandas or polars Series.
        y : iterable, optional
            The gold spans of each text, as ``(start, end, label)``. Default: those of
            the documents.
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
            invalid for it, or something is neither a text nor a Document.

        Warns
        -----
        LabelWarning
            If labels of the corpus are unknown to multideid, as a misspelt one is. They
            are learned as they are.
        """
        corpus = annotated(documents, y)
        check_corpus(corpus)
        labels = corpus_labels(corpus)
        tokens = TokenTable.from_documents(corpus)
        gold = encode_bio(tokens, corpus, labels)
        if not gold.ids.any():
            raise UsageError("the corpus has no token to learn from: its spans are of white space")
        self.__dict__ = self._without_caches()
        self._fit(tokens, gold, groups)
        self.labels_ = labels
        self.corpus_ = corpus_fingerprint(corpus)
        return self

    @overload
    def predict(self, documents: str | Document) -> Document: ...  # type: ignore[overload-overlap]
    @overload
    def predict(self, documents: Column) -> Any: ...
    @overload
    def predict(self, documents: Iterable[str | Document]) -> list[Document]: ...

    def predict(self, documents: Texts) -> Any:
        """Return the documents with predicted spans.

        Existing spans of the documents are ignored and replaced.

        Parameters
        ----------
        documents : str, Document, iterable of them, or Series of pandas or polars
            Missing values of a Series stay.

        Returns
        -------
        Document, list of Document, or Series
            As given. A Series of pandas holds documents, one of polars lists of spans.

        Raises
        ------
        DocumentError
            If a document cannot be processed.
        UsageError
            If something is neither a text nor a Document.
        """
        notes = read_notes(documents)
        return notes.arrange(self._predicted(notes.documents))

    def _predicted(self, documents: Iterable[Document]) -> list[Document]:
        found = []
        for document in self.predict_each(documents):
            if isinstance(document, FailedDocument):
                raise DocumentError(document.id, document.problem)
            found.append(document)
        return found

    def score(self, documents: Texts, y: object = None) -> float:
        """Return the F1 of spans: start, end and label must be those of the gold.

        Parameters
        ----------
        documents, y
            As for `fit`.

        Returns
        -------
        float
            From 0 to 1; 1 if there are neither gold nor predicted spans.
        """
        gold = annotated(documents, y)
        pairs = list(zip(gold, self._predicted(gold), strict=True))
        right = sum(len({*g.spans} & {*found.spans}) for g, found in pairs)
        total = sum(len(g.spans) + len(found.spans) for g, found in pairs)
        return 2 * right / total if total else 1.0

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
            return [*self._find(batch)]
        except Exception as error:
            if len(batch) > 1:
                return [result for document in batch for result in self.predict_batch([document])]
            # The message may quote the document, so only the type of the error is reported.
            if isinstance(error, DocumentError) and is_ours(error):
                return [FailedDocument(batch[0].id, error.problem)]
            return [FailedDocument(batch[0].id, f"failed with {type(error).__name__}")]

    def votes(self, documents: Sequence[Document]) -> list[Votes]:
        """Return the base systems that found each span by themselves.

        A system votes for a span if it gives one of its tokens the same label. In a
        Mega model only systems without feature templates vote; the others are not fitted.
        What a site knows votes too, under names such as ``"deny-list"``.

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
        return self._votes(documents, tokens, self._scorer().scores(tokens))

    def _votes(
        self, documents: Sequence[Document], tokens: TokenTable, scores: Sequence[FloatArray]
    ) -> list[Votes]:
        named = dict(zip(self.taggers_, scores, strict=True))
        return count_votes(documents, tokens, named, self.labels_, self.passing_labels_)

    def system_spans(self, documents: Sequence[Document]) -> list[dict[str, tuple[Span, ...]]]:
        """Return the spans that each base system would give by itself.

        Parameters
        ----------
        documents : sequence of Document
            Their spans are not used.

        Returns
        -------
        list of dict of str to tuple of Span
            For each document, by the names of the systems that vote; see `votes`.
        """
        self._check_fitted()
        tokens = TokenTable.from_documents(documents)
        scores = dict(zip(self.taggers_, self._scorer().scores(tokens), strict=True))
        return system_spans(tokens, scores, self.labels_)

    def span_scores(self, documents: Sequence[Document]) -> list[tuple[float | None, ...]]:
        """Return how probable it is that each span is PHI.

        Parameters
        ----------
        documents : sequence of Document
            With the spans, as `predict` returns them.

        Returns
        -------
        list of tuple of float or None
            For each span of each document, from 0 to 1: the mean over its tokens, calibrated
            out of fold; 1 for labels of `passing_labels_`. None if the model has no
            calibration: only Multi models have one.
        """
        self._check_fitted()
        return self._scores_of_spans(documents, TokenTable.from_documents(documents))

    def _scores_of_spans(
        self,
        documents: Sequence[Document],
        tokens: TokenTable,
        scores: Sequence[FloatArray] | None = None,
    ) -> list[tuple[float | None, ...]]:
        certain = self.passing_labels_
        found = self._span_scores(documents, tokens, scores)
        return [
            tuple(1.0 if s.label in certain else p for s, p in zip(d.spans, own, strict=True))
            for d, own in zip(documents, found, strict=True)
        ]

    def _span_scores(
        self,
        documents: Sequence[Document],
        tokens: TokenTable,
        scores: Sequence[FloatArray] | None,
    ) -> list[tuple[float | None, ...]]:
        """Return the score of each span; `scores` are those of the systems, if known."""
        return [(None,) * len(document.spans) for document in documents]

    def with_votes(
        self, results: Sequence[Document | FailedDocument]
    ) -> list[Document | FailedDocument]:
        """Return results of `predict_batch` with votes and scores of the spans.

        The `meta` of each document has the votes under ``"votes"`` and the scores under
        ``"evidence"``. A document whose votes cannot be counted has failed.
        """
        found = [r for r in results if isinstance(r, Document)]
        try:
            voted = iter(self._voted(found))
        except Exception as error:
            if len(results) > 1:
                return [one for r in results for one in self.with_votes([r])]
            problem = f"its votes cannot be counted: failed with {type(error).__name__}"
            return [FailedDocument(document.id, problem) for document in found]
        return [next(voted) if isinstance(r, Document) else r for r in results]

    def _voted(self, documents: Sequence[Document]) -> list[Document]:
        self._check_fitted()
        tokens = TokenTable.from_documents(documents)
        system_scores = self._scorer().scores(tokens)
        votes = self._votes(documents, tokens, system_scores)
        scores = self._scores_of_spans(documents, tokens, system_scores)
        scored = map(with_scores, documents, scores)
        pairs = zip(scored, votes, strict=True)
        return [replace(one, meta={**one.meta, VOTES: own}) for one, own in pairs]

    def spans(self, text: str) -> tuple[Span, ...]:
        """Return the PHI spans of a text."""
        return self.predict([Document("text", text)])[0].spans

    @overload
    def deidentify(  # type: ignore[overload-overlap]
        self, text: str | Document, mode: Mode | Replacer | None = ...
    ) -> str: ...
    @overload
    def deidentify(self, text: Column, mode: Mode | Replacer | None = ...) -> Any: ...
    @overload
    def deidentify(
        self, text: Iterable[str | Document], mode: Mode | Replacer | None = ...
    ) -> list[str]: ...

    def deidentify(self, text: Texts, mode: Mode | Replacer | None = None) -> Any:
        """Return text with its PHI replaced.

        Parameters
        ----------
        text : str, Document, iterable of them, or Series of pandas or polars
            Missing values of a Series stay, and so does its index.
        mode : str or Replacer, optional
            As `multideid.redact.redact`. Default: the actions of the site, if it has
            any, and else ``"mask"``.

        Returns
        -------
        str, list of str, or Series
            As given.

        Raises
        ------
        DocumentError, UsageError
            As for `predict`.
        """
        notes = read_notes(text)
        replacer = self._own_replacer() if mode is None else make_replacer(mode)
        found = self._predicted(notes.documents)
        return notes.arrange([redact(document, replacer) for document in found])

    def transform(self, documents: Texts) -> Any:
        """Return `deidentify(documents)`, for pipelines of scikit-learn."""
        return self.deidentify(documents)

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

    def _find(self, batch: Sequence[Document]) -> list[Document]:
        with stage("tokens"):
            tokens = TokenTable.from_documents(batch)
        with stage("certain finds"):
            certain = certain_spans(self.taggers_, tokens) if self.pass_through else []
        with stage("decisions"):
            tags = TokenLabels(self._tags(tokens), bio_names(self.labels_))
        with stage("spans"):
            spans = tags_to_spans(tokens, tags)
            for passing in certain:
                spans = [with_certain_spans(*pair) for pair in zip(spans, passing, strict=True)]
        found = [document.with_spans(s) for document, s in zip(batch, spans, strict=True)]
        with stage("site"):
            return self._with_knowledge(tokens, found)


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
