"""One call gives every score, whatever the order of documents and the labels."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.eval import evaluate, format_evaluation

GOLD = [
    Document("a", "Seen by Ann Lee on 3/4.", (Span(8, 15, "NAME"), Span(19, 22, "DATE"))),
    Document("b", "Ann Lee, aged 93", (Span(0, 7, "NAME"), Span(14, 16, "AGE"))),
]
PREDICTED = [
    GOLD[0].with_spans([Span(8, 15, "NAME"), Span(19, 20, "DATE")]),
    GOLD[1].with_spans([Span(0, 7, "CITY")]),
]


def test_both_views_and_the_leak_are_counted() -> None:
    result = evaluate(GOLD, PREDICTED)
    assert result.labels == ("AGE", "CITY", "DATE", "NAME")
    spans = result.spans
    strict = spans.strict.micro()
    assert (strict.correct, strict.predicted, strict.gold) == (1, 3, 4)
    assert spans.relaxed.micro().correct == 2
    assert spans.strict_type_blind.micro().correct == 2
    assert spans.relaxed_type_blind.micro().correct == 3
    two_way, classes = result.tokens.two_way(), result.tokens.phi_classes()
    assert (two_way.correct, two_way.predicted, two_way.gold) == (5, 5, 8)
    assert classes.correct == 3
    assert (result.leak.characters, result.leak.documents) == (3, 2)


def test_whitespace_tokens_can_be_asked_for() -> None:
    result = evaluate(GOLD, PREDICTED, tokenization="whitespace")
    assert result.tokens.all_classes().gold == 10
    assert result.signature.tokenization == "whitespace"


def test_perfect_predictions_score_one_everywhere() -> None:
    result = evaluate(GOLD, GOLD).to_dict()
    assert result["spans"]["strict"]["macro"]["f"] == 1.0
    assert result["tokens"]["two_way"]["f"] == result["tokens"]["all_classes"]["f"] == 1.0
    assert result["leak"]["characters"] == 0


def test_predictions_without_a_span_score_zero_and_stay_finite() -> None:
    result = evaluate(GOLD, [d.with_spans([]) for d in GOLD])
    assert result.spans.strict.micro().to_dict() == {
        "precision": 0.0,
        "recall": 0.0,
        "f": 0.0,
        "f2": 0.0,
        "correct": 0,
        "predicted": 0,
        "gold": 4,
    }
    assert "nan" not in format_evaluation(result).lower()


def test_documents_without_tokens_and_corpora_without_phi_can_be_scored() -> None:
    empty = [Document("a", ""), Document("b", " \n")]
    result = evaluate(empty, empty)
    assert result.tokens.all_classes().gold == 0
    json.dumps(result.to_dict(), allow_nan=False)
    assert "0-way" in format_evaluation(result)


@given(st.permutations(GOLD), st.permutations(PREDICTED))
def test_the_order_of_documents_does_not_matter(
    gold: list[Document], predicted: list[Document]
) -> None:
    assert evaluate(gold, predicted).to_dict() == evaluate(GOLD, PREDICTED).to_dict()


def test_beta_weighs_recall_in_every_f_measure() -> None:
    strict = evaluate(GOLD, PREDICTED, beta=2).to_dict()["spans"]["strict"]["micro"]
    p, r = 1 / 3, 1 / 4
    assert strict["f"] == pytest.approx(5 * p * r / (4 * p + r))


@pytest.mark.parametrize("beta", [0, -1, 1e200, float("nan"), float("inf")])
def test_an_impossible_beta_is_refused(beta: float) -> None:
    with pytest.raises(UsageError, match="beta"):
        evaluate(GOLD, PREDICTED, beta=beta)


def test_figures_are_plain_json_and_come_with_their_signature() -> None:
    result = evaluate(GOLD, PREDICTED, system="mist", folds=5, seed=1)
    copy = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert copy == result.to_dict()
    assert copy["signature"]["systems"] == ["mist"]
    assert str(result.signature) in format_evaluation(result)


def test_the_report_shows_both_views_per_class_in_aligned_columns() -> None:
    lines = format_evaluation(evaluate(GOLD, PREDICTED)).splitlines()
    names = [line for line in lines if line.startswith("NAME")]
    score = ["1.0000", "0.5000", "0.6667", "0.5556"]
    assert [line.split() for line in names] == [
        ["NAME", *score, "2", "1", "1"],
        ["NAME", *score, "4", "2", "2"],
        ["NAME", "CITY", "2"],
        ["NAME", "direct", "0", "12", "0.00%", "0/2"],
        ["NAME", "2", *score, *score],
    ]
    header = lines[2]
    assert header.split() == ["class", "P", "R", "F1", "F2", "gold", "predicted", "correct"]
    assert len(header) == len(names[0])
    assert any(line.startswith("4-way (PHI classes)") for line in lines)


def test_no_text_of_a_document_is_in_reports_or_reprs() -> None:
    result = evaluate(GOLD, PREDICTED)
    shown = format_evaluation(result) + repr(result) + json.dumps(result.to_dict())
    assert "Lee" not in shown
