"""Plan of a run over files: the files to read, and where each is written."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from multideid.arguments import as_path
from multideid.errors import UsageError
from multideid.locks import is_ours

TABLE_SUFFIXES = (".csv", ".tsv", ".parquet")
JSON_SUFFIXES = (".json", ".ndjson")
_PDF = ".pdf"


class FileJob(NamedTuple):
    """A file to read and the file to write; there may be very many.

    Parameters
    ----------
    folder : Path
        The folder to read from.
    name : str
        Path of the file to write in `out`.
    out : Path
        The folder to write to.
    source_name : str, optional
        Path of the file to read in `folder`. Default: `name`.
    """

    folder: Path
    name: str
    out: Path
    source_name: str | None = None

    @classmethod
    def between(cls, source: str | Path, target: str | Path) -> FileJob:
        """Make the job of one file."""
        read, written = as_path("the source", source), as_path("the target", target)
        return cls(read.parent, written.name, written.parent, read.name)

    @property
    def source(self) -> Path:
        """The file to read."""
        return self.folder / (self.source_name or self.name)

    @property
    def target(self) -> Path:
        """The file to write."""
        return self.out / self.name

    @property
    def names(self) -> tuple[str, str]:
        """The names of the file in failures and in the vault."""
        return str(self.source), Path(self.name).as_posix()

    @property
    def is_table(self) -> bool:
        """Whether the file is a table, by its suffix."""
        return self.name.lower().endswith(TABLE_SUFFIXES)

    @property
    def has_fields(self) -> bool:
        """Whether the file is a table or JSON, by its suffix."""
        return self.is_table or any(s in self.name.lower() for s in JSON_SUFFIXES)


@dataclass(slots=True)
class JobPlan:
    """All files of a run.

    Parameters
    ----------
    jobs : list of FileJob
    skipped : list of Path
        Files and folders inside the input folders that are not read.
    """

    jobs: list[FileJob] = field(default_factory=list)
    skipped: list[Path] = field(default_factory=list)


def plan_files(inputs: Sequence[Path], out: Path, *, tables: bool, overwrite: bool) -> JobPlan:
    """Find the files to read in files and folders, and where each is written.

    A file is written to `out` under its name, except that ``.txt`` is added to
    that of a PDF, and a folder with its layout; a file that is named twice is
    read once. Of a folder, ``.txt`` files and those of structured formats are
    read and, if `tables`, CSV, TSV and Parquet files; hidden files, links to
    folders, and `out` itself are not.

    Raises
    ------
    CorpusError
        If an input does not exist or a folder cannot be listed.
    UsageError
        If there is nothing to read, or no table among files of which columns are named,
        or a target is an input, is the target of two files, or exists and must not be
        overwritten.
    """
    from multideid.corpora.registry import structured_suffixes
    from multideid.corpora.source import require_path

    plan = JobPlan()
    suffixes = (".txt", *structured_suffixes(), *TABLE_SUFFIXES * tables)
    for path in dict.fromkeys(inputs):
        if require_path(path).is_dir():
            _add_folder(plan, path, out, suffixes)
        else:
            plan.jobs.append(_job(path.parent, path.name, out))
    if not plan.jobs:
        problem = "no .txt file, table or file of a known format in the input"
        raise UsageError(f"nothing to de-identify: {problem}")
    if tables and not any(job.is_table for job in plan.jobs) and not any(map(Path.is_dir, inputs)):
        remedy = "give tables the suffix .csv, .tsv or .parquet, or leave the column out"
        raise UsageError(f"a column is named, and no file is a table: {remedy}")
    plan.jobs = _without_repeats(plan.jobs)
    check_targets(plan.jobs, overwrite)
    return plan


def describe_skipped(skipped: Sequence[Path]) -> str:
    """Return one line with the number of skipped files of each suffix."""
    kinds = Counter(path.suffix.lower() or "without suffix" for path in skipped)
    listed = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))
    return f"skipped: {len(skipped)} not read ({listed}), such as {skipped[0]}"


def check_targets(jobs: Sequence[FileJob], overwrite: bool) -> None:
    """Raise UsageError if a target is an input, a repeated target, or must not be overwritten."""
    resolver = _Resolver()
    sources = {name for job in jobs for name in resolver.names(job.source)}
    seen: dict[str, FileJob] = {}
    for job in jobs:
        target = resolver.resolve(job.target)
        if resolver.names(job.target) & sources:
            raise UsageError(f"{job.target} is an input; choose another output")
        if target in seen:
            both = f"{seen[target].source} and {job.source}"
            raise UsageError(f"{both} would both be written to {job.target}; run them separately")
        # `Path.is_dir` raises for names too long.
        if os.path.isdir(job.target) or (os.path.lexists(job.target) and not overwrite):
            raise UsageError(f"{job.target} exists; choose another output, or allow overwriting")
        seen[target] = job


def refuse_taken(
    outputs: Mapping[str, Path], jobs: Iterable[FileJob], inputs: Mapping[str, Path]
) -> None:
    """Check other files of a run against its jobs.

    Parameters
    ----------
    outputs : mapping of str to Path
        Files that are written besides the targets, by what they are.
    jobs : iterable of FileJob
    inputs : mapping of str to Path
        Files that are read besides the sources.

    Raises
    ------
    UsageError
        If an output is read or written by a job, or an input is written by one.
    """
    resolver = _Resolver()
    sources, targets = set[str](), set[str]()
    for job in jobs:
        sources |= resolver.names(job.source)
        targets |= resolver.names(job.target)
    for role, path in [*outputs.items(), *inputs.items()]:
        mine = resolver.names(path)
        if mine & targets or (role in outputs and mine & sources):
            raise UsageError(f"{role}, {path}, is a file of the run; choose another name")


def _add_folder(plan: JobPlan, folder: Path, out: Path, suffixes: Sequence[str]) -> None:
    for path in _walk(folder, out.resolve(), plan.skipped):
        if path.suffix.lower() in suffixes and not _is_hidden(path) and path.is_file():
            plan.jobs.append(_job(folder, str(path.relative_to(folder)), out))
        elif not is_ours(path.name):
            plan.skipped.append(path)


def _job(folder: Path, name: str, out: Path) -> FileJob:
    if name.lower().endswith(_PDF):
        return FileJob(folder, f"{name}.txt", out, name)
    return FileJob(folder, name, out)


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


def _without_repeats(jobs: Sequence[FileJob]) -> list[FileJob]:
    first: dict[str, FileJob] = {}
    for job in jobs:
        first.setdefault(str(job.source), job)
    return list(first.values())


class _Resolver:
    """Gives the names of files without links, with one lookup per folder."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def resolve(self, path: Path) -> str:
        if os.path.islink(path):
            return os.path.realpath(path)
        folder = str(path.parent)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        return os.path.join(self._folders[folder], path.name)

    def names(self, path: Path) -> set[str]:
        """Return what two paths to one file have in common: the path, and the place on the disk."""
        names = {self.resolve(path)}
        with suppress(OSError):
            status = path.stat()
            # A file with one name is found by its path.
            if status.st_nlink > 1:
                names.add(f"{status.st_dev}:{status.st_ino}")
        return names
