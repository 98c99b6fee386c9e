"""The plan of a validation: which notes were drawn from which, kept from the reviewers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from multideid.document import Document
from multideid.errors import UsageError, reason
from multideid.files import atomic_output

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the notes from which a number was drawn.

    Parameters
    ----------
    name : str
        The value of the field; empty without strata.
    notes, sampled : int
    """

    name: str
    notes: int
    sampled: int


@dataclass(frozen=True, slots=True)
class PlannedNote:
    """A note that was drawn.

    Parameters
    ----------
    id : str
    stratum : int
        Its place in `Plan.strata`.
    text : str
        SHA-256 of the text.
    """

    id: str
    stratum: int
    text: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Which notes were drawn, and from which corpus.

    Parameters
    ----------
    version : str
        Of multideid.
    drawn : str
        When, in UTC.
    seed : str
        The draw is a function of it.
    bound, level : float
        The share of leaking notes to rule out, and the confidence.
    leaks : int
        Number of leaking notes in the sample up to which the bound holds.
    field : str or None
        The field of the notes' meta that names the stratum.
    population : str
        Fingerprint of all the notes.
    strata : tuple of Stratum
    notes : tuple of PlannedNote
    """

    version: str
    drawn: str
    seed: str
    bound: float
    level: float
    leaks: int
    field: str | None
    population: str
    strata: tuple[Stratum, ...]
    notes: tuple[PlannedNote, ...]

    @property
    def n_population(self) -> int:
        """The number of notes that were drawn from."""
        return sum(stratum.notes for stratum in self.strata)

    @property
    def fingerprint(self) -> str:
        """A hash of the plan that does not reveal its content."""
        content = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(content.encode("ascii")).hexdigest()

    def places(self, documents: Sequence[Document]) -> list[int]:
        """Return the place in the plan of each document, known by its text.

        Annotation tools change ids; they must not change texts.

        Raises
        ------
        UsageError
            If a document is none of those that were drawn, or one of those is missing.
        """
        free: dict[str, list[int]] = {}
        for place in reversed(range(len(self.notes))):
            free.setdefault(self.notes[place].text, []).append(place)
        found = []
        for document in documents:
            places = free.get(text_fingerprint(document.text))
            if not places:
                raise UsageError(
                    f"document {document.id!r} is not a note of the sample, or its text was "
                    "changed; a corpus must keep every character, also spaces and line ends"
                )
            found.append(places.pop())
        if missing := sum(map(len, free.values())):
            raise UsageError(
                f"{missing} of {len(self.notes)} sampled notes were not read; to leave notes out "
                "would spoil the sample"
            )
        return found


def text_fingerprint(text: str) -> str:
    """Return SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def population_fingerprint(texts: Iterable[str]) -> str:
    """Return a hash of fingerprints of texts, whatever their order."""
    return hashlib.sha256("".join(sorted(texts)).encode("ascii")).hexdigest()


def write_plan(plan: Plan, path: Path) -> None:
    """Write a plan to a file that only its owner can read.

    Raises
    ------
    CorpusError
        If it cannot be written.
    """
    with atomic_output(path) as temporary:
        content = json.dumps({"format": FORMAT, **asdict(plan)}, indent=1)
        temporary.write_text(content + "\n", encoding="ascii")


def read_plan(path: Path) -> Plan:
    """Read a plan that `write_plan` wrote.

    Raises
    ------
    UsageError
        If the file is no plan, or one of a newer version.
    """
    content = _content(path)
    if content.pop("format", None) != FORMAT:
        raise UsageError(f"{path} is not a plan of this version of multideid validate")
    try:
        strata = tuple(Stratum(**values) for values in content.pop("strata"))
        notes = tuple(PlannedNote(**values) for values in content.pop("notes"))
        plan = Plan(**content, strata=strata, notes=notes)
        sound = all(0 <= note.stratum < len(strata) for note in notes) and 0 < plan.bound < 1
    except (KeyError, TypeError, ValueError):
        sound = False
    if not sound:
        raise UsageError(f"{path}: the plan is damaged; restore it from a backup")
    return plan


def _content(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {reason(error)}") from None
    except (ValueError, RecursionError):
        raise UsageError(f"{path} is not a plan: it is not JSON") from None
    return content if isinstance(content, dict) else {}
