"""Comparisons on several corpora have one table, with each comparison below."""

from __future__ import annotations

import pytest

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.eval import (
    Scoring,
    compare,
    comparisons_to_dict,
    format_comparison,
    format_comparisons,
)

GOLD = [Document(f"n{n}", "Seen by Lee.", (Span(8, 11, "NAME"),)) for n in range(8)]
NOTHING = [d.with_spans([]) for d in GOLD]
WARD = compare(GOLD, {"mega": NOTHING, "multi": GOLD}, Scoring(n_resamples=99))
CLINIC = compare(GOLD[:4], {"mega": GOLD[:4], "multi": GOLD[:4]}, Scoring(n_resamples=99))
BOTH = {"ward": WARD, "clinic": CLINIC}


def test_each_row_is_a_corpus_and_a_system() -> None:
    lines = format_comparisons(BOTH).splitlines()
    header = next(n for n, line in enumerate(lines) if line.startswith("corpus"))
    rows = [line.split() for line in lines[header + 1 : header + 6]]
    scores = ["0.0000"] * 2, ["1.0000"] * 2
    assert rows[0][:6] == [
        "ward",
        "mega",
        *scores[0],
        "0.0000-0.0000",
        f"{WARD.p_values['mega']:.4f}*",
    ]
    assert rows[1][:5] == ["ward", "multi", *scores[1], "1.0000-1.0000"]
    assert rows[2] == []
    assert rows[3][5:] == ["1.0000", *scores[1], *scores[1], "0/4"]
    assert rows[0][-1] == "8/8"


def test_each_comparison_is_shown_below_as_it_is_alone() -> None:
    shown = format_comparisons(BOTH)
    for name, comparison in BOTH.items():
        assert f"\n{name}\n{'=' * len(name)}\n\n{format_comparison(comparison)}" in shown
    assert comparisons_to_dict(BOTH)["corpora"]["clinic"] == CLINIC.to_dict()


def test_a_lone_corpus_is_shown_as_ever() -> None:
    assert format_comparisons({"ward": WARD}) == format_comparison(WARD)
    assert comparisons_to_dict({"ward": WARD}) == WARD.to_dict()


@pytest.mark.parametrize("show", [format_comparisons, comparisons_to_dict])
def test_no_corpus_is_refused(show) -> None:
    with pytest.raises(UsageError, match="at least one corpus"):
        show({})
