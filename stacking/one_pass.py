"""What a model finds in documents, with scores and votes, from a single reading of the text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from multideid.arrays import IntArray
from multideid.document import Document, FailedDocument
from multideid.errors import DocumentError, failed_with, is_ours
from multideid.evidence import votes_of, with_scores, with_votes, without_evidence
from multideid.stacking.decode import tags_to_spans
from multideid.stacking.failing_notes import results_of
from multideid.stacking.inputs import batch_of
from multideid.stacking.long_documents import found_in_parts, is_long
from multideid.stacking.pass_through import certain_spans, with_certain_spans
from multideid.stacking.reading import Reading
from multideid.stacking.span_evidence import SpanEvidence
from multideid.stacking.votes import ScoredSpans, Votes
from multideid.text.bio import TokenLabels, bio_names
from multideid.timing import stage


@dataclass(frozen=True, slots=True)
class Findings:
    """What a model finds in a document.

    Parameters
    ----------
    document : Document
        With the spans.
    scores : tuple of float or None
        One per span, as `Deidentifier.span_scores` returns them.
    votes : tuple of tuple of str
        One per span, as `Deidentifier.votes`; empty if they were not asked for.
    systems : mapping of str to tuple of (Span, float or None)
        As `Deidentifier.scored_system_spans`; empty if they were not asked for.
    """

    document: Document
    scores: tuple[float | None, ...]
    votes: Votes = ()
    systems: Mapping[str, ScoredSpans] = field(default_factory=dict)

    def voted(self) -> Document:
        """Return the document with votes and scores, as `Deidentifier.with_votes` does."""
        return with_votes(with_scores(self.document, self.scores), self.votes)


class OnePass(SpanEvidence):
    """A de-identifier that reads each text once, whatever is asked of it."""

    @abstractmethod
    def _tags(self, reading: Reading) -> IntArray:
        """Return the tag of every token."""

    def predict_batch(self, batch: Sequence[Document]) -> list[Document | FailedDocument]:
        """Return the results of `predict_each` for a single batch of documents.

        One of more than 500,000 characters is divided into parts of at most so many, which
        bounds memory; words of one part count for another only near their border.
        """
        self._check_fitted()
        batch = batch_of(batch)
        short = [document for document in batch if not is_long(document)]
        found = iter(self._results(short) if short else ())
        return [self._predict_long(d) if is_long(d) else next(found) for d in batch]

    def read_batch(
        self, batch: Sequence[Document], *, votes: bool = False, systems: bool = False
    ) -> list[Findings | FailedDocument]:
        """Return what is found in a batch of documents, with scores.

        It is what `predict_batch`, `span_scores`, `votes` and `scored_system_spans` return, in a
        fraction of their time, since documents are read once. Only those of more than 500,000
        characters are read for each of them.

        Parameters
        ----------
        batch : sequence of Document
        votes, systems : bool
            Whether `Findings` have them.

        Returns
        -------
        list of Findings or FailedDocument
            A document of which anything cannot be computed has failed.
        """

        def read(documents: Sequence[Document]) -> list[Findings]:
            found, reading = self._read(documents)
            return self._findings(found, reading, votes, systems)

        def read_long(documents: Sequence[Document]) -> list[Findings | FailedDocument]:
            return [self._long_findings(document, votes, systems) for document in documents]

        self._check_fitted()
        batch = batch_of(batch)
        short = [document for document in batch if not is_long(document)]
        whole = iter(results_of(short, read, _problem) if short else ())
        return [
            results_of([document], read_long, _problem)[0] if is_long(document) else next(whole)
            for document in batch
        ]

    def _findings(
        self, found: Sequence[Document], reading: Reading, votes: bool, systems: bool
    ) -> list[Findings]:
        scores = self._scores_of_spans(found, reading)
        voted = self._votes(found, reading) if votes else [()] * len(found)
        said = self._system_spans(found, reading) if systems else [{} for _ in found]
        return [Findings(*parts) for parts in zip(found, scores, voted, said, strict=True)]

    def _long_findings(
        self, document: Document, votes: bool, systems: bool
    ) -> Findings | FailedDocument:
        found = self._predict_long(document)
        if isinstance(found, FailedDocument):
            return found
        (scores,) = self.span_scores([found])
        voted: Votes = votes_of(self._voted([found])[0]) if votes else ()
        said = self.scored_system_spans([found])[0] if systems else {}
        return Findings(found, scores, voted, said)

    def _predict_long(self, document: Document) -> Document | FailedDocument:
        return found_in_parts(document, lambda part: self._results([part])[0])

    def _results(self, batch: Sequence[Document]) -> list[Document | FailedDocument]:
        return results_of(batch, self._find, _problem)

    def _find(self, batch: Sequence[Document]) -> list[Document]:
        return self._read(batch)[0]

    def _read(self, batch: Sequence[Document]) -> tuple[list[Document], Reading]:
        with stage("tokens"):
            reading = self._reading(batch)
        tokens = reading.tokens
        with stage("certain finds"):
            certain = certain_spans(self.taggers_, tokens) if self.pass_through else []
        with stage("decisions"):
            tags = TokenLabels(self._tags(reading), bio_names(self.labels_))
        with stage("spans"):
            spans = tags_to_spans(tokens, tags)
            for passing in certain:
                spans = [with_certain_spans(*pair) for pair in zip(spans, passing, strict=True)]
        own = map(without_evidence, batch)
        found = [document.with_spans(s) for document, s in zip(own, spans, strict=True)]
        with stage("site"):
            return self._with_knowledge(reading, found), reading


def _problem(error: BaseException) -> str:
    if isinstance(error, DocumentError) and is_ours(error):
        return error.problem
    return failed_with(error)
