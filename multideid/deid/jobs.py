"""What ``multideid deid`` reads, and where each file goes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from multideid.errors import UsageError

TABLES = (".csv", ".tsv", ".parquet")


class Job(NamedTuple):
    """A file to read and the file to write; there may be very many.

    Parameters
    ----------
    folder : Path
        Where the file is.
    name : str
        Its path in the folder.
    out : Path
        The folder where the file to write has the same path.
    """

    folder: Path
    name: str
    out: Path

    @property
    def source(self) -> Path:
        """The file to read."""
        return self.folder / self.name

    @property
    def target(self) -> Path:
        """The file to write."""
        return self.out / self.name

    @property
    def is_table(self) -> bool:
        """Whether the file is a table, by its suffix."""
        return self.name.lower().endswith(TABLES)


@dataclass(slots=True)
class Jobs:
    """All files of a run.

    Parameters
    ----------
    todo : list of Job
    skipped : list of Path
        What lies in the input folders and is not read.
    """

    todo: list[Job] = field(default_factory=list)
    skipped: list[Path] = field(default_factory=list)


def find_jobs(inputs: Sequence[Path], out: Path, *, tables: bool, overwrite: bool) -> Jobs:
    """Find the files to read in files and folders, and where each goes.

    A file goes into `out` under its name, the content of a folder in its
    layout; a file that is named twice is read once. Of a folder, ``.txt``
    files are read and, where `tables`, CSV, TSV and Parquet files; hidden
    files, links to folders, and `out` itself are not.

    Raises
    ------
    CorpusError
        If an input does not exist or a folder cannot be listed.
    UsageError
        If there is nothing to read, or a target is an input, is another
        file's target too, or exists and must not be written over.
    """
    from multideid.corpora.source import require_path

    jobs = Jobs()
    suffixes = (".txt", *TABLES) if tables else (".txt",)
    for path in dict.fromkeys(inputs):
        if require_path(path).is_dir():
            _add_folder(jobs, path, out, suffixes)
        else:
            jobs.todo.append(Job(path.parent, path.name, out))
    if not jobs.todo:
        raise UsageError(f"nothing to de-identify: no {' or '.join(suffixes)} file in the input")
    jobs.todo = _first_of_each(jobs.todo)
    _check_targets(jobs.todo, overwrite)
    return jobs


def describe_skipped(skipped: Sequence[Path]) -> str:
    """Return one line about what was not read: how many of which kind."""
    kinds = Counter(path.suffix.lower() or "without suffix" for path in skipped)
    listed = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))
    return f"skipped: {len(skipped)} not read ({listed}), such as {skipped[0]}"


def _add_folder(jobs: Jobs, folder: Path, out: Path, suffixes: Sequence[str]) -> None:
    for path in _walk(folder, out.resolve(), jobs.skipped):
        if path.suffix.lower() in suffixes and not _is_hidden(path) and path.is_file():
            jobs.todo.append(Job(folder, str(path.relative_to(folder)), out))
        else:
            jobs.skipped.append(path)


def _walk(folder: Path, out: Path, skipped: list[Path]) -> Iterator[Path]:
    from multideid.corpora.source import unreadable

    def refuse(error: OSError) -> None:
        raise unreadable(Path(error.filename), error) from None

    for root, folders, files in os.walk(folder, onerror=refuse):
        here = Path(root)
        inner = [here / name for name in sorted(folders)]
        passed = [path for path in inner if _is_hidden(path) or path.is_symlink()]
        skipped += passed
        folders[:] = [p.name for p in inner if p not in passed and p.resolve() != out]
        yield from (here / name for name in sorted(files))


def _is_hidden(path: Path) -> bool:
    return path.name.startswith(".")


def _first_of_each(todo: Sequence[Job]) -> list[Job]:
    first: dict[str, Job] = {}
    for job in todo:
        first.setdefault(str(job.source), job)
    return list(first.values())


def _check_targets(todo: Sequence[Job], overwrite: bool) -> None:
    places = _Places()
    sources = {places.of(job.source) for job in todo}
    seen: dict[str, Job] = {}
    for job in todo:
        target = places.of(job.target)
        if target in sources:
            raise UsageError(f"{job.target} is an input; choose another output folder")
        if target in seen:
            both = f"{seen[target].source} and {job.source}"
            raise UsageError(f"{both} would both be written to {job.target}; run them apart")
        if job.target.is_dir() or (os.path.lexists(job.target) and not overwrite):
            raise UsageError(f"{job.target} exists; choose another output, or add --overwrite")
        seen[target] = job


class _Places:
    """Where paths lead once links are followed; each folder is looked up once."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def of(self, path: Path) -> str:
        if path.is_symlink():
            return os.path.realpath(path)
        folder = str(path.parent)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        return os.path.join(self._folders[folder], path.name)
