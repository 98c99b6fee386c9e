"""Conformance suite: checks that a base tagger or plug-in keeps the contract."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from multideid.document import Document
from multideid.taggers.conformance.checks import CHECKS, FIRST_STEPS, FaultError
from multideid.taggers.conformance.subject import Subject, maker

__all__ = ["CheckResult", "ConformanceError", "check_tagger", "tagger_checks"]


class CheckResult(NamedTuple):
    """The outcome of one check.

    Parameters
    ----------
    name : str
        The checked requirement, in words.
    passed : bool
    message : str
        The fault and how to correct it; "" if the check passed.
    """

    name: str
    passed: bool
    message: str


class ConformanceError(AssertionError):
    """A tagger breaks the contract; `results` holds the failed checks."""

    def __init__(self, tagger: str, results: Sequence[CheckResult]) -> None:
        self.results = tuple(results)
        lines = [f"- {result.name}: {result.message}" for result in results]
        super().__init__("\n".join([f"{tagger} breaks the contract of a base tagger:", *lines]))


def check_tagger(tagger: object, documents: Iterable[Document] = ()) -> None:
    """Check a base tagger or a span plug-in against the contract.

    Meant for the tests of a plug-in. Trains on a dozen synthetic notes with
    doctors, dates and phone numbers, and on `documents`.

    Parameters
    ----------
    tagger : class or object
        A `BaseTagger` class that needs no parameters, an unfitted `BaseTagger`,
        or a class or object with ``tag(document)``.
    documents : iterable of Document, optional
        Documents with gold spans in which the tagger should find PHI. Needed
        if it finds none in the synthetic notes.

    Raises
    ------
    ConformanceError
        With the name of every failed check, the fault and how to correct it.
    UsageError
        If `tagger` is none of these, or `documents` have no gold spans.

    Examples
    --------
    >>> import re
    >>> from multideid import Document, Span
    >>> class Badge:
    ...     name, summary = "badge", "Badge numbers such as B-1234."
    ...     def tag(self, document):
    ...         return [Span(*m.span(), "ID") for m in re.finditer(r"B-[0-9]{4}", document.text)]
    >>> check_tagger(Badge, [Document("1", "Badge B-1234.", (Span(6, 12, "ID"),))])
    """
    failed = [result for result in tagger_checks(tagger, documents) if not result.passed]
    if failed:
        kind = tagger if isinstance(tagger, type) else type(tagger)
        raise ConformanceError(kind.__name__, failed)


def tagger_checks(tagger: object, documents: Iterable[Document] = ()) -> list[CheckResult]:
    """Run the checks of `check_tagger` and return all results.

    If a tagger cannot be constructed or fitted, the checks that depend on it
    are left out.
    """
    subject = Subject(maker(tagger), documents)
    results: list[CheckResult] = []
    for check in CHECKS:
        result = _run(check, subject)
        results.append(result)
        if check in FIRST_STEPS and not result.passed:
            break
    return results


def _run(check: Callable[[Subject], None], subject: Subject) -> CheckResult:
    name = check.__name__.strip("_").replace("_", " ")
    try:
        check(subject)
    except FaultError as found:
        return CheckResult(name, False, str(found))
    except Exception as error:
        return CheckResult(name, False, f"raised {type(error).__name__}: {error}")
    return CheckResult(name, True, "")
