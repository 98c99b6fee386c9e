"""Runs: texts are rewritten, and results and failures are counted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from multideid.corpora.structure import ReadingOptions
from multideid.corpora.structured.slots import Change
from multideid.deid.record_text import FIELDS, RecordText, free_text, with_fields, without_spans
from multideid.deid.repeated_names import RepeatedFileNames
from multideid.deid.results import Failures
from multideid.document import Document, Span
from multideid.errors import failed_with
from multideid.redact.actions import Actions
from multideid.redact.modes import Replacer
from multideid.redact.redaction import replacements, spliced
from multideid.redact.vault import half_character

if TYPE_CHECKING:
    from collections.abc import Callable

    from multideid.deid.findings import Predictor
    from multideid.deid.report_records import Report, ReportMark
    from multideid.redact import VaultWriter
    from multideid.stacking.fitting import Progress

NAME = "name"
"""The key of `Document.meta` with a document's name wherever its file is."""


MEMBER = "member"
"""The key of `Document.meta` with the name of the file of an archive that a document is in."""


class Rewritten(NamedTuple):
    """The new text of a document, the changes that lead to it, and the document with its PHI.

    The document is None if there is nothing to count.
    """

    text: str
    changes: tuple[Change, ...]
    document: Document | None = None

    @property
    def spans(self) -> tuple[Span, ...]:
        """The PHI."""
        return () if self.document is None else self.document.spans

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"  # Without text.


class Mark(NamedTuple):
    """What was counted up to a place in a run, and the place in its report."""

    done: int
    labels: Counter[str]
    report: ReportMark | None = None


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
    private : bool
        Whether only the owner can read the files that are written; otherwise the
        process's umask decides.
    reading : ReadingOptions
        How files are read.
    done : int
        Documents written: files, records of files, or rows of tables.
    failures : Failures
    throughput : Throughput
    skipped : list of Path
        Hidden files in archives, which are not read.
    repeated : RepeatedFileNames
        Files whose names repeat PHI.
    """

    reads_empty: ClassVar[bool] = False
    """Whether empty texts are documents too."""

    finds_phi: ClassVar[bool] = False
    """Whether the run takes PHI away, so that what stays matters."""

    progress: Progress | None = None
    private: bool = True
    reading: ReadingOptions = field(default_factory=ReadingOptions)
    done: int = 0
    failures: Failures = field(default_factory=Failures)
    throughput: Throughput = field(default_factory=Throughput)
    skipped: list[Path] = field(default_factory=list)
    repeated: RepeatedFileNames = field(default_factory=RepeatedFileNames)

    @abstractmethod
    def rewrite_each(self, documents: Iterable[Document]) -> Iterator[tuple[str, Rewritten | None]]:
        """Yield id and new text of each document, in order; None for one that failed."""

    def wrote(self, name: str, text: str) -> bool:
        """Return whether a text is what an earlier run wrote for a document.

        Parameters
        ----------
        name : str
            As in the document's `meta`.
        text : str
        """
        return False

    def name_members(self, new: Mapping[str, str]) -> None:  # noqa: B027 (not all runs do)
        """Take the new names of the files of an archive, by the names before."""

    def name_before(self, name: str) -> str:
        """Return the name of a file of an archive before an earlier run changed it."""
        return name

    def count(self, new: Rewritten) -> None:
        """Count a document whose new text was written."""
        self.done += new.document is not None

    def mark(self) -> Mark:
        """Return what was counted up to now."""
        return Mark(self.done, Counter())

    def return_to(self, mark: Mark) -> None:
        """Count nothing that came after a mark, since it is not written after all."""
        self.done = mark.done

    def advance(self, done: int, total: int, description: str) -> None:
        """Report progress."""
        if self.progress is not None:
            self.progress(done, total, f"{description}, {self.throughput}")


def _no_refusal(text: str) -> None:
    """Read every text."""


@dataclass(slots=True, kw_only=True)
class Redaction(Run):
    """Finds PHI with a model and replaces it.

    Parameters
    ----------
    predictor : Predictor
    replacer : Replacer
    labels : Counter
        Number of replaced spans, by label.
    label_of : callable
        Returns the model's label for the PHI class of a field.
    refusal_of : callable
        Returns why a text is not read, such as another language; None if it is.
    vault : VaultWriter, optional
    report : Report, optional
    """

    finds_phi: ClassVar[bool] = True

    predictor: Predictor
    replacer: Replacer
    labels: Counter[str] = field(default_factory=Counter)
    label_of: Callable[[str], str] = str
    refusal_of: Callable[[str], str | None] = _no_refusal
    vault: VaultWriter | None = None
    report: Report | None = None

    def rewrite_each(self, documents: Iterable[Document]) -> Iterator[tuple[str, Rewritten | None]]:
        """Yield id and text of each document with its PHI replaced."""
        for result in self.predictor.predict_each(documents):
            if isinstance(result, Document):
                yield result.id, self._replaced(result)
            else:
                self.failures.add(result.id, result.problem)
                yield result.id, None

    def name_members(self, new: Mapping[str, str]) -> None:
        """Take the new names of the files of an archive, for report and vault."""
        if self.report is not None:
            self.report.name(new)
        if self.vault is not None:
            self.vault.add_names({name: old for old, name in new.items() if name != old})

    def count(self, new: Rewritten) -> None:
        """Count a document, and add it to vault and report."""
        Run.count(self, new)
        if (document := new.document) is None:
            return
        self.labels.update(span.label for span in document.spans)
        if self.vault is not None:
            self.vault.add(document.id, document, [change.text for change in new.changes])
        if self.report is not None:
            self.report.add(document, document.meta.get(MEMBER))

    def mark(self) -> Mark:
        """Return what was counted up to now, and the place in the report."""
        report = None if self.report is None else self.report.mark()
        return Mark(self.done, self.labels.copy(), report)

    def return_to(self, mark: Mark) -> None:
        """Count and report nothing that came after a mark; the vault keeps it."""
        Run.return_to(self, mark)
        self.labels = mark.labels.copy()
        if self.report is not None and mark.report is not None:
            self.report.return_to(mark.report)

    def _replaced(self, found: Document) -> Rewritten | None:
        # Surrogates and vault must not depend on how the user wrote the path.
        document = replace(found, id=str(found.meta.get(NAME, found.id)))
        try:
            if problem := self.refusal_of(free_text(document)):
                self.failures.add(found.id, problem)
                return None
            document = self._without_kept(with_fields(document, self.label_of))
            changes = _changes(document, self.replacer)
        except Exception as error:
            self.failures.add(found.id, failed_with(error))
            return None
        new = [change.text for change in changes]
        if problem := self._problem(document, changes):
            self.failures.add(found.id, problem)
            return None
        self.throughput.add(document.text)
        return Rewritten(spliced(document, new), changes, document)

    def _without_kept(self, document: Document) -> Document:
        """Return a document without the spans that stay as they are."""
        if not isinstance(self.replacer, Actions):
            return document
        keeps = self.replacer.keeps_span
        return without_spans(document, lambda span: keeps(document, span))

    def _problem(self, document: Document, changes: Sequence[Change]) -> str | None:
        """Return why the changes of a document cannot be made."""
        if self.vault and FIELDS in document.meta and not all(c.text for c in changes):
            return "a vault cannot restore what is removed from such files; choose another --as"
        if self.vault is not None and document.id in self.vault:
            return "the vault has another document of this name; rename the file"
        place = half_character(document.text) if self.vault else None
        if place is not None:
            return f"half of a character at offset {place} cannot be restored; mend the text"
        return None


def _changes(document: Document, replacer: Replacer) -> tuple[Change, ...]:
    """Return the replacements of a document's spans, as its file can hold them."""
    pairs = zip(document.spans, replacements(document, replacer), strict=True)
    changes = (Change(span.start, span.end, text) for span, text in pairs)
    fields = document.meta.get(FIELDS)
    return tuple(fields.fitted(changes) if isinstance(fields, RecordText) else changes)
