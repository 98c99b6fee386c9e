"""What ``multideid deid`` reads, and where each file goes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from multideid.corpora.source import require_path, unreadable
from multideid.errors import UsageError

TABLES = (".csv", ".tsv", ".parquet")


@dataclass(frozen=True, slots=True)
class Job:
    """A file to read and the file to write.

    Parameters
    ----------
    source, target : Path
    """

    source: Path
    target: Path

    @property
    def is_table(self) -> bool:
        """Whether the file is a table, by its suffix."""
        return self.source.suffix.lower() in TABLES


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
    jobs = Jobs()
    suffixes = (".txt", *TABLES) if tables else (".txt",)
    for path in dict.fromkeys(inputs):
        if require_path(path).is_dir():
            _add_folder(jobs, path, out, suffixes)
        else:
            jobs.todo.append(Job(path, out / path.name))
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
            jobs.todo.append(Job(path, out / path.relative_to(folder)))
        else:
            jobs.skipped.append(path)


def _walk(folder: Path, out: Path, skipped: list[Path]) -> Iterator[Path]:
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
    first: dict[Path, Job] = {}
    for job in todo:
        first.setdefault(job.source, job)
    return list(first.values())


def _check_targets(todo: Sequence[Job], overwrite: bool) -> None:
    sources = {job.source.resolve() for job in todo}
    seen: dict[Path, Path] = {}
    for job in todo:
        target = job.target.resolve()
        if target in sources:
            raise UsageError(f"{job.target} is an input; choose another output folder")
        if target in seen:
            both = f"{seen[target]} and {job.source}"
            raise UsageError(f"{both} would both be written to {job.target}; run them apart")
        if job.target.is_dir() or (os.path.lexists(job.target) and not overwrite):
            raise UsageError(f"{job.target} exists; choose another output, or add --overwrite")
        seen[target] = job.source
