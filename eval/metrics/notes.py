"""A word of why, wherever a figure is zero by definition only or is left out."""

from __future__ import annotations

from multideid.eval.metrics.hipaa import HipaaView
from multideid.eval.metrics.span_metrics import SpanCounts


def evaluation_notes(spans: SpanCounts, hipaa: HipaaView) -> tuple[str, ...]:
    """Explain one system's figures.

    Parameters
    ----------
    spans : SpanCounts
        Under strict matching.
    hipaa : HipaaView
    """
    total = spans.micro()
    notes = []
    if not total.gold:
        notes.append("there is no gold PHI, so recall and F are 0 by definition")
    if not total.predicted:
        notes.append("nothing was predicted, so precision and F are 0 by definition")
    if total.gold and (absent := absent_labels(spans)):
        notes.append(
            f"predicted, but not in the gold: {', '.join(absent)}; "
            "recall and F are 0 by definition there"
        )
    if hipaa.unmapped:
        listed = ", ".join(f"{label} ({n} gold)" for label, n in hipaa.unmapped.items())
        notes.append(f"no HIPAA identifier is known for {listed}; the HIPAA view leaves them out")
    return tuple(notes)


def absent_labels(spans: SpanCounts) -> list[str]:
    """Return the labels that only predictions have."""
    return [label for label, score in spans.per_class().items() if not score.gold]
