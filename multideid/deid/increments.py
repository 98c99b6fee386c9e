"""Which files of a run are to be done: all, those that are left, or those that are new."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from multideid.deid.files import FileJob
from multideid.deid.journal import Claim, Journal
from multideid.deid.results import Failure
from multideid.errors import UsageError


class Increment(NamedTuple):
    """What a run has to do.

    Parameters
    ----------
    jobs : sequence of FileJob
    unchanged : int
        Number of files that are left out, since an earlier run has done them.
    vanished : tuple of str
        Files of the output whose inputs an earlier run has read, and which are not
        there any more.
    """

    jobs: Sequence[FileJob]
    unchanged: int = 0
    vanished: tuple[str, ...] = ()


def plan_increment(
    journal: Journal, jobs: Sequence[FileJob], *, skip_existing: bool, overwrite: bool
) -> Increment:
    """Find what is left to do, and claim its files in the journal.

    Raises
    ------
    UsageError
        If a file would be overwritten that neither this run nor one before it wrote.
    """
    planner = _Planner(journal, skip_existing)
    vanished = planner.vanished(jobs)
    left = [job for job in jobs if not planner.is_done(job)]
    for job in left:
        if not overwrite and os.path.lexists(job.target) and not journal.is_known(job.name):
            problem = f"{job.target} exists, and is not of the run to resume"
            raise UsageError(f"{problem}; choose another output, or allow overwriting")
    journal.claim(map(planner.claim, left))
    return Increment(left, len(jobs) - len(left), tuple(vanished))


def failed_names(jobs: Iterable[FileJob], failures: Iterable[Failure]) -> Collection[str]:
    """Return the names of the files that failed, or of which a part failed."""
    parts = {part for failure in failures for part in _beginnings(failure.name)}
    return {job.name for job in jobs if str(job.source) in parts} if parts else ()


def _beginnings(name: str) -> Iterator[str]:
    """Yield the name of a failure, and the files that it may be a row or a member of."""
    places = (n for n, character in enumerate(name) if character in " /")
    return chain([name], (name[:place] for place in places))


def _has_source(folder: Path, name: str) -> bool:
    # Text of a PDF has one more suffix.
    return any(os.path.lexists(folder / n) for n in (name, name.removesuffix(".txt")))


class _Planner:
    """Makes claims, with digests of what is read if the journal is kept."""

    def __init__(self, journal: Journal, hashed: bool) -> None:
        self._journal, self._hashed = journal, hashed
        self._folders: dict[Path, bytes] = {}
        self._contents: dict[str, bytes] = {}

    def vanished(self, jobs: Sequence[FileJob]) -> list[str]:
        """Return the files of the output that were read from the same folders, and are gone."""
        places = {self._folder(job): job.folder for job in jobs}
        # What is written to a single file may have another name than what is read.
        present = {job.name for job in jobs}
        return [
            name
            for name, folder in self._journal.written()
            if folder in places and name not in present and not _has_source(places[folder], name)
        ]

    def is_done(self, job: FileJob) -> bool:
        """Return whether an earlier run has read and written the same."""
        return self._hashed and self._journal.is_unchanged(self.claim(job))

    def claim(self, job: FileJob) -> Claim:
        """Return the claim of a job."""
        return Claim(job.name, self._folder(job), self._content(job))

    def _folder(self, job: FileJob) -> bytes:
        if job.folder not in self._folders:
            place = os.fsencode(job.folder.resolve())
            self._folders[job.folder] = self._journal.digest(place)
        return self._folders[job.folder]

    def _content(self, job: FileJob) -> bytes:
        # Before it is read: a file that is changed meanwhile is done again by the next run.
        if self._hashed and job.name not in self._contents:
            self._contents[job.name] = self._journal.file_digest(job.source)
        return self._contents.get(job.name, b"")
