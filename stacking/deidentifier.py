"""The base class of all de-identifiers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from copy import copy
from typing import Any, Self, overload

from multideid.corpora.structured.coded_text import coded_problem
from multideid.document import Document, FailedDocument, Span, corpus_fingerprint
from multideid.errors import DocumentError, UsageError
from multideid.redact.modes import Mode, Replacer
from multideid.redact.redaction import make_replacer, redact
from multideid.stacking.corpus_checks import check_corpus
from multideid.stacking.failing_notes import patient_of
from multideid.stacking.folds import Groups
from multideid.stacking.grouping import UNGROUPED, Copies, Grouping, checked_copies
from multideid.stacking.inputs import Column, Texts, annotated, documents_of, read_notes
from multideid.stacking.long_documents import LONGEST
from multideid.stacking.one_pass import Findings, OnePass
from multideid.stacking.settings import check_settings, checked_groups
from multideid.stacking.systems import SystemsEstimator
from multideid.text.batching import in_batches
from multideid.text.bio import TokenLabels, corpus_labels, encode_bio
from multideid.text.table import TokenTable

_BATCH_CHARACTERS = LONGEST
_DOCUMENT_COST = 100  # In characters: even an empty document takes memory.


class Deidentifier(SystemsEstimator, OnePass):
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

    def fit(
        self,
        documents: Texts,
        y: object = None,
        *,
        groups: Groups = None,
        copies: Copies = None,
    ) -> Self:
        """Learn from annotated documents.

        Parameters
        ----------
        documents : iterable of Document, or texts with `y`
            A list, a pandas or polars Series, or a pyarrow array.
        y : iterable, optional
            The gold spans of each text, as ``(start, end, label)``, or as mappings with these
            keys, as in columns that `predict` returns. Default: those of the documents.
        groups : sequence of hashable, optional
            One value per document, none of them missing. Documents of equal value, such as
            versions of a note or notes of a hospital, share a fold, so that out-of-fold
            scores show how well systems do on other groups. Default: each document is a group.
        copies : sequence of bool, optional
            Which documents are augmented copies of others, such as `resynthesize` makes.
            Base systems learn from all documents, Multi's stacker and thresholds from those
            that are not copies. A copy needs the group of its original. Default: none.

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
        check_settings(self.get_params(deep=False))
        corpus = annotated(documents, y)
        check_corpus(corpus)
        groups = checked_groups(groups, len(corpus))
        copies = checked_copies(copies, len(corpus), groups)
        labels = corpus_labels(corpus)
        tokens = TokenTable.from_documents(corpus)
        gold = encode_bio(tokens, corpus, labels)
        if not gold.ids.any():
            raise UsageError("the corpus has no token to learn from: its spans are of white space")
        # A fit that ends with an error leaves the model as it was.
        fitted = copy(self)
        fitted._fit(tokens, gold, Grouping(groups, copies))
        fitted.labels_ = labels
        fitted.corpus_ = corpus_fingerprint(corpus)
        self.__dict__ = vars(fitted)
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
        documents : str, Document, iterable of them, or column
            A column is a Series of pandas or polars, or an array of pyarrow; its missing
            values stay.

        Returns
        -------
        Document, list of Document, or column
            As given. A Series of pandas holds documents, other columns lists of spans, also if all
            values are missing.

        Raises
        ------
        DocumentError
            If a document cannot be processed.
        UsageError
            If something is neither a text nor a Document.
        """
        notes = read_notes(documents)
        return notes.of_documents(self._predicted(notes.documents))

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

    def predict_each(
        self, documents: Iterable[str | Document]
    ) -> Iterator[Document | FailedDocument]:
        """Yield the documents in order, with predicted spans.

        Documents are processed in batches of about 500,000 characters, the notes of a
        patient that follow one another in one batch. A document that cannot be processed
        is yielded as a `FailedDocument`, without effect on the spans of others; those of
        its patient agree with one another, but not with it. Ids of strings are their places.
        """
        self._check_fitted()
        for batch in batches(documents_of(documents)):
            yield from self.predict_batch(batch)

    def read_each(self, documents: Iterable[str | Document]) -> Iterator[Findings | FailedDocument]:
        """Yield what is found in each document, in order, with scores.

        The texts are read once, for `predict_each` and `span_scores` together; see `read_batch`.
        """
        self._check_fitted()
        for batch in batches(documents_of(documents)):
            yield from self.read_batch(batch)

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
        text : str, Document, iterable of them, or column
            Missing values of a column stay, and so does its index.
        mode : str or Replacer, optional
            As `multideid.redact.redact`. Default: the actions of the site, if it has
            any, and else ``"mask"``.

        Returns
        -------
        str, list of str, or column
            As given.

        Raises
        ------
        DocumentError
            If a document cannot be processed, or holds letters as codes (``M=C3=BCller``) or
            encoded data, in which names are torn or hidden; `predict` reads such text as it is.
        UsageError
            As for `predict`.
        """
        notes = read_notes(text)
        _refuse_coded(notes.documents)
        replacer = self._own_replacer() if mode is None else make_replacer(mode)
        found = self._predicted(notes.documents)
        return notes.of_texts([redact(document, replacer) for document in found])

    def transform(self, documents: Texts) -> Any:
        """Return `deidentify(documents)`, for pipelines of scikit-learn."""
        return self.deidentify(documents)

    @abstractmethod
    def _fit(self, tokens: TokenTable, labels: TokenLabels, grouping: Grouping = UNGROUPED) -> None:
        """Learn from tokens and gold tags; set `taggers_`."""


def _refuse_coded(documents: Iterable[Document]) -> None:
    """Raise where a text cannot be given out, since nobody can say whether it holds PHI."""
    for document in documents:
        if (problem := coded_problem(document.text)) is not None:
            raise DocumentError(document.id, problem)


def batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Yield documents, in order, in lists of at most about 500,000 characters.

    Notes of a patient that follow one another are in one list if they fit, so that they can agree.
    """
    return in_batches(documents, _size, _BATCH_CHARACTERS, patient_of)


def _size(document: Document) -> int:
    return len(document.text) + _DOCUMENT_COST
