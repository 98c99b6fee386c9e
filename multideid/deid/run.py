"""Runs: texts are rewritten, and results and failures are counted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from multideid.deid.results import Failures
from multideid.document import Document
from multideid.redact import Replacer, replacements, spliced

if TYPE_CHECKING:
    from multideid.deid.report import Report
    from multideid.redact import VaultWriter
    from multideid.stacking import ParallelPredictor
    from multideid.stacking.fitting import Progress

NAME, PATIENT = "name", "patient"
"""Keys of `Document.meta`: a document's name wherever its file is, and its patient."""


class Throughput:
    """Tokens processed per second, since this object was made."""

    def __init__(self) -> None:
        self.tokens = 0
        self._start = perf_counter()

    def add(self, text: str) -> None:
        """Count the tokens of a processed text, which are separated by white space."""
        self.tokens += len(text.split())

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return perf_counter() - self._start

    def __str__(self) -> str:
        return f"{self._per_second():,} tokens/s"

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON values."""
        return {
            "tokens": self.tokens,
            "seconds": round(self.seconds, 3),
            "tokens_per_second": self._per_second(),
        }

    def _per_second(self) -> int:
        return round(self.tokens / max(self.seconds, 1e-9))


@dataclass(slots=True, kw_only=True)
class Run(ABC):
    """Rewrites texts and counts the results.

    Parameters
    ----------
    progress : callable, optional
        Called with ``(done, total, description)``.
    done : int
        Documents processed: files, or rows of tables.
    failures : Failures
    throughput : Throughput
    """

    reads_empty: ClassVar[bool] = False
    """Whether empty texts are documents too."""

    progress: Progress | None = None
    done: int = 0
    failures: Failures = field(default_factory=Failures)
    throughput: Throughput = field(default_factory=Throughput)

    @abstractmethod
    def rewrite_each(self, documents: Iterable[Document]) -> Iterator[tuple[str, str | None]]:
        """Yield id and new text of each document, in order; None for one that failed."""

    def advance(self, done: int, total: int, description: str) -> None:
        """Report progress."""
        if self.progress is not None:
            self.progress(done, total, f"{description}, {self.throughput}")

    def _count(self, document: Document) -> None:
        self.done += 1
        self.throughput.add(document.text)


@dataclass(slots=True, kw_only=True)
class Redaction(Run):
    """Finds PHI with a model and replaces it.

    Parameters
    ----------
    predictor : ParallelPredictor
    replacer : Replacer
    labels : Counter
        Number of replaced spans, by label.
    vault : VaultWriter, optional
    report : Report, optional
    """

    predictor: ParallelPredictor
    replacer: Replacer
    labels: Counter[str] = field(default_factory=Counter)
    vault: VaultWriter | None = None
    report: Report | None = None

    def rewrite_each(self, documents: Iterable[Document]) -> Iterator[tuple[str, str | None]]:
        """Yield id and text of each document with its PHI replaced."""
        for result in self.predictor.predict_each(documents):
            if isinstance(result, Document):
                yield result.id, self._replaced(result)
            else:
                self.failures.add(result.id, result.problem)
                yield result.id, None

    def _replaced(self, found: Document) -> str | None:
        # Surrogates and vault must not depend on how the user wrote the path.
        document = replace(found, id=str(found.meta.get(NAME, found.id)))
        try:
            new = replacements(document, self.replacer)
        except Exception as error:
            # The message may quote the document, so only the error's type is reported.
            self.failures.add(found.id, f"failed with {type(error).__name__}")
            return None
        self._count(document)
        self.labels.update(span.label for span in document.spans)
        if self.vault is not None:
            self.vault.add(document.id, document, new)
        if self.report is not None:
            self.report.add(document)
        return spliced(document, new)
