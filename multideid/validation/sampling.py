"""Draw notes at random, as many as a bound needs, from all or from each stratum."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from multideid import __version__
from multideid.document import Document
from multideid.errors import UsageError
from multideid.eval.statistics.proportions import sample_size
from multideid.eval.statistics.significance import LEVEL
from multideid.meta_fields import field_of
from multideid.validation.plan import (
    Plan,
    PlannedNote,
    Stratum,
    population_fingerprint,
    text_fingerprint,
)

_MOST_STRATA = 50
_LEAST = 2
"""Notes of each stratum; a single one shows no variance."""


@dataclass(frozen=True, slots=True)
class SampleOptions:
    """How notes are drawn.

    Parameters
    ----------
    bound : float
        The share of leaking notes that is to be excluded.
    level : float
        With which confidence.
    leaks : int
        How many leaking notes there may be in the sample.
    notes : int, optional
        Draw so many instead.
    field : str, optional
        Field of the notes' meta: a share of each of its values is drawn.
    seed : str, optional
        Default: random, so that nobody can choose the notes.
    """

    bound: float = 0.01
    level: float = LEVEL
    leaks: int = 0
    notes: int | None = None
    field: str | None = None
    seed: str | None = None

    def size(self) -> int:
        """Return the number of notes to draw."""
        needed = sample_size(self.bound, self.leaks, self.level)
        if self.notes is not None and self.notes < 1:
            raise UsageError(f"a sample has a note at least, not {self.notes}")
        return needed if self.notes is None else self.notes


def draw_sample(
    read: Callable[[], Iterable[Document]], options: SampleOptions | None = None
) -> tuple[Plan, Iterator[Document]]:
    """Draw notes at random, or take all if there are no more than needed.

    Parameters
    ----------
    read : callable
        Returns the notes; called twice, so that they need not fit into memory.
    options : SampleOptions, optional

    Returns
    -------
    plan : Plan
    notes : iterator of Document
        Those that were drawn, without spans and meta.

    Raises
    ------
    UsageError
        If a note lacks the field of the strata, or there are too many strata.
    """
    options = options or SampleOptions()
    wanted = options.size()
    found = [_Listed.of(document, options.field) for document in read()]
    seed = options.seed or secrets.token_hex(16)
    chosen, strata = _chosen(found, wanted, Random(seed))
    names = {stratum.name: place for place, stratum in enumerate(strata)}
    plan = Plan(
        version=__version__,
        drawn=datetime.now(UTC).isoformat(timespec="seconds"),
        seed=seed,
        bound=options.bound,
        level=options.level,
        leaks=options.leaks,
        field=options.field,
        population=population_fingerprint(note.text for note in found),
        strata=strata,
        notes=tuple(
            PlannedNote(found[n].id, names[found[n].stratum], found[n].text) for n in chosen
        ),
    )
    return plan, _drawn(read(), dict(zip(chosen, plan.notes, strict=True)))


def planned_notes(plan: Plan, documents: Iterable[Document]) -> Iterator[Document]:
    """Yield the notes of a plan, without spans and meta.

    Parameters
    ----------
    plan : Plan
    documents : iterable of Document
        The notes that were drawn from.

    Raises
    ------
    UsageError
        After the last note, if one of the plan is not there, or its text was changed.
    """
    left = {(note.id, note.text) for note in plan.notes}
    for document in documents:
        known = document.id, text_fingerprint(document.text)
        if known in left:
            left.remove(known)
            yield Document(document.id, document.text)
    if left:
        raise UsageError(
            f"{len(left)} of the {len(plan.notes)} notes of the sample are missing or were changed "
            "since it was drawn"
        )


@dataclass(frozen=True, slots=True)
class _Listed:
    id: str
    stratum: str
    text: str

    @classmethod
    def of(cls, document: Document, field: str | None) -> _Listed:
        stratum = ""
        if field is not None:
            value = field_of(document, field)
            if value is None:
                raise UsageError(f"document {document.id!r} has no field {field!r} in its meta")
            stratum = str(value)
        return cls(document.id, stratum, text_fingerprint(document.text))


def _chosen(
    found: Sequence[_Listed], wanted: int, random: Random
) -> tuple[list[int], tuple[Stratum, ...]]:
    sizes = Counter(note.stratum for note in found)
    if len(sizes) > _MOST_STRATA:
        raise UsageError(f"the field has {len(sizes)} values; at most {_MOST_STRATA} make strata")
    shares = allocation(sizes, min(wanted, len(found)))
    chosen = []
    for name, n in shares.items():
        own = [place for place, note in enumerate(found) if note.stratum == name]
        chosen += random.sample(own, n)
    strata = tuple(Stratum(name, sizes[name], n) for name, n in shares.items())
    return sorted(chosen), strata


def allocation(sizes: Counter[str], wanted: int) -> dict[str, int]:
    """Return how many to draw of each stratum: its share, and two of several at least.

    The largest remainders get what rounding leaves.
    """
    total = sum(sizes.values())
    exact = {name: wanted * size / total for name, size in sorted(sizes.items())}
    shares = {name: int(share) for name, share in exact.items()}
    left = wanted - sum(shares.values())
    for name in sorted(exact, key=lambda name: (shares[name] - exact[name], name))[:left]:
        shares[name] += 1
    least = _LEAST if len(sizes) > 1 else 0
    return {name: min(max(n, least), sizes[name]) for name, n in shares.items()}


def _drawn(documents: Iterable[Document], chosen: dict[int, PlannedNote]) -> Iterator[Document]:
    for place, document in enumerate(documents):
        if planned := chosen.get(place):
            if text_fingerprint(document.text) != planned.text:
                raise UsageError("the notes have changed while they were drawn; draw again")
            yield Document(document.id, document.text)
