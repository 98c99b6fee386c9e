"""The result of a validation: what leaks, with which confidence."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from multideid import __version__
from multideid.validation.plan import Plan


@dataclass(frozen=True, slots=True)
class Conditions:
    """What was validated, and with what.

    Parameters
    ----------
    model : str
        Name of the model, or what the predictions are called.
    fingerprint : str
        Of the model's manifest, or of the predictions.
    settings : dict of str to plain value
        Recall and other options.
    libraries : tuple of str
        Versions that results depend on.
    """

    model: str
    fingerprint: str
    settings: dict[str, Any] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotesResult:
    """How many notes leak.

    Parameters
    ----------
    leaking, notes : int
    estimate, low, high : float
        Share of all notes, with the two-sided interval.
    bound : float
        The one-sided upper bound of the share.
    """

    leaking: int
    notes: int
    estimate: float
    low: float
    high: float
    bound: float


@dataclass(frozen=True, slots=True)
class RecallResult:
    """How much of the PHI of some labels is found.

    Parameters
    ----------
    group : str
        ``"all"``, a kind of identifier, or a label.
    kind : str
        Kind of identifier; empty for all.
    spans, notes : int
        Marked spans, and the notes that have any.
    missed, partly : int
        Spans wholly in the clear, and those of which a part is.
    recall, low, high : float
        With the two-sided interval, which allows for spans of one note being alike.
    effective : float
        The number of independent spans that would be as informative.
    """

    group: str
    kind: str
    spans: int
    notes: int
    missed: int
    partly: int
    recall: float
    low: float
    high: float
    effective: float


@dataclass(frozen=True, slots=True)
class UnmarkedResult:
    """PHI that no reader marked, as two independent readers tell.

    Parameters
    ----------
    seen : int
        Places with PHI that a reader marked.
    estimate, low, high : float
        Places there are in all.
    marked : float
        Share of them that a reader marked.
    recall, recall_low : float
        Recall if nothing of what no reader marked is found; with the estimate and with the
        upper end of its interval.
    """

    seen: int
    estimate: float
    low: float
    high: float
    marked: float
    recall: float
    recall_low: float


@dataclass(frozen=True, slots=True)
class Validation:
    """What was measured; without text, ids, or names of strata.

    Parameters
    ----------
    plan : Plan
    conditions : Conditions
    readers : int
    sample : str
        Fingerprint of the sampled notes and what was marked in them.
    refused : int
        Sampled notes that were not de-identified, and so are not released.
    notes : NotesResult
    recalls : tuple of RecallResult
        Of all, of each kind of identifier, and of each label.
    unmarked : UnmarkedResult or None
        None with a single reader.
    """

    plan: Plan
    conditions: Conditions
    readers: int
    sample: str
    refused: int
    notes: NotesResult
    recalls: tuple[RecallResult, ...]
    unmarked: UnmarkedResult | None

    @property
    def holds(self) -> bool:
        """Whether the share of leaking notes is below the wanted bound."""
        return self.notes.bound < self.plan.bound

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON values."""
        plan = self.plan
        return {
            "multideid": __version__,
            "model": asdict(self.conditions) | {"libraries": list(self.conditions.libraries)},
            "sample": {
                "drawn": plan.drawn,
                "seed": plan.seed,
                "population": plan.n_population,
                "population_fingerprint": plan.population,
                "notes": len(plan.notes),
                # Names of strata may be names of people.
                "strata": [[s.notes, s.sampled] for s in plan.strata],
                "refused": self.refused,
                "plan_fingerprint": plan.fingerprint,
                "sample_fingerprint": self.sample,
            },
            "readers": self.readers,
            "wanted": {"bound": plan.bound, "level": plan.level, "holds": self.holds},
            "notes": asdict(self.notes),
            "recall": [asdict(row) for row in self.recalls],
            "unmarked": None if self.unmarked is None else asdict(self.unmarked),
        }
