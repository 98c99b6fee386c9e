"""Several systems on the same gold documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from multideid.document import Document
from multideid.errors import UsageError
from multideid.eval.metrics.align import align
from multideid.eval.metrics.evaluation import (
    Evaluation,
    absent_labels,
    all_labels,
    score_aligned,
)
from multideid.eval.metrics.tokens import TokenView
from multideid.eval.signature import Scoring, Signature
from multideid.eval.statistics.randomization import randomization_p
from multideid.eval.statistics.significance import (
    Interval,
    bootstrap_f,
    percentile_interval,
    z_statistic,
)
from multideid.eval.statistics.z_table import ZRow, token_classes, z_table


@dataclass(frozen=True, slots=True)
class ClassComparison:
    """One class of tokens in all systems: a row of the thesis's Table B.8.

    Parameters
    ----------
    label : str
    n : int
        Gold tokens of the class: the sample size on both sides of the z-test.
    f : dict of str to float
        F-measure by system.
    z : dict of str to float
        z by system, positive if it is better than the reference; empty if
        there is no reference.
    """

    label: str
    n: int
    f: dict[str, float]
    z: dict[str, float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems scored on the same documents.

    Parameters
    ----------
    signature : Signature
    evaluations : dict of str to Evaluation
        By system, all with the same labels.
    reference : str or None
        The system that z values are relative to.
    candidate : str or None
        The system that is tested against every other one.
    classes : tuple of ClassComparison
        Token level: every PHI class, then non-PHI, then PHI of any class.
    intervals : dict of str to Interval
        Bootstrap interval of each system's strict span micro F-measure.
    differences : dict of str to Interval
        By other system: the candidate's strict span micro F minus that system's.
    p_values : dict of str to float
        By other system: two-sided p of that difference by approximate
        randomization.
    notes : tuple of str
        Explanations of scores that could not be computed.
    """

    signature: Signature
    evaluations: dict[str, Evaluation]
    reference: str | None
    candidate: str | None
    classes: tuple[ClassComparison, ...]
    intervals: dict[str, Interval]
    differences: dict[str, Interval]
    p_values: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The PHI labels, sorted."""
        return next(iter(self.evaluations.values())).labels

    def z_table(self) -> tuple[ZRow, ...]:
        """Return the reference (first) against the candidate, as the thesis's Table B.8.

        Empty if one of them is not among the systems.
        """
        if self.reference is None or self.candidate is None:
            return ()
        return z_table(self.evaluations[self.reference], self.evaluations[self.candidate])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "signature": self.signature.to_dict(),
            "reference": self.reference,
            "candidate": self.candidate,
            "systems": {name: e.to_dict() for name, e in self.evaluations.items()},
            "token_classes": [asdict(row) for row in self.classes],
            "span_f_intervals": {k: i.to_dict() for k, i in self.intervals.items()},
            "span_f_differences": {k: i.to_dict() for k, i in self.differences.items()},
            "span_f_p_values": self.p_values,
            "notes": list(self.notes),
        }


def compare(
    gold: Iterable[Document],
    systems: Mapping[str, Iterable[Document]],
    scoring: Scoring | None = None,
    *,
    reference: str = "mega",
    candidate: str = "multi",
) -> Comparison:
    """Score several systems' predictions for the same gold documents.

    Parameters
    ----------
    gold : iterable of Document
    systems : mapping of str to iterable of Document
        Each system's predicted documents, in any order.
    scoring : Scoring, optional
    reference : str
        The system that token-level F-measures are compared with, as in the
        thesis's Table B.8. There are no z values if it is not among `systems`.
    candidate : str
        The system that is tested against every other one, if it is among
        `systems`.

    Raises
    ------
    AlignmentError
        If a system's documents are not those of the gold corpus.
    UsageError
        If there is no system.
    """
    if not systems:
        raise UsageError("there is no system to compare; give at least one system's predictions")
    documents, predictions = _align_all(list(gold), systems)
    signature = Signature.of(documents, systems, scoring or Scoring())
    evaluations = _evaluate_all(documents, predictions, signature)
    found_reference = reference if reference in systems else None
    found_candidate = candidate if candidate in systems else None
    twins = _twins(predictions, (reference, candidate))
    return Comparison(
        signature,
        evaluations,
        found_reference,
        found_candidate,
        _class_rows(evaluations, found_reference, signature.beta),
        *_paired_tests(evaluations, found_candidate, signature),
        notes=tuple(_notes(evaluations, reference, candidate, twins)),
    )


def _align_all(
    gold: Sequence[Document], systems: Mapping[str, Iterable[Document]]
) -> tuple[tuple[Document, ...], dict[str, tuple[Document, ...]]]:
    pairs = {name: align(gold, predicted, name) for name, predicted in systems.items()}
    documents = next(iter(pairs.values()))[0]
    return documents, {name: predicted for name, (_, predicted) in pairs.items()}


def _evaluate_all(
    gold: Sequence[Document],
    predictions: Mapping[str, Sequence[Document]],
    signature: Signature,
) -> dict[str, Evaluation]:
    tokens = TokenView.from_documents(gold, signature.tokenization)
    alone = replace(signature, n_resamples=None)
    labels = all_labels(gold, *predictions.values())
    return {
        name: score_aligned(gold, predicted, tokens, labels, replace(alone, systems=(name,)))
        for name, predicted in predictions.items()
    }


def _class_rows(
    evaluations: Mapping[str, Evaluation], reference: str | None, beta: float
) -> tuple[ClassComparison, ...]:
    scores = {name: token_classes(e) for name, e in evaluations.items()}
    rows = []
    for label, first in next(iter(scores.values())).items():
        f = {name: classes[label].f(beta) for name, classes in scores.items()}
        rows.append(ClassComparison(label, first.gold, f, _z_against(reference, f, first.gold)))
    return tuple(rows)


def _z_against(reference: str | None, f: Mapping[str, float], n: int) -> dict[str, float]:
    if reference is None:
        return {}
    return {k: z_statistic(v, f[reference], n, n) for k, v in f.items() if k != reference}


def _paired_tests(
    evaluations: Mapping[str, Evaluation],
    candidate: str | None,
    scoring: Scoring,
) -> tuple[dict[str, Interval], dict[str, Interval], dict[str, float]]:
    """Return intervals, differences and p values, with the same draws for all systems."""
    counts = {name: e.spans.strict.per_document() for name, e in evaluations.items()}
    f = {name: e.spans.strict.micro().f(scoring.beta) for name, e in evaluations.items()}
    seed, beta, draws = scoring.seed or 0, scoring.beta, scoring.n_resamples or 0
    drawn = bootstrap_f(np.stack(list(counts.values())), n_resamples=draws, seed=seed, beta=beta)
    samples = dict(zip(counts, drawn, strict=True))
    intervals = {name: percentile_interval(f[name], samples[name]) for name in counts}
    if candidate is None:
        return intervals, {}, {}
    others = [name for name in counts if name != candidate]
    differences = {
        name: percentile_interval(f[candidate] - f[name], samples[candidate] - samples[name])
        for name in others
    }
    p_values = {
        name: randomization_p(
            counts[candidate], counts[name], n_shuffles=draws, seed=seed, beta=beta
        )
        for name in others
    }
    return intervals, differences, p_values


def _twins(
    predictions: Mapping[str, Sequence[Document]], of: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Pair the systems `of` with others that predict the same spans."""
    spans = {name: [d.spans for d in documents] for name, documents in predictions.items()}
    named = [name for name in dict.fromkeys(of) if name in spans]
    for n, one in enumerate(named):
        for other, found in spans.items():
            if other not in named[: n + 1] and spans[one] == found:
                yield one, other


def _notes(
    evaluations: Mapping[str, Evaluation],
    reference: str,
    candidate: str,
    twins: Iterable[tuple[str, str]],
) -> Iterator[str]:
    if reference not in evaluations:
        yield f"no z values: the reference system {reference!r} is not compared"
    if candidate not in evaluations:
        yield f"no differences: the system {candidate!r} is not compared"
    for one, other in twins:
        yield f"{one} and {other} predict the same spans: z is 0 between them, and p is 1"
    idle = [k for k, e in evaluations.items() if not e.spans.strict.micro().predicted]
    if idle:
        yield f"precision and F are 0 by definition where nothing was predicted: {', '.join(idle)}"
    # The gold spans and the labels are the same for all systems.
    yield from _corpus_notes(next(iter(evaluations.values())))


def _corpus_notes(evaluation: Evaluation) -> Iterator[str]:
    spans, unmapped = evaluation.spans.strict, evaluation.hipaa.unmapped
    if not spans.micro().gold:
        yield "there is no gold PHI, so recall and F are 0 by definition"
    elif absent := absent_labels(spans):
        yield (
            f"not in the gold, only predicted: {', '.join(absent)}; "
            "F and z are 0 by definition there"
        )
    if evaluation.signature.documents == 1:
        yield "with one document, intervals have no width and p is 1"
    if unmapped:
        yield f"no HIPAA identifier is known for {', '.join(unmapped)}"
