"""De-identifying files of plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from multideid.cli.deid_jobs import Job
from multideid.cli.deid_run import Run, written_whole
from multideid.corpora.source import read_text
from multideid.document import Document
from multideid.errors import CorpusError

_BOM = "\ufeff"


def redact_notes(jobs: Sequence[Job], run: Run) -> None:
    """De-identify text files; outside the spans they stay byte for byte.

    A file that cannot be read or is not UTF-8 fails closed, and so does one on
    which the model fails: it is told of and not written.
    """
    notes = _Notes(jobs, run)
    for name, text in run.redact_each(notes.read()):
        job, mark = notes.waiting.pop(name)
        with written_whole(job.target) as stage:
            stage.write_bytes((mark + text).encode("utf-8"))


def split_mark(text: str) -> tuple[str, str]:
    """Return the byte order mark that begins `text`, or nothing, and the rest."""
    return (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)


class _Notes:
    """Files that are read one after the other, as the model asks for them."""

    def __init__(self, jobs: Sequence[Job], run: Run) -> None:
        self._jobs = jobs
        self._run = run
        self.waiting: dict[str, tuple[Job, str]] = {}

    def read(self) -> Iterator[Document]:
        for n, job in enumerate(self._jobs, start=1):
            name = str(job.source)
            try:
                mark, text = split_mark(read_text(job.source))
            except CorpusError as error:
                where = f"{error.where}: " if error.where else ""
                self._run.failures.add(name, f"{where}{error.problem}")
            else:
                self.waiting[name] = (job, mark)
                yield Document(name, text)
            self._run.advance(n, len(self._jobs), "files")
