"""A word of why, wherever a comparison shows nothing or can show nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from multideid.eval.metrics.notes import absent_labels
from multideid.eval.metrics.result import Evaluation


def comparison_notes(
    evaluations: Mapping[str, Evaluation],
    reference: str,
    candidate: str,
    *,
    twins: Iterable[tuple[str, str]],
) -> tuple[str, ...]:
    """Explain what of a comparison could not be computed, or is so by definition.

    Parameters
    ----------
    evaluations : mapping of str to Evaluation
        By system.
    reference, candidate : str
        As asked for, whether or not they are among the systems.
    twins : iterable of (str, str)
        Pairs of systems that predict the very same spans.
    """
    notes = []
    if reference not in evaluations:
        notes.append(f"no z values: the reference system {reference!r} is not compared")
    if candidate not in evaluations:
        notes.append(f"no differences: the system {candidate!r} is not compared")
    for one, other in twins:
        notes.append(f"{one} and {other} predict the same spans: z is 0 between them, and p is 1")
    return (*notes, *_on_systems(evaluations), *_on_corpus(next(iter(evaluations.values()))))


def _on_systems(evaluations: Mapping[str, Evaluation]) -> list[str]:
    idle = [k for k, e in evaluations.items() if not e.spans.strict.micro().predicted]
    if not idle:
        return []
    return [f"precision and F are 0 by definition where nothing was predicted: {', '.join(idle)}"]


def _on_corpus(evaluation: Evaluation) -> list[str]:
    """Explain what is so whatever the system; the labels are the same for all."""
    spans, unmapped = evaluation.spans.strict, evaluation.hipaa.unmapped
    notes = []
    if not spans.micro().gold:
        notes.append("there is no gold PHI, so recall and F are 0 by definition")
    elif absent := absent_labels(spans):
        notes.append(
            f"not in the gold, only predicted: {', '.join(absent)}; "
            "F is 0 by definition there, and z is 0 for want of a sample"
        )
    if evaluation.signature.documents == 1:
        notes.append("intervals have no width, and p is 1: there is one document only to draw from")
    if unmapped:
        notes.append(f"no HIPAA identifier is known for {', '.join(unmapped)}")
    return notes
