"""Names of the files of an archive: neutral where they look like PHI, or repeat what was found."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

from multideid.corpora.identifier_names import IdentifierWarning
from multideid.deid.echoes import values_of
from multideid.deid.file_names import SUFFIXES, looks_like_phi
from multideid.deid.repeated_names import repeating
from multideid.document import Span
from multideid.labels import SurrogateKind, surrogate_kind

_DIGIT = re.compile(r"\d")


class MemberNames:
    """Gives the files of an archive names of which no part looks like PHI or repeats it.

    Folders with such names become ``folder-1``, files ``file-1`` with their suffixes; the
    number is that of the file. Other names stay. What is PHI is known when all files of the
    archive were read.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._values: dict[str, set[str]] = {}
        self._dated: dict[str, set[str]] = {}  # Parts of each path that repeat dates.

    def add(self, name: str) -> str:
        """Add the next file by its path, and return this; one that comes again gets a number."""
        number = len(self._numbers) + 1
        own = name
        while own in self._numbers:
            own = f"{own}-{number}"
        self._numbers[own] = number
        return own

    def add_phi(self, name: str, text: str, spans: Iterable[Span]) -> None:
        """Add PHI that was found in a file.

        Dates count for this file only, since some date of many is like any number.
        """
        dates: dict[str, set[str]] = {}
        for label, values in values_of(text, spans).items():
            is_date = surrogate_kind(label) is SurrogateKind.DATE
            own = dates if is_date else self._values
            own.setdefault(label, set()).update(values)
        if dates and _DIGIT.search(name):
            self._dated[name] = self._dated.get(name, set()) | repeating(name.split("/"), dates)

    def neutral(self) -> dict[str, str]:
        """Return the new name of each file."""
        parts = {part for name in self._numbers for part in name.split("/")}
        found = repeating(sorted(parts), self._values) | set(filter(looks_like_phi, parts))
        folders: dict[str, str] = {}
        new: dict[str, str] = {}
        given: set[str] = set()
        for name, number in self._numbers.items():
            *path, file = name.split("/")
            mine = found | self._dated.get(name, set())
            for folder in mine.intersection(path):
                folders.setdefault(folder, f"folder-{number}")
            kept = [folders.get(folder, folder) for folder in path]
            own = "/".join([*kept, _neutral(file, number) if file in mine else file])
            while own in given:
                own = f"{own}-{number}"
            given.add(own)
            new[name] = own
        return new


def _neutral(file: str, number: int) -> str:
    suffixes = (s for s in PurePosixPath(file).suffixes[-2:] if s.lower() in SUFFIXES)
    return f"file-{number}{''.join(suffixes)}"


def warn_of_neutral(archive: str, changed: Collection[str]) -> None:
    """Warn of names that were changed, and are not shown."""
    if changed:
        files = f"{len(changed):,} file{'s' * (len(changed) != 1)}"
        warnings.warn(
            f"{archive}: names of {files} in it look like PHI, or repeat PHI that was found; "
            "neutral names replace them",
            IdentifierWarning,
            stacklevel=2,
        )
