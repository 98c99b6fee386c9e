"""What people marked is compared with what was found, and the shares are estimated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

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
from multideid.validation.results import (
    Conditions,
    NotesResult,
    RecallResult,
    UnmarkedResult,
    Validation,
)


def validate(
    plan: Plan,
    readings: Readings,
    predicted: Sequence[Document | None],
    conditions: Conditions,
) -> Validation:
    """Compare the spans that people marked with those that were found.

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
