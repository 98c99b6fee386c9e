"""Documents with text as codes, such as ``M=C3=BCller``, are refused, as `multideid deid` does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from multideid.corpora.structured.coded_text import coded_problem
from multideid.document import Document, FailedDocument

Result = TypeVar("Result")


class RefusedDocument(FailedDocument):
    """A document that was not given to the model, since its names may be torn or hidden."""


def found_in_readable(
    documents: Sequence[Document], find: Callable[[Sequence[Document]], Iterable[Result]]
) -> Iterator[Result | RefusedDocument]:
    """Yield the result of each document, in order; those with text as codes are refused.

    Parameters
    ----------
    documents : sequence of Document
    find : callable
        Returns the results of the other documents, in order.
    """
    refused = [_refused(document) for document in documents]
    pairs = zip(documents, refused, strict=True)
    readable = [document for document, problem in pairs if problem is None]
    found = iter(find(readable) if readable else ())
    for problem in refused:
        yield next(found) if problem is None else problem


def _refused(document: Document) -> RefusedDocument | None:
    problem = coded_problem(document.text)
    return None if problem is None else RefusedDocument(document.id, problem)
