"""Several systems on the same gold documents, in one comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from multideid.document import Document
from multideid.errors import UsageError
from multideid.eval.comparison_notes import comparison_notes
from multideid.eval.metrics.align import align
from multideid.eval.metrics.result import Evaluation, all_labels, score_aligned
from multideid.eval.metrics.scores import check_beta
from multideid.eval.metrics.tokens import TokenView
from multideid.eval.reports.z_table import ANY_PHI, ZRow, token_classes, z_table
from multideid.eval.signature import Signature
from multideid.eval.statistics.paired import paired_tests
from multideid.eval.statistics.significance import Interval, z_statistic

__all__ = ["ANY_PHI", "ClassComparison", "Comparison", "compare"]


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
    p_values : dict of str to float
        By other system: two-sided p of that difference by approximate
        randomization.
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
    p_values: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The PHI labels scored, sorted."""
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
    params: Mapping[str, Mapping[str, Any]] | None = None,
    knowledge: Mapping[str, str] | None = None,
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
        The system whose difference from each other one gets an interval and a
        p. If it is not among `systems`, there are none.
    tokenization : {"multideid", "whitespace"}
    beta : float
    n_resamples : int
        Draws of the paired bootstrap over documents, and shuffles of the
        randomization test.
    folds : int, optional
        For the signature.
    seed : int
        Of both.
    params : mapping of str to mapping, optional
        Parameters of the base systems behind the predictions, for the signature.
    knowledge : mapping of str to str, optional
        Knowledge sources that these drew on, with their versions, for the signature.

    Returns
    -------
    Comparison

    Raises
    ------
    AlignmentError
        If a system's documents are not those of the gold corpus.
    UsageError
        If there is no system, tokenization, beta or resample to work with, or
        `params` cannot be told.
    """
    check_beta(beta)
    if not systems:
        raise UsageError("there is no system to compare; give at least one system's predictions")
    documents, predictions = _align_all(list(gold), systems)
    signature = Signature.of(
        documents,
        systems,
        tokenization=tokenization,
        beta=beta,
        folds=folds,
        seed=seed,
        n_resamples=n_resamples,
        params=params,
        knowledge=knowledge,
    )
    evaluations = _evaluate_all(documents, predictions, signature)
    against = reference if reference in systems else None
    favoured = candidate if candidate in systems else None
    tests = paired_tests(evaluations, favoured, n_resamples=n_resamples, seed=seed, beta=beta)
    return Comparison(
        signature=signature,
        evaluations=evaluations,
        reference=against,
        candidate=favoured,
        classes=_class_rows(evaluations, against, beta),
        intervals=tests.intervals,
        differences=tests.differences,
        p_values=tests.p_values,
        notes=comparison_notes(
            evaluations, reference, candidate, twins=_twins(predictions, (reference, candidate))
        ),
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


def _twins(
    predictions: Mapping[str, Sequence[Document]], of: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    """Pair the systems `of` with others that predict the very same spans."""
    spans = {name: [d.spans for d in documents] for name, documents in predictions.items()}
    named = [name for name in dict.fromkeys(of) if name in spans]
    return tuple(
        (one, other)
        for n, one in enumerate(named)
        for other in spans
        if other not in named[: n + 1] and spans[one] == spans[other]
    )
