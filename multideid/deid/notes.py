"""Files of plain text, read and written anew."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from multideid.deid.jobs import Job
from multideid.deid.run import NAME, Run
from multideid.document import Document
from multideid.errors import CorpusError
from multideid.files import atomic_output

_BOM = "\ufeff"


def rewrite_notes(jobs: Sequence[Job], run: Run) -> None:
    """Write text files anew; what the run does not change stays byte for byte.

    A file that cannot be read or is not UTF-8 fails closed, and so does one
    that the run fails on: it is told of and not written.
    """
    waiting: deque[tuple[Job, str]] = deque()
    for _, text in run.rewrite_each(_read(jobs, run, waiting)):
        job, mark = waiting.popleft()
        if text is not None:
            with atomic_output(job.target) as stage:
                stage.write_bytes((mark + text).encode("utf-8"))
        run.advance(run.done + len(run.failures), len(jobs), "files")


def _read(jobs: Iterable[Job], run: Run, waiting: deque[tuple[Job, str]]) -> Iterator[Document]:
    """Yield the files' texts as they are asked for; add what belongs to each to `waiting`."""
    from multideid.corpora.source import read_text

    for job in jobs:
        name = str(job.source)
        try:
            mark, text = split_mark(read_text(job.source))
        except CorpusError as error:
            where = f"{error.where}: " if error.where else ""
            run.failures.add(name, f"{where}{error.problem}")
        else:
            waiting.append((job, mark))
            yield Document(name, text, meta={NAME: Path(job.name).as_posix()})


def split_mark(text: str) -> tuple[str, str]:
    """Return the byte order mark that begins `text`, or nothing, and the rest."""
    return (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)
