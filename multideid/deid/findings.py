"""What a model has found in notes is kept in a journal, and not looked for again."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from multideid.deid.journal import Journal
from multideid.document import Document, Evidence, Span
from multideid.evidence import evidence_of, with_evidence
from multideid.redact.surrogates import patient_id
from multideid.site.patients import PATIENT
from multideid.site.site import Site, as_site

if TYPE_CHECKING:
    from multideid.stacking import FailedDocument


class _Note(NamedTuple):
    """A document, its digest, what is remembered of it, and whether its batch is one unit."""

    document: Document
    digest: bytes
    remembered: Document | None
    is_in_unit: bool = False

    @property
    def is_known(self) -> bool:
        return self.remembered is not None


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
    agreement : bool
        Whether notes of a patient may agree with one another. If so, a batch in which a patient
        has several notes is remembered as a whole: what is found in one follows from the others.

    Attributes
    ----------
    remembered : int
        Number of documents that the journal knew.
    """

    def __init__(
        self,
        predictor: Predictor,
        journal: Journal,
        votes: bool = False,
        agreement: bool = True,
    ) -> None:
        self._predictor, self._journal, self._votes = predictor, journal, votes
        self._agreement = agreement
        self.remembered = 0

    @property
    def labels(self) -> tuple[str, ...]:
        """The PHI labels of the model."""
        return self._predictor.labels

    def predict_each(self, documents: Iterable[Document]) -> Iterator[Document | FailedDocument]:
        """Yield the documents in order, with predicted spans."""
        # Groups, so that nobody waits for a new document while all are known. Units are by
        # themselves, so that the predictor's batches are those of a run in which nothing is known.
        notes = self._in_units(documents) if self._agreement else map(self._alone, documents)
        groups = groupby(notes, key=lambda note: (note.is_known, note.is_in_unit))
        for (is_known, _), group in groups:
            yield from self._known(group) if is_known else self._predicted(group)

    def _predicted(self, notes: Iterable[_Note]) -> Iterator[Document | FailedDocument]:
        digests: deque[bytes] = deque()

        def each() -> Iterator[Document]:
            for note in notes:
                digests.append(note.digest)
                yield note.document

        # Results are in order.
        for result in self._predictor.predict_each(each()):
            digest = digests.popleft()
            if isinstance(result, Document):
                self._journal.add(digest, _findings(result))
            yield result

    def _known(self, notes: Iterable[_Note]) -> Iterator[Document]:
        for note in notes:
            if note.remembered is not None:
                self.remembered += 1
                yield note.remembered

    def _in_units(self, documents: Iterable[Document]) -> Iterator[_Note]:
        from multideid.stacking.deidentifier import batches

        for batch in batches(documents):
            groups = _of_patients(batch)
            yield from self._unit(batch, groups) if groups else map(self._alone, batch)

    def _unit(
        self, batch: Sequence[Document], groups: Mapping[str, Sequence[Document]]
    ) -> Iterator[_Note]:
        """Yield the notes of a batch, of which all are known or none."""
        # With other notes of its patient, more or less may be found in a note.
        texts = {patient: [note.text for note in own] for patient, own in groups.items()}
        together = {patient: self._digest(own) for patient, own in texts.items()}
        notes = [self._note(d, together.get(_patient(d), b"")) for d in batch]
        is_known = all(note.is_known for note in notes)
        for note in notes:
            remembered = note.remembered if is_known else None
            yield note._replace(remembered=remembered, is_in_unit=True)

    def _alone(self, document: Document) -> _Note:
        return self._note(document, b"")

    def _note(self, document: Document, group: bytes) -> _Note:
        about = [document.text, _patient(document), *([group.hex()] if group else [])]
        digest = self._digest(about)
        found = self._journal.found(digest)
        known = None if found is None else _with_findings(document, found, self._votes)
        return _Note(document, digest, known)

    def _digest(self, content: Sequence[str]) -> bytes:
        # JSON encodes halves of characters too.
        return self._journal.digest(json.dumps(content).encode("ascii"))


def _patient(document: Document) -> str:
    return patient_id(document.meta.get(PATIENT))


def _of_patients(batch: Iterable[Document]) -> dict[str, list[Document]]:
    """Return the notes of each patient who has several."""
    groups: dict[str, list[Document]] = {}
    for document in batch:
        groups.setdefault(_patient(document), []).append(document)
    return {patient: own for patient, own in groups.items() if patient and len(own) > 1}


def has_agreement(site: Site | str | Path | None) -> bool:
    """Return whether a site, or its file, lets notes of a patient agree."""
    return site is not None and as_site(site).agreement


def _findings(document: Document) -> str:
    """Return the spans, votes and evidence of a document as JSON, without any of its text."""
    evidence = [evidence_of(document, span) for span in document.spans]
    has_votes = not any(one.votes is None for one in evidence)
    found = {
        "spans": document.spans,
        "votes": [one.votes for one in evidence] if has_votes else None,
        "evidence": [one[:2] for one in evidence],
    }
    kept = {name: value for name, value in found.items() if value is not None}
    return json.dumps(kept, separators=(",", ":"), default=float)


def _with_findings(document: Document, found: str, votes: bool) -> Document | None:
    """Return a document with what is known of it; None if the votes are not, and are needed."""
    known = json.loads(found)
    spans = [Span(*span) for span in known["spans"]]
    if votes and "votes" not in known:
        return None
    # Journals of older versions have no evidence where a model has no scores.
    evidence = known.get("evidence", [[None, []]] * len(spans))
    voted = map(tuple, known["votes"]) if votes else [None] * len(spans)
    triples = zip(spans, evidence, voted, strict=True)
    return with_evidence(document, ((s, Evidence(e[0], tuple(e[1]), v)) for s, e, v in triples))
