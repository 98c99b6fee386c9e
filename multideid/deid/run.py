"""The state of a run over files, and how these are written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from multideid.cli.failures import Failures
from multideid.deid.throughput import Pace
from multideid.document import Document
from multideid.redact import Replacer, replacements, woven

if TYPE_CHECKING:
    from multideid.cli.progress import OnProgress
    from multideid.deid.report import Report
    from multideid.redact import VaultWriter
    from multideid.stacking import ParallelPredictor

NAME, PATIENT = "name", "patient"
"""Fields of `Document.meta`: what a document is called wherever its file lies, and whose it is."""


@dataclass(slots=True, kw_only=True)
class Run(ABC):
    """Texts that go out changed, with what has been done so far.

    Parameters
    ----------
    on_progress : callable, optional
    done : int
        Documents processed: files, or rows of tables.
    failures : Failures
    pace : Pace
    """

    reads_empty: ClassVar[bool] = False
    """Whether texts without a character are documents too."""

    on_progress: OnProgress | None = None
    done: int = 0
    failures: Failures = field(default_factory=Failures)
    pace: Pace = field(default_factory=Pace)

    @abstractmethod
    def rewrite_each(self, documents: Iterable[Document]) -> Iterator[tuple[str, str | None]]:
        """Yield id and new text of each document, in order; None for a text that failed.

        Those are told of, and counted among the failures.
        """

    def advance(self, done: int, total: int, what: str) -> None:
        """Move the progress bar, if there is one."""
        if self.on_progress is not None:
            self.on_progress(done, total, f"{what}, {self.pace}")

    def _count(self, document: Document) -> None:
        self.done += 1
        self.pace.add(document.text)


@dataclass(slots=True, kw_only=True)
class Redaction(Run):
    """A model at work, and what takes the place of the PHI that it finds.

    Parameters
    ----------
    workers : ParallelPredictor
        With the model.
    replacer : Replacer
    labels : Counter
        Spans replaced, by label.
    vault : VaultWriter, optional
    report : Report, optional
    """

    workers: ParallelPredictor
    replacer: Replacer
    labels: Counter[str] = field(default_factory=Counter)
    vault: VaultWriter | None = None
    report: Report | None = None

    def rewrite_each(self, documents: Iterable[Document]) -> Iterator[tuple[str, str | None]]:
        """Yield id and text of each document with its PHI replaced."""
        for result in self.workers.predict_each(documents):
            if isinstance(result, Document):
                yield result.id, self._replaced(result)
            else:
                self.failures.add(result.id, result.problem)
                yield result.id, None

    def _replaced(self, found: Document) -> str | None:
        # Surrogates and vault must not depend on how the user typed the path.
        document = replace(found, id=str(found.meta.get(NAME, found.id)))
        try:
            new = replacements(document, self.replacer)
        except Exception as error:
            # The message may quote the document, so only its kind is told.
            self.failures.add(found.id, f"failed with {type(error).__name__}")
            return None
        self._count(document)
        self.labels.update(span.label for span in document.spans)
        if self.vault is not None:
            self.vault.add(document.id, document, new)
        if self.report is not None:
            self.report.add(document)
        return woven(document, new)
