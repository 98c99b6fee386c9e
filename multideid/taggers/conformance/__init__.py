"""A conformance suite that tells the author of a base tagger what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from multideid.taggers.conformance.checks import CHECKS, FIRST_STEPS, FaultError
from multideid.taggers.conformance.subject import Subject, maker

__all__ = ["CheckResult", "ConformanceError", "check_tagger", "tagger_checks"]


class CheckResult(NamedTuple):
    """The outcome of one check.

    Parameters
    ----------
    name : str
        What is checked, in words.
    passed : bool
    message : str
        What is wrong and what to do; "" where nothing is.
    """

    name: str
    passed: bool
    message: str


class ConformanceError(AssertionError):
    """A tagger that breaks the contract; `results` holds the checks that failed."""

    def __init__(self, tagger: str, results: Sequence[CheckResult]) -> None:
        self.results = tuple(results)
        lines = [f"- {result.name}: {result.message}" for result in results]
        super().__init__("\n".join([f"{tagger} breaks the contract of a base tagger:", *lines]))


def check_tagger(tagger: object) -> None:
    """Check a base tagger or a span plug-in against the contract.

    Meant for a plug-in's own tests; it trains on a dozen made-up notes.

    Parameters
    ----------
    tagger : class or object
        A `BaseTagger` class that needs no parameters, an unfitted `BaseTagger`,
        or a class or object with ``tag(document)``.

    Raises
    ------
    ConformanceError
        With the name of every check that failed, what is wrong and what to do.
    UsageError
        If `tagger` is nothing of these.

    Examples
    --------
    >>> import re
    >>> from multideid import Span
    >>> class Badge:
    ...     name, summary = "badge", "Badge numbers such as B-1234."
    ...     def tag(self, document):
    ...         return [Span(*m.span(), "ID") for m in re.finditer(r"B-[0-9]{4}", document.text)]
    >>> check_tagger(Badge)
    """
    failed = [result for result in tagger_checks(tagger) if not result.passed]
    if failed:
        kind = tagger if isinstance(tagger, type) else type(tagger)
        raise ConformanceError(kind.__name__, failed)


def tagger_checks(tagger: object) -> list[CheckResult]:
    """Run the checks of `check_tagger` and return all their results.

    Where a tagger cannot even be made or fitted, the checks that need it are
    left out.
    """
    subject = Subject(maker(tagger))
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
