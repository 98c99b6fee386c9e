"""What a model has found in notes is kept in a journal, and not looked for again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from multideid.deid.journal import Journal
from multideid.document import Document, Span
from multideid.evidence import EVIDENCE, Evidence
from multideid.redact.surrogates import patient_id
from multideid.site.patients import PATIENT

if TYPE_CHECKING:
    from multideid.stacking import FailedDocument

_Known = tuple[Document, bool]


class Predictor(Protocol):
    """Finds PHI; see `multideid.stacking.ParallelPredictor`."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The PHI labels of the model."""

    def predict_each(self, documents: Iterable[Document]) -> Iterator[Document | FailedDocument]:
        """Yield the documents in order, with predicted spans."""


class RememberingPredictor:
    """A predictor that asks a journal first. Documents that failed are tried again.

    Parameters
    ----------
    predictor : Predictor
    journal : Journal
    votes : bool
        Whether documents need the votes of base systems.

    Attributes
    ----------
    remembered : int
        Number of documents that the journal knew.
    """

    def __init__(self, predictor: Predictor, journal: Journal, votes: bool = False) -> None:
        self._predictor, self._journal, self._votes = predictor, journal, votes
        self.remembered = 0

    @property
    def labels(self) -> tuple[str, ...]:
        """The PHI labels of the model."""
        return self._predictor.labels

    def predict_each(self, documents: Iterable[Document]) -> Iterator[Document | FailedDocument]:
        """Yield the documents in order, with predicted spans."""
        # Groups, so that nobody waits for a new document while all are known.
        for is_known, group in groupby(map(self._remembered, documents), key=lambda pair: pair[1]):
            each = (document for document, _ in group)
            yield from each if is_known else self._predicted(each)

    def _remembered(self, document: Document) -> _Known:
        found = self._journal.found(self._digest(document))
        remembered = None if found is None else _with_findings(document, found, self._votes)
        self.remembered += remembered is not None
        return (document, False) if remembered is None else (remembered, True)

    def _predicted(self, documents: Iterable[Document]) -> Iterator[Document | FailedDocument]:
        for result in self._predictor.predict_each(documents):
            if isinstance(result, Document):
                self._journal.add(self._digest(result), _findings(result))
            yield result

    def _digest(self, document: Document) -> bytes:
        patient = patient_id(document.meta.get(PATIENT))
        # JSON encodes halves of characters too.
        return self._journal.digest(json.dumps([document.text, patient]).encode("ascii"))


def _findings(document: Document) -> str:
    """Return the spans, votes and evidence of a document as JSON, without any of its text."""
    from multideid.stacking.votes import VOTES

    evidence = document.meta.get(EVIDENCE, {})
    found = {
        "spans": document.spans,
        "votes": document.meta.get(VOTES),
        "evidence": [evidence.get(span) for span in document.spans] if evidence else None,
    }
    kept = {name: value for name, value in found.items() if value is not None}
    return json.dumps(kept, separators=(",", ":"), default=float)


def _with_findings(document: Document, found: str, votes: bool) -> Document | None:
    from multideid.stacking.votes import VOTES

    known = json.loads(found)
    spans = tuple(Span(*span) for span in known["spans"])
    if votes and VOTES not in known:
        return None
    meta = dict(document.meta)
    if votes:
        meta[VOTES] = tuple(map(tuple, known["votes"]))
    if "evidence" in known:
        pairs = zip(spans, known["evidence"], strict=True)
        meta[EVIDENCE] = {s: Evidence(e[0], tuple(e[1])) for s, e in pairs if e is not None}
    return replace(document, spans=spans, meta=meta)
