"""Predictions are also scored by HIPAA's identifiers; labels without one are reported."""

from __future__ import annotations

from multideid.document import Document, Span
from multideid.eval import (
    ConfusionMatrix,
    Scoring,
    compare,
    evaluate,
    format_comparison,
    format_evaluation,
)

TEXT = "Ann Lee of Rye, NY, aged 93, seen 3/4 by B-7."
GOLD = [
    Document(
        "n",
        TEXT,
        tuple(
            Span(TEXT.index(words), TEXT.index(words) + len(words), label)
            for words, label in (
                ("Ann Lee", "PATIENT"),
                ("Rye", "CITY"),
                ("NY", "STATE"),
                ("93", "AGE"),
                ("3/4", "DATE"),
                ("B-7", "BADGE"),
            )
        ),
    )
]
# A doctor for a patient, a state for a town, a date for an age; nothing else.
CONFUSED = [
    GOLD[0].with_spans(
        Span(s.start, s.end, {"PATIENT": "DOCTOR", "CITY": "STATE", "AGE": "DATE"}[s.label])
        for s in GOLD[0].spans
        if s.label in ("PATIENT", "CITY", "AGE")
    )
]


def test_labels_of_one_identifier_are_one_class() -> None:
    view = evaluate(GOLD, CONFUSED).hipaa
    assert view.spans.labels == view.tokens.labels == ("NAME", "GEOGRAPHIC", "DATE")
    spans = {label: (s.correct, s.predicted, s.gold) for label, s in view.spans.per_class().items()}
    assert spans == {"NAME": (1, 1, 1), "GEOGRAPHIC": (1, 1, 2), "DATE": (1, 1, 2)}
    tokens = {label: (s.correct, s.gold) for label, s in view.tokens.per_class().items()}
    assert tokens == {"NAME": (2, 2), "GEOGRAPHIC": (1, 2), "DATE": (1, 4)}
    assert evaluate(GOLD, CONFUSED).spans.strict.micro().correct == 0


def test_a_label_without_identifier_is_left_out_and_reported() -> None:
    result = evaluate(GOLD, GOLD)
    assert result.hipaa.unmapped == {"BADGE": 1}
    assert result.hipaa.spans.micro().gold == 5
    assert result.to_dict()["hipaa"]["unmapped"] == {"BADGE": 1}
    assert "no HIPAA identifier is known for BADGE (1 gold)" in format_evaluation(result)
    comparison = compare(GOLD, {"multi": GOLD}, Scoring(n_resamples=10))
    assert "no HIPAA identifier is known for BADGE" in format_comparison(comparison)


def test_a_corpus_of_unknown_labels_only_has_an_empty_view() -> None:
    badge = [GOLD[0].with_spans(GOLD[0].spans[-1:])]
    result = evaluate(badge, badge)
    assert result.hipaa.spans.micro().gold == result.hipaa.tokens.two_way().gold == 0
    assert "HIPAA identifiers (" not in format_evaluation(result)


def test_merging_classes_loses_no_token() -> None:
    matrix = evaluate(GOLD, CONFUSED).tokens
    merged = matrix.merged({"PATIENT": "NAME", "DOCTOR": "NAME"}, ["NAME"])
    assert isinstance(merged, ConfusionMatrix)
    assert merged.counts.sum() == matrix.counts.sum()
    assert (merged.per_class()["NAME"].correct, merged.two_way().gold) == (2, 2)
