"""What a fitted model says of its spans: which systems found them, and how probable they are."""

from __future__ import annotations

from collections.abc import Sequence

from multideid.arrays import FloatArray
from multideid.document import Document, FailedDocument, Span
from multideid.errors import failed_with
from multideid.evidence import evidence_of, with_evidence, with_scores, with_votes
from multideid.lazy import lazy
from multideid.scoring.scorer import Scorer
from multideid.stacking.inputs import batch_of
from multideid.stacking.long_documents import is_long, parts_with_spans, system_spans_in_parts
from multideid.stacking.pass_through import passing_labels
from multideid.stacking.reading import Reading
from multideid.stacking.site_knowledge import SiteKnowledge
from multideid.stacking.stored_model import StoredModel
from multideid.stacking.votes import (
    ScoredSpans,
    Votes,
    count_votes,
    system_spans,
    without_margins,
    without_scores,
)
from multideid.text.table import TokenTable


class SpanEvidence(SiteKnowledge, StoredModel):
    """A de-identifier that names the systems that found a span, and gives its score.

    Attributes
    ----------
    passing_labels_ : dict of str to tuple of str
        Labels of certain finds in classes that nobody annotated, with their systems.
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
        documents = batch_of(documents)
        if any(map(is_long, documents)):
            return [self._votes_in_parts(document) for document in documents]
        return self._votes(documents, self._reading(documents))

    def _votes_in_parts(self, document: Document) -> Votes:
        parts = parts_with_spans(document) if is_long(document) else [document]
        return tuple(names for part in parts for names in self.votes([part])[0])

    def _votes(self, documents: Sequence[Document], reading: Reading) -> list[Votes]:
        scores = self._named_scores(reading)
        return count_votes(documents, reading.tokens, scores, self.labels_, self.passing_labels_)

    def _named_scores(self, reading: Reading) -> dict[str, FloatArray]:
        return dict(zip(self.taggers_, reading.scores, strict=True))

    def system_spans(self, documents: Sequence[Document]) -> list[dict[str, tuple[Span, ...]]]:
        """Return the spans that each base system would give by itself.

        What a site knows has spans too, under names such as ``"known-values"``.

        Parameters
        ----------
        documents : sequence of Document
            Their spans are not used.

        Returns
        -------
        list of dict of str to tuple of Span
            For each document, by the names of the systems that vote; see `votes`.
        """
        return [without_margins(said) for said in self.scored_system_spans(documents)]

    def scored_system_spans(self, documents: Sequence[Document]) -> list[dict[str, ScoredSpans]]:
        """Return the spans that each base system would give by itself, with its margins.

        Parameters
        ----------
        documents : sequence of Document
            Their spans are not used.

        Returns
        -------
        list of dict of str to tuple of (Span, float or None)
            As `system_spans`, and by how much the system scores the span's label above "no
            PHI", in the mean over its tokens. Margins of one system can be compared,
            those of two cannot: they are log odds, distances, or 1 for a rule. None for what a
            site knows.
        """
        self._check_fitted()
        documents = batch_of(documents)
        short = [document for document in documents if not is_long(document)]
        said = iter(self._system_spans(short, self._reading(short)) if short else ())
        return [
            system_spans_in_parts(d, self._system_spans_of) if is_long(d) else next(said)
            for d in documents
        ]

    def _system_spans_of(self, part: Document) -> dict[str, ScoredSpans]:
        return self._system_spans([part], self._reading([part]))[0]

    def _system_spans(
        self, documents: Sequence[Document], reading: Reading
    ) -> list[dict[str, ScoredSpans]]:
        own = system_spans(reading.tokens, self._named_scores(reading), self.labels_)
        site = self._said_by_site(reading, documents)
        return [said | without_scores(known) for said, known in zip(own, site, strict=True)]

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
        documents = batch_of(documents)
        if not any(document.spans for document in documents):
            return [() for _ in documents]  # The systems need not read them again.
        if any(map(is_long, documents)):
            return [self._scores_in_parts(document) for document in documents]
        return self._scores_of_spans(documents, self._reading(documents))

    def _scores_in_parts(self, document: Document) -> tuple[float | None, ...]:
        parts = parts_with_spans(document) if is_long(document) else [document]
        return tuple(score for part in parts for score in self.span_scores([part])[0])

    def _scores_of_spans(
        self, documents: Sequence[Document], reading: Reading
    ) -> list[tuple[float | None, ...]]:
        if not any(document.spans for document in documents):
            return [() for _ in documents]
        certain = self.passing_labels_
        found = self._calibrated_scores(documents, reading)
        return [
            tuple(1.0 if s.label in certain else p for s, p in zip(d.spans, own, strict=True))
            for d, own in zip(documents, found, strict=True)
        ]

    def _calibrated_scores(
        self, documents: Sequence[Document], reading: Reading
    ) -> list[tuple[float | None, ...]]:
        """Return the score of each span of the documents that were read."""
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
            problem = f"its votes cannot be counted: {failed_with(error)}"
            return [FailedDocument(document.id, problem) for document in found]
        return [next(voted) if isinstance(r, Document) else r for r in results]

    def _voted(self, documents: Sequence[Document]) -> list[Document]:
        self._check_fitted()
        if any(map(is_long, documents)):
            return [self._voted_in_parts(document) for document in documents]
        reading = self._reading(documents)
        votes = self._votes(documents, reading)
        scores = self._scores_of_spans(documents, reading)
        return [*map(with_votes, map(with_scores, documents, scores), votes)]

    def _voted_in_parts(self, document: Document) -> Document:
        if not is_long(document):
            return self._voted([document])[0]
        voted = [self._voted([part])[0] for part in parts_with_spans(document)]
        evidence = (evidence_of(part, span) for part in voted for span in part.spans)
        return with_evidence(document, zip(document.spans, evidence, strict=True))

    def _reading(self, documents: Sequence[Document]) -> Reading:
        return self._reading_of(TokenTable.from_documents(documents))

    def _reading_of(self, tokens: TokenTable) -> Reading:
        return Reading(tokens, self._compiled_scorer)

    @lazy
    def _compiled_scorer(self) -> Scorer:
        return Scorer(list(self.taggers_.values()))
