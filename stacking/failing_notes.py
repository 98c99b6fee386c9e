"""A batch of which a note fails: that note fails alone, and the others agree as without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from multideid.document import Document, FailedDocument
from multideid.redact.surrogates import patient_id
from multideid.site.patients import PATIENT

T = TypeVar("T")


def results_of(
    batch: Sequence[Document],
    find: Callable[[Sequence[Document]], Sequence[T | FailedDocument]],
    problem_of: Callable[[BaseException], str],
    errors: type[BaseException] = Exception,
) -> list[T | FailedDocument]:
    """Return the results of a batch; documents that cannot be processed alone have failed.

    If the batch fails, each document is processed alone; if notes of one patient are left,
    which agree with one another, all that are left are processed together again. If that
    fails too, each patient's are, and those that still fail keep the results that they had
    alone. So a document is processed four times at most, however many fail.

    Parameters
    ----------
    batch : sequence of Document
    find : callable
        Returns the results of documents, such as documents with spans, or raises an error.
    problem_of : callable
        Returns the problem of a document from the error that it raises.
    errors : type of exception
        The errors on which a document fails.
    """
    try:
        return [*find(batch)]
    except errors as error:
        if len(batch) == 1:
            return [FailedDocument(batch[0].id, problem_of(error))]
    alone = [result for d in batch for result in results_of([d], find, problem_of, errors)]
    return _together_again(batch, alone, find, errors)


def patient_of(document: Document) -> str | None:
    """Return the patient of a document, if it is known."""
    return patient_id(document.meta.get(PATIENT)) or None


def _together_again(
    batch: Sequence[Document],
    alone: Sequence[T | FailedDocument],
    find: Callable[[Sequence[Document]], Sequence[T | FailedDocument]],
    errors: type[BaseException],
) -> list[T | FailedDocument]:
    results = [*alone]

    def has_found(places: Sequence[int]) -> bool:
        try:
            found = find([batch[n] for n in places])
        except errors:
            return False
        for n, result in zip(places, found, strict=True):
            if not isinstance(result, FailedDocument):
                results[n] = result
        return True

    left = [n for n, result in enumerate(alone) if not isinstance(result, FailedDocument)]
    patients = _of_one_patient(batch, left)
    if patients and not has_found(left) and patients != [left]:
        for places in patients:
            has_found(places)
    return results


def _of_one_patient(batch: Sequence[Document], places: Sequence[int]) -> list[list[int]]:
    """Return the places of documents, for each patient of whom there are several."""
    found: dict[str, list[int]] = {}
    for n in places:
        if (patient := patient_of(batch[n])) is not None:
            found.setdefault(patient, []).append(n)
    return [own for own in found.values() if len(own) > 1]
