"""The result of a validation: what leaks, with which confidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from multideid import __version__
from multideid.document import Document, corpus_fingerprint
from multideid.errors import UsageError
from multideid.eval.statistics.capture_recapture import Population
from multideid.eval.statistics.proportions import (
    clopper_pearson,
    clustered_interval,
    upper_bound,
)
from multideid.labels import identifier_kind
from multideid.validation.outcome import MISSED, PARTLY, TOTAL, NoteOutcomes, note_outcomes
from multideid.validation.plan import Plan
from multideid.validation.reading import Readings


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
        Sampled notes that were not de-identified, and so do not leave the house.
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


def validate(
    plan: Plan,
    readings: Readings,
    predicted: Sequence[Document | None],
    conditions: Conditions,
) -> Validation:
    """Compare what people marked with what was found.

    Parameters
    ----------
    plan : Plan
    readings : Readings
        See `gold_of`.
    predicted : sequence of Document or None
        The same notes in the same order with the spans that were found; None for a note
        that failed and will not be released.
    conditions : Conditions

    Raises
    ------
    UsageError
        If every note failed, or the texts differ.
    """
    kept = [n for n, document in enumerate(predicted) if document is not None]
    if not kept:
        raise UsageError("every note of the sample failed; there is nothing to validate")
    gold = [readings.gold[n] for n in kept]
    found = [document for document in predicted if document is not None]
    if any(a.text != b.text for a, b in zip(gold, found, strict=True)):
        raise UsageError("the predictions are for other texts than those of the sample")
    outcomes = note_outcomes(gold, found)
    frame = _Frame.of(plan, kept)
    recalls = tuple(_recalls(outcomes, frame))
    return Validation(
        plan=plan,
        conditions=conditions,
        readers=readings.readers,
        sample=corpus_fingerprint(readings.gold),
        refused=len(predicted) - len(kept),
        notes=_notes(outcomes, frame),
        recalls=recalls,
        unmarked=_unmarked(readings.population, recalls),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """Strata and weights of the notes that were validated."""

    level: float
    strata: list[int]
    weights: np.ndarray

    @classmethod
    def of(cls, plan: Plan, kept: Sequence[int]) -> _Frame:
        strata = [plan.notes[n].stratum for n in kept]
        # Notes that failed leave their stratum with its weight.
        drawn = np.bincount(strata, minlength=len(plan.strata))
        weights = [plan.strata[s].notes / drawn[s] for s in strata]
        return cls(plan.level, strata, np.asarray(weights))

    def inflation(self) -> float:
        """How much the bound must grow where strata were not drawn in proportion.

        With p the share in all notes and q that of a sample as large as this one,
        p = Σ W p_s is at most max(W / w) Σ w p_s = max(W / w) q, for the shares W and w
        of each stratum in all notes and in the sample; and the exact bound of q holds for
        draws by stratum too (Hoeffding 1956).
        """
        return float(self.weights.max() / self.weights.mean())


def _notes(outcomes: NoteOutcomes, frame: _Frame) -> NotesResult:
    leaking = outcomes.leaking()
    hits, n = int(leaking.sum()), len(leaking)
    estimate = float((frame.weights * leaking).sum() / frame.weights.sum())
    found, growth = clopper_pearson(hits, n, frame.level), frame.inflation()
    shrink = float(frame.weights.min() / frame.weights.mean())
    return NotesResult(
        hits,
        n,
        estimate,
        found.low * shrink,
        min(found.high * growth, 1.0),
        min(upper_bound(hits, n, frame.level) * growth, 1.0),
    )


def _recalls(outcomes: NoteOutcomes, frame: _Frame) -> Iterator[RecallResult]:
    for group, labels in outcomes.groups().items():
        counts = outcomes.of(labels)
        total, missed, partly = counts[:, TOTAL], counts[:, MISSED], counts[:, PARTLY]
        if not total.sum():
            continue
        found = clustered_interval(
            total - missed - partly,
            total,
            level=frame.level,
            strata=frame.strata,
            weights=frame.weights,
        )
        yield RecallResult(
            group=group,
            kind="" if group == "all" else _kind(group, labels),
            spans=found.total,
            notes=found.clusters,
            missed=int(missed.sum()),
            partly=int(partly.sum()),
            recall=found.interval.estimate,
            low=found.interval.low,
            high=found.interval.high,
            effective=found.effective,
        )


def _kind(group: str, labels: Sequence[str]) -> str:
    return identifier_kind(labels[0]) if labels else group


def _unmarked(
    population: Population | None, recalls: Sequence[RecallResult]
) -> UnmarkedResult | None:
    if population is None or not population.seen:
        return None
    size = population.size
    recall = recalls[0].recall if recalls else 1.0
    # Chapman's estimate can be a little below what was seen.
    estimate = max(size.estimate, float(population.seen))
    share, least = population.seen / estimate, population.seen / max(size.high, estimate)
    return UnmarkedResult(
        population.seen, estimate, size.low, size.high, share, recall * share, recall * least
    )
