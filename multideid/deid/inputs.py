"""Files to rewrite: their names, how they are opened, and where they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from multideid.corpora.structure import Content
from multideid.deid.files import FileJob
from multideid.deid.outputs import CountedOutput, FileOutput
from multideid.deid.run import Run
from multideid.document import Span
from multideid.errors import CorpusError, reason


class Input(NamedTuple):
    """A file to rewrite.

    Parameters
    ----------
    name : str
        Names the file in failures.
    saved_name : str, optional
        Names it in the vault and for surrogates. Default: `name`.
    target_name : str, optional
        Name of the file that is written; None for streams.
    open : callable
        Returns the `Content`.
    output : CountedOutput
    add_phi : callable
        Called with the text of each record and the PHI in it.
    is_member : bool
        Whether it is a file of an archive, whose new name comes later.
    """

    name: str
    saved_name: str | None
    target_name: str | None
    open: Callable[[], Content]
    output: CountedOutput
    add_phi: Callable[[str, Sequence[Span]], None]
    is_member: bool = False


def file_inputs(jobs: Iterable[FileJob], run: Run) -> Iterator[Input]:
    """Yield the inputs for the files of a run."""
    for job in jobs:
        name, saved = str(job.source), Path(job.name).as_posix()
        output = CountedOutput(FileOutput(job, run.private), name, run)
        check = partial(run.repeated.check, saved)
        yield Input(name, saved, job.name, _opener(job.source), output, check)


def _opener(path: Path) -> Callable[[], Content]:
    def opened() -> Content:
        from multideid.corpora.source import require_file

        try:
            return Content(require_file(path).open("rb"), str(path))
        except OSError as error:
            raise CorpusError(path, f"cannot be read: {reason(error)}") from None

    return opened
