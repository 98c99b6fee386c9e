"""Reading, writing and converting corpora of any format."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from multideid.arguments import as_path, invalid
from multideid.corpora.contract import Format
from multideid.corpora.output import Output, atomic_corpus_output
from multideid.corpora.registry import (
    corpus_format,
    detect_format,
    format_names,
    formats_keeping,
)
from multideid.corpora.reports import CorpusWarning, OnReport, Report, Tally
from multideid.corpora.source import require_path, unreadable
from multideid.document import Document, FailedDocument
from multideid.errors import CorpusError, DocumentsFailedError
from multideid.files import read_meanwhile, remove_stale
from multideid.meta_fields import field_names


def read_corpus(
    path: Path | str,
    format: str | None = None,
    *,
    on_report: OnReport | None = None,
    **options: str,
) -> list[Document]:
    """Read all documents of a corpus.

    Parameters
    ----------
    path : Path or str
        A file or folder.
    format : str, optional
        One of `format_names`. Default: recognised from the content.
    on_report : callable, optional
        Called with a `Report` for each document with an irregularity that was
        resolved by a rule (overlapping or discontinuous spans). Default: a
        `CorpusWarning` with the counts, without any text.
    **options
        Options of the format, such as ``text_column`` for tables.

    Returns
    -------
    list of Document
        At least one; ids are unique.

    Raises
    ------
    CorpusError
        If the corpus is empty, malformed or unreadable. The message is one
        line with file, position and problem.
    UsageError
        If the format or an option is unknown.
    """
    return list(iter_corpus(path, format, on_report=on_report, **options))


def iter_corpus(
    path: Path | str,
    format: str | None = None,
    *,
    on_report: OnReport | None = None,
    **options: str,
) -> Iterator[Document]:
    """Yield the documents of a corpus one at a time; otherwise as `read_corpus`.

    Nothing is read, and no error raised, before the first document is requested.
    """
    place = require_path(as_path("the corpus", path))
    reader = corpus_format(format or detect_format(place), options)
    tally = Tally()
    try:
        yield from _distinct(place, reader.read(place, on_report or tally, **options))
    except OSError as error:
        # A plug-in may leave it to us.
        raise unreadable(place, error) from None
    tally.warn(place)


def _distinct(path: Path, documents: Iterable[Document]) -> Iterator[Document]:
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            raise CorpusError(path, "this id occurs twice", f"document {document.id!r}")
        seen.add(document.id)
        yield document
    if not seen:
        raise CorpusError(path, "contains no documents")


def write_corpus(  # noqa: PLR0913 (all but three by name)
    documents: Iterable[Document | FailedDocument],
    path: Path | str,
    format: str,
    *,
    overwrite: bool = False,
    inputs: Iterable[Path | str] = (),
    private: bool = True,
    on_report: OnReport | None = None,
    **options: str,
) -> int:
    """Write a corpus atomically: either all of it or nothing.

    Parameters
    ----------
    documents : iterable of Document or FailedDocument
        At least one, with unique ids; consumed one at a time. Of one that failed nothing stays.
    path : Path or str
        The file or folder to create.
    format : str
        One of `format_names`.
    overwrite : bool
        Allow `path` to exist: a file is replaced, as are files of the same names in a folder.
    inputs : iterable of Path or str
        Files and folders that are never overwritten.
    private : bool
        Whether only the owner can read what is written, or else the process's umask decides.
    on_report : callable, optional
        As `read_corpus`; also called if the format cannot hold spans or fields of ``meta``.
    **options
        Options of the format.

    Returns
    -------
    int
        The number of documents written.

    Raises
    ------
    CorpusError
        If the path exists or is not writable, ids repeat, there are no
        documents, or the format cannot represent one.
    DocumentsFailedError
        If all documents failed.
    UsageError
        If the format or an option is unknown, or another run writes to the path.
    """
    target = as_path("the corpus to write", path)
    writer = corpus_format(format, options)
    tally, counter = Tally(), _Counter()
    protected = [Path(p) for p in inputs]
    opened = atomic_corpus_output(
        target, folder=writer.folder, overwrite=overwrite, inputs=protected, private=private
    )
    with opened as output, _without_stale(output, counter.failed, writer):
        whole = _distinct(target, counter.count(documents))
        told = _with_lost_fields(whole, writer, target, on_report)
        writer.write(told, output, on_report or tally, **options)
    tally.warn(target)
    return counter.total


@contextmanager
def _without_stale(output: Output, failed: Sequence[str], writer: Format) -> Iterator[None]:
    """Remove older output of documents that failed, once it is known which have."""
    try:
        yield
    except DocumentsFailedError:
        output.remove_stale(failed, writer.suffixes)
        if writer.folder:
            output.remove_files(writer.files)
        else:
            remove_stale(output.target)
        raise
    output.remove_stale(failed, writer.suffixes)


class _Counter:
    def __init__(self) -> None:
        self.total = 0
        self.failed: list[str] = []

    def count(self, documents: Iterable[Document | FailedDocument]) -> Iterator[Document]:
        if not isinstance(documents, Iterable):
            raise invalid("the corpus", "a list of Documents", documents, is_private=True)
        for document in read_meanwhile(documents):
            if isinstance(document, FailedDocument):
                self.failed.append(document.id)
            elif isinstance(document, Document):
                self.total += 1
                yield document
            else:
                raise invalid("each element of the corpus", "a Document", document, is_private=True)
        if self.failed and not self.total:
            raise DocumentsFailedError("every document failed; nothing was written")


def convert(  # noqa: PLR0913 (all but three by name)
    source: Path | str,
    target: Path | str,
    to: str,
    *,
    format: str | None = None,
    overwrite: bool = False,
    private: bool = True,
    on_report: OnReport | None = None,
    read_options: Mapping[str, str] | None = None,
    write_options: Mapping[str, str] | None = None,
) -> int:
    """Write the corpus at `source` to `target` in the format `to`.

    Text and offsets stay exactly the same.

    Parameters
    ----------
    source, target : Path or str
    to : str
        One of `format_names`.
    format : str, optional
        Format of the source. Default: recognised from the content.
    overwrite : bool
        As `write_corpus`; the source is never overwritten.
    private : bool
        As `write_corpus`.
    on_report : callable, optional
        As `read_corpus` and `write_corpus`.
    read_options, write_options : mapping, optional
        Options of the two formats.

    Returns
    -------
    int
        The number of documents written.

    Raises
    ------
    CorpusError, UsageError
        As `read_corpus` and `write_corpus`.
    """
    return write_corpus(
        iter_corpus(source, format, on_report=on_report, **(read_options or {})),
        target,
        to,
        overwrite=overwrite,
        inputs=[source],
        private=private,
        on_report=on_report,
        **(write_options or {}),
    )


def _with_lost_fields(
    documents: Iterable[Document], writer: Format, target: Path, on_report: OnReport | None
) -> Iterator[Document]:
    """Yield documents, and report those that have fields which their new format does not keep."""
    own = {*format_names()}  # What a format needs to write a document again is under its name.
    report = on_report or _WarningOfFields(writer.name, target)
    for document in documents:
        lost = set() if writer.meta else set(field_names(document)) - own
        if lost:
            report(Report(document.id, "fields not written", len(lost)))
        yield document


class _WarningOfFields:
    """Warns of the first document with fields, since hours of prediction may be to come."""

    def __init__(self, to: str, target: Path) -> None:
        self._to, self._target = to, target
        self._has_warned = False

    def __call__(self, report: Report) -> None:
        if not self._has_warned:
            self._has_warned = True
            others = ", ".join(formats_keeping("meta"))
            warnings.warn(
                f"{self._target}: fields of meta are not written: the format {self._to} has no "
                f"place for them; these have: {others}",
                CorpusWarning,
                stacklevel=2,
            )
