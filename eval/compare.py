"""Several systems on the same gold documents, in one comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from multideid.document import Document
from multideid.errors import UsageError
from multideid.eval.align import align
from multideid.eval.result import Evaluation, all_labels, score_aligned
from multideid.eval.scores import Score, check_beta
from multideid.eval.signature import Signature
from multideid.eval.significance import (
    FloatArray,
    Interval,
    bootstrap_f,
    percentile_interval,
    z_statistic,
)
from multideid.eval.token_metrics import NON_PHI
from multideid.eval.tokens import TokenView

ANY_PHI = "any PHI"
"""What tables call the two-way score."""


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
        z by system, positive where it is better than the reference; without
        the reference itself, and empty if there is none.
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
        By system, all over the same labels.
    reference : str or None
        The system that the z values are against.
    candidate : str or None
        The system whose advantage over each other one `differences` holds.
    classes : tuple of ClassComparison
        Token level: every PHI class, then non-PHI, then PHI of any class.
    intervals : dict of str to Interval
        Bootstrap interval of each system's strict span micro F-measure.
    differences : dict of str to Interval
        By other system: the candidate's strict span micro F less its own.
    notes : tuple of str
        What could not be computed, and why.
    """

    signature: Signature
    evaluations: dict[str, Evaluation]
    reference: str | None
    candidate: str | None
    classes: tuple[ClassComparison, ...]
    intervals: dict[str, Interval]
    differences: dict[str, Interval]
    notes: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The PHI labels scored, sorted."""
        return next(iter(self.evaluations.values())).labels

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
            "notes": list(self.notes),
        }


def compare(  # noqa: PLR0913 -- keywords, each with a default
    gold: Iterable[Document],
    systems: Mapping[str, Iterable[Document]],
    *,
    reference: str = "mega",
    candidate: str = "multi",
    tokenization: str = "multideid",
    beta: float = 1.0,
    n_resamples: int = 10_000,
    folds: int | None = None,
    seed: int = 0,
) -> Comparison:
    """Score several systems' predictions for the same gold documents.

    Parameters
    ----------
    gold : iterable of Document
    systems : mapping of str to iterable of Document
        Each system's predicted documents, in any order.
    reference : str
        The system that token-level F-measures are compared with, as in the
        thesis's Table B.8. If it is not among `systems`, there are no z values.
    candidate : str
        The system whose differences from each other one get an interval. If
        it is not among `systems`, there are none.
    tokenization : {"multideid", "whitespace"}
    beta : float
    n_resamples : int
        Draws of the paired bootstrap over documents.
    folds : int, optional
        For the signature.
    seed : int
        Of the bootstrap.

    Returns
    -------
    Comparison

    Raises
    ------
    AlignmentError
        If a system's documents are not those of the gold corpus.
    UsageError
        If there is no system, tokenization, beta or resample to work with.
    """
    check_beta(beta)
    if not systems:
        raise UsageError("there is no system to compare; give at least one system's predictions")
    documents, predictions = _align_all(list(gold), systems)
    signature = Signature.of(
        documents, systems, tokenization=tokenization, beta=beta, folds=folds, seed=seed
    )
    evaluations = _evaluate_all(documents, predictions, signature)
    against = reference if reference in systems else None
    favoured = candidate if candidate in systems else None
    samples = _resample(evaluations, n_resamples, seed, beta)
    return Comparison(
        signature=signature,
        evaluations=evaluations,
        reference=against,
        candidate=favoured,
        classes=_class_rows(evaluations, against, beta),
        intervals=_intervals(evaluations, samples, beta),
        differences=_differences(evaluations, samples, favoured, beta),
        notes=_notes(systems, reference, candidate, len(documents)),
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
    labels = all_labels(gold, *predictions.values())
    return {
        name: score_aligned(gold, predicted, tokens, labels, replace(signature, systems=(name,)))
        for name, predicted in predictions.items()
    }


def _resample(
    evaluations: Mapping[str, Evaluation], n_resamples: int, seed: int, beta: float
) -> dict[str, FloatArray]:
    counts = np.stack([e.spans.strict.per_document() for e in evaluations.values()])
    samples = bootstrap_f(counts, n_resamples=n_resamples, seed=seed, beta=beta)
    return dict(zip(evaluations, samples, strict=True))


def _class_rows(
    evaluations: Mapping[str, Evaluation], reference: str | None, beta: float
) -> tuple[ClassComparison, ...]:
    by_system = {name: _token_classes(e) for name, e in evaluations.items()}
    labels = next(iter(by_system.values()))
    rows = []
    for n, (label, first) in enumerate(labels):
        f = {name: scores[n][1].f(beta) for name, scores in by_system.items()}
        rows.append(ClassComparison(label, first.gold, f, _z_against(reference, f, first.gold)))
    return tuple(rows)


def _token_classes(evaluation: Evaluation) -> list[tuple[str, Score]]:
    tokens = evaluation.tokens
    return [
        *tokens.per_class().items(),
        (NON_PHI, tokens.non_phi()),
        (ANY_PHI, tokens.two_way()),
    ]


def _z_against(reference: str | None, f: Mapping[str, float], n: int) -> dict[str, float]:
    if reference is None:
        return {}
    return {k: z_statistic(v, f[reference], n, n) for k, v in f.items() if k != reference}


def _span_f(evaluation: Evaluation, beta: float) -> float:
    return evaluation.spans.strict.micro().f(beta)


def _intervals(
    evaluations: Mapping[str, Evaluation], samples: Mapping[str, FloatArray], beta: float
) -> dict[str, Interval]:
    return {k: percentile_interval(_span_f(e, beta), samples[k]) for k, e in evaluations.items()}


def _differences(
    evaluations: Mapping[str, Evaluation],
    samples: Mapping[str, FloatArray],
    candidate: str | None,
    beta: float,
) -> dict[str, Interval]:
    if candidate is None:
        return {}
    own = _span_f(evaluations[candidate], beta)
    return {
        k: percentile_interval(own - _span_f(e, beta), samples[candidate] - samples[k])
        for k, e in evaluations.items()
        if k != candidate
    }


def _notes(
    systems: Mapping[str, object], reference: str, candidate: str, n_documents: int
) -> tuple[str, ...]:
    notes = []
    if reference not in systems:
        notes.append(f"no z values: the reference system {reference!r} is not compared")
    if candidate not in systems:
        notes.append(f"no differences: the system {candidate!r} is not compared")
    if n_documents == 1:
        notes.append("intervals have no width: there is one document only to draw from")
    return tuple(notes)
