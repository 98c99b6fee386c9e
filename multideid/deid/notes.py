"""Files and streams of plain text: read, rewritten and written."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from multideid.deid.files import FileJob
from multideid.deid.run import NAME, Run
from multideid.document import Document
from multideid.errors import CorpusError
from multideid.files import atomic_output

_BOM = "\ufeff"


def rewrite_notes(jobs: Sequence[FileJob], run: Run) -> None:
    """Rewrite text files; bytes outside the changes stay.

    A file that cannot be read, is not UTF-8 or fails in the run is reported and
    not written.
    """
    waiting: deque[tuple[FileJob, str]] = deque()
    for _, text in run.rewrite_each(_read(jobs, run, waiting)):
        job, mark = waiting.popleft()
        if text is not None:
            with atomic_output(job.target) as path:
                path.write_bytes((mark + text).encode("utf-8"))
        run.advance(run.done + len(run.failures), len(jobs), "files")


def rewrite_stream(source: BinaryIO, target: BinaryIO, name: str, run: Run) -> None:
    """Rewrite a text; nothing is written if it is not UTF-8 or fails in the run."""
    mark = ""
    documents: list[Document] = []
    try:
        mark, text = _split_mark(source.read().decode("utf-8"))
        documents = [Document(name, text)]
    except UnicodeDecodeError as error:
        run.failures.add(name, f"byte {error.start}: not UTF-8; convert it to UTF-8")
    for _, new in run.rewrite_each(documents):
        if new is not None:
            target.write((mark + new).encode("utf-8"))
            target.flush()


def _read(
    jobs: Iterable[FileJob], run: Run, waiting: deque[tuple[FileJob, str]]
) -> Iterator[Document]:
    """Yield the text of each file, and append the job and byte order mark to `waiting`."""
    from multideid.corpora.source import read_text

    for job in jobs:
        name = str(job.source)
        try:
            mark, text = _split_mark(read_text(job.source))
        except CorpusError as error:
            where = f"{error.where}: " if error.where else ""
            run.failures.add(name, f"{where}{error.problem}")
        else:
            waiting.append((job, mark))
            yield Document(name, text, meta={NAME: Path(job.name).as_posix()})


def _split_mark(text: str) -> tuple[str, str]:
    """Return the byte order mark at the start of `text`, if any, and the rest."""
    return (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)
