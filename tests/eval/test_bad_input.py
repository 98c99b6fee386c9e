"""At the edge every figure is finite, with a word of why where it is 0 by definition."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from multideid.document import Document, Span
from multideid.eval import Scoring, compare, evaluate, format_comparison, format_evaluation

TEXT = "Seen by Lee on 3/4."
NAME, DATE, AGE = Span(8, 11, "NAME"), Span(15, 18, "DATE"), Span(15, 16, "AGE")


def corpus(*spans: Span, n: int = 6) -> list[Document]:
    return [Document(f"n{k}", TEXT, spans) for k in range(n)]


BOTH, NAMES, NOTHING = corpus(NAME, DATE), corpus(NAME), corpus()
HALF = [d if k % 2 else d.with_spans([]) for k, d in enumerate(BOTH)]

CASES = {
    "one class": (NAMES, NAMES, HALF),
    "one class, and another predicted": (NAMES, BOTH, NAMES),
    "a class absent in test": (BOTH, corpus(NAME, AGE), BOTH),
    "zero predictions of the candidate": (BOTH, NOTHING, BOTH),
    "zero predictions of the reference": (BOTH, BOTH, NOTHING),
    "zero predictions of both": (BOTH, NOTHING, NOTHING),
    "identical systems": (BOTH, HALF, HALF),
    "perfect systems": (BOTH, BOTH, BOTH),
    "no gold PHI": (NOTHING, NAMES, NOTHING),
    "nothing at all": (NOTHING, NOTHING, NOTHING),
    "one document": (BOTH[:1], NAMES[:1], NOTHING[:1]),
    "no text": ([Document("n", "")], [Document("n", "")], [Document("n", "")]),
}


def numbers(figures: Any) -> Iterator[float]:
    if isinstance(figures, dict):
        figures = list(figures.values())
    if isinstance(figures, list):
        for inner in figures:
            yield from numbers(inner)
    elif isinstance(figures, int | float):
        yield figures


@pytest.mark.parametrize("case", CASES)
def test_every_figure_is_finite(case: str) -> None:
    gold, multi, mega = CASES[case]
    comparison = compare(gold, {"mega": mega, "multi": multi}, Scoring(n_resamples=50))
    assert all(map(math.isfinite, numbers(comparison.to_dict())))
    json.dumps(comparison.to_dict(), allow_nan=False)
    assert 0 < comparison.p_values["mega"] <= 1
    interval = comparison.differences["mega"]
    assert -1 <= interval.low <= interval.high <= 1
    shown = format_comparison(comparison) + format_evaluation(evaluate(gold, multi))
    assert "nan" not in shown.lower()
    assert "inf" not in shown.lower()


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (
            "a class absent in test",
            "not in the gold, only predicted: AGE; F and z are 0 by definition",
        ),
        ("zero predictions of the candidate", "where nothing was predicted: multi"),
        ("zero predictions of both", "where nothing was predicted: mega, multi"),
        ("identical systems", "mega and multi predict the same spans: z is 0 between them"),
        ("no gold PHI", "there is no gold PHI"),
        ("one document", "with one document, intervals have no width"),
    ],
)
def test_a_comparison_explains_itself(case: str, why: str) -> None:
    gold, multi, mega = CASES[case]
    comparison = compare(gold, {"mega": mega, "multi": multi}, Scoring(n_resamples=50))
    assert why in " ".join(comparison.notes)
    assert why in format_comparison(comparison)


@pytest.mark.parametrize(
    ("gold", "predicted", "why"),
    [
        (BOTH, NOTHING, "nothing was predicted, so precision and F are 0 by definition"),
        (NOTHING, NAMES, "there is no gold PHI, so recall and F are 0 by definition"),
        (BOTH, corpus(NAME, AGE), "predicted, but not in the gold: AGE"),
    ],
)
def test_an_evaluation_explains_itself(
    gold: Sequence[Document], predicted: Sequence[Document], why: str
) -> None:
    result = evaluate(gold, predicted)
    assert why in " ".join(result.notes)
    assert why in " ".join(result.to_dict()["notes"])
    assert f"Note: {why}" in format_evaluation(result)


def test_a_plain_comparison_has_no_notes() -> None:
    assert compare(BOTH, {"mega": HALF, "multi": BOTH}, Scoring(n_resamples=50)).notes == ()
    assert evaluate(BOTH, HALF).notes == ()


def test_identical_systems_differ_by_nothing_and_p_is_one() -> None:
    twins = compare(BOTH, {"mega": HALF, "multi": HALF}, Scoring(n_resamples=50))
    assert {z for row in twins.classes for z in row.z.values()} == {0.0}
    assert {row.z for row in twins.z_table()} == {0.0}
    assert twins.p_values == {"mega": 1.0}
    same = twins.differences["mega"]
    assert (same.low, same.estimate, same.high) == (0.0, 0.0, 0.0)


def test_z_is_zero_where_the_gold_has_none_of_a_class() -> None:
    comparison = compare(BOTH, {"mega": corpus(NAME, AGE), "multi": BOTH}, Scoring(n_resamples=50))
    ages = next(row for row in comparison.z_table() if row.label == "AGE")
    assert (ages.n, ages.f, ages.z) == ((0, 0), (0.0, 0.0), 0.0)
