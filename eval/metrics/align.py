"""Pair the documents of two corpora."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from multideid.document import Document, FailedDocument
from multideid.errors import UsageError

_LISTED_IDS = 5


class AlignmentError(UsageError):
    """The two corpora do not have the same documents."""


def align(
    gold: Iterable[Document], predicted: Iterable[Document], name: str = "predicted"
) -> tuple[tuple[Document, ...], tuple[Document, ...]]:
    """Pair the documents of two corpora by their ids.

    Parameters
    ----------
    gold, predicted : iterable of Document
        In any order.
    name : str
        Name of the predicted corpus in messages, such as the system's.

    Returns
    -------
    gold, predicted : tuples of Document
        Of equal length, both sorted by id.

    Raises
    ------
    AlignmentError
        If a corpus is empty, has an id twice, or holds anything but documents, such as
        one that failed; or if ids or texts differ. The message holds ids and offsets,
        never text.
    """
    left = _by_id(gold, "gold")
    right = _by_id(predicted, name)
    _check_same_ids(left, right, name)
    ids = sorted(left)
    for document_id in ids:
        _check_same_text(left[document_id], right[document_id], name)
    return tuple(left[i] for i in ids), tuple(right[i] for i in ids)


def _by_id(documents: Iterable[Document], name: str) -> dict[str, Document]:
    batch = list(documents)
    for place, document in enumerate(batch):
        _check_document(place, document, name)
    if not batch:
        raise AlignmentError(f"the {name} corpus has no documents; there is nothing to score")
    repeated = [i for i, n in Counter(d.id for d in batch).items() if n > 1]
    if repeated:
        raise AlignmentError(
            f"the {name} corpus has more than one document with the id {_listed(repeated)}; "
            "ids must be unique"
        )
    return {d.id: d for d in batch}


def _check_document(place: int, document: object, name: str) -> None:
    if isinstance(document, FailedDocument):
        raise AlignmentError(
            f"the {name} corpus has no spans for {document.id!r}, which failed: "
            f"{document.problem}; score the others, and say that it is left out"
        )
    if not isinstance(document, Document):
        kind = type(document).__name__
        raise AlignmentError(
            f"element {place} of the {name} corpus is of type {kind}; every one must be a Document"
        )


def _check_same_ids(gold: dict[str, Document], predicted: dict[str, Document], name: str) -> None:
    missing = [i for i in gold if i not in predicted]
    extra = [i for i in predicted if i not in gold]
    problems = []
    if missing:
        problems.append(f"the {name} corpus lacks {_listed(missing)}")
    if extra:
        problems.append(f"the gold corpus lacks {_listed(extra)}")
    if problems:
        raise AlignmentError(
            f"the corpora do not have the same documents: {'; '.join(problems)} "
            f"({len(gold)} gold documents, {len(predicted)} {name})"
        )


def _listed(ids: Sequence[str]) -> str:
    shown = ", ".join(repr(i) for i in sorted(ids)[:_LISTED_IDS])
    rest = len(ids) - _LISTED_IDS
    return f"{shown} and {rest} more" if rest > 0 else shown


def _check_same_text(gold: Document, predicted: Document, name: str) -> None:
    if gold.text != predicted.text:
        raise AlignmentError(
            f"document {gold.id!r}: the texts differ from character "
            f"{_first_difference(gold.text, predicted.text)} on ({len(gold.text)} characters in "
            f"the gold corpus, {len(predicted.text)} in the {name} one); "
            "predict on the gold texts, unchanged"
        )


def _first_difference(a: str, b: str) -> int:
    pairs = enumerate(zip(a, b, strict=False))
    return next((n for n, (x, y) in pairs if x != y), min(len(a), len(b)))
