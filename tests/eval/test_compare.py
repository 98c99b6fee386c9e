"""Systems on the same documents are compared with a reference."""

from __future__ import annotations

import json

import pytest

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.eval import AlignmentError, Comparison, Scoring, compare, evaluate, format_comparison
from multideid.eval.statistics.significance import z_statistic

GOLD = [
    Document(f"n{n}", "Seen by Lee on 3/4.", (Span(8, 11, "NAME"), Span(15, 18, "DATE")))
    for n in range(20)
]
MULTI = [d if n else d.with_spans(d.spans[:1]) for n, d in enumerate(GOLD)]
MEGA = [d.with_spans(d.spans[: 1 + n % 2]) for n, d in enumerate(GOLD)]
MIST = [d.with_spans([]) for d in GOLD]
SYSTEMS = {"mist": MIST, "mega": MEGA, "multi": MULTI}


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare(GOLD, SYSTEMS, Scoring(n_resamples=500))


def test_each_system_has_the_scores_that_it_has_alone(comparison: Comparison) -> None:
    for name, predicted in SYSTEMS.items():
        alone = evaluate(GOLD, predicted, system=name, seed=0).to_dict()
        assert comparison.evaluations[name].to_dict() == alone


def test_z_is_against_the_reference_with_gold_tokens_on_both_sides(comparison: Comparison) -> None:
    date = next(row for row in comparison.classes if row.label == "DATE")
    assert date.n == 60
    assert set(date.z) == {"mist", "multi"}
    assert date.z["multi"] == z_statistic(date.f["multi"], date.f["mega"], 60, 60) > 1.96
    assert date.z["mist"] < -1.96


def test_rows_end_with_non_phi_and_phi_of_any_class(comparison: Comparison) -> None:
    labels = [row.label for row in comparison.classes]
    assert labels == ["DATE", "NAME", "non-PHI", "any PHI"]
    assert comparison.classes[-1].n == 80


def test_intervals_hold_the_figure_and_differences_are_paired(comparison: Comparison) -> None:
    for name, interval in comparison.intervals.items():
        f = comparison.evaluations[name].spans.strict.micro().f1
        assert interval.low <= interval.estimate == f <= interval.high
    assert set(comparison.differences) == {"mist", "mega"}
    ahead = comparison.differences["mega"]
    assert 0 < ahead.low < ahead.estimate < ahead.high


def test_identical_systems_differ_by_nothing_at_all() -> None:
    twins = compare(GOLD, {"mega": MEGA, "multi": MEGA}, Scoring(n_resamples=100))
    assert {z for row in twins.classes for z in row.z.values()} == {0.0}
    same = twins.differences["mega"]
    assert (same.low, same.estimate, same.high) == (0.0, 0.0, 0.0)


def test_missing_comparisons_are_explained() -> None:
    alone = compare(GOLD[:1], {"mist": MIST[:1]}, Scoring(n_resamples=10))
    assert alone.reference is None
    assert alone.candidate is None
    text = format_comparison(alone)
    assert "no z values: the reference system 'mega' is not compared" in text
    assert "no differences: the system 'multi' is not compared" in text
    assert "with one document, intervals have no width" in text


def test_another_reference_and_candidate_can_be_named() -> None:
    other = compare(GOLD, SYSTEMS, Scoring(n_resamples=10), reference="mist", candidate="mega")
    assert set(other.classes[0].z) == {"mega", "multi"}
    assert set(other.differences) == {"mist", "multi"}


def test_the_same_seed_gives_the_same_comparison(comparison: Comparison) -> None:
    shuffled = {name: documents[::-1] for name, documents in SYSTEMS.items()}
    again = compare(GOLD[::-1], shuffled, Scoring(n_resamples=500))
    assert again.to_dict() == comparison.to_dict()


def test_a_comparison_is_plain_json(comparison: Comparison) -> None:
    figures = comparison.to_dict()
    assert json.loads(json.dumps(figures, allow_nan=False)) == figures


def test_the_report_shows_every_system_with_mark_for_significance(comparison: Comparison) -> None:
    shown = format_comparison(comparison)
    spans = row_of("multi", shown, below="Overall, spans")
    assert spans[1:5] == ["1.0000", "0.9750", "0.9873", "0.9799"]
    dates = row_of("DATE", shown, below="Spans, strict F1 by class")
    assert dates == ["DATE", "20", "0.0000", "0.6667", "0.9744"]
    z = row_of("DATE", shown, below="Tokens, z of the difference from mega")
    assert z[1] == "60"
    assert all(cell.endswith("***") for cell in z[2:])
    assert shown.splitlines()[-1] == str(comparison.signature)


def test_the_candidate_is_tested_against_each_other_system(comparison: Comparison) -> None:
    assert comparison.p_values["mist"] == pytest.approx(1 / 501, rel=0.1)
    row = row_of("mega", format_comparison(comparison), below="Spans, strict F1, multi against")
    assert row[1] == f"{78 / 79 - 60 / 70:+.4f}"
    assert row[-1] == f"{comparison.p_values['mega']:.4f}**"


def test_reference_and_candidate_are_in_the_layout_of_the_thesis(
    comparison: Comparison,
) -> None:
    table = comparison.z_table()
    assert [row.label for row in table] == ["DATE", "NAME", "non-PHI", "any PHI"]
    assert table[0].z == comparison.classes[0].z["multi"]
    shown = row_of("DATE", format_comparison(comparison), below="Tokens, mega and multi")
    assert shown == ["DATE", "60", "0.66667", "0.97436", f"{table[0].z:+.5f}***"]


def test_no_line_of_the_tables_is_wider_than_a_hundred_columns() -> None:
    systems = {f"a-system-of-many-{n}": MULTI for n in range(9)} | SYSTEMS
    *tables, _, _ = format_comparison(compare(GOLD, systems, Scoring(n_resamples=10))).split("\n\n")
    assert max(len(line) for table in tables for line in table.splitlines()) <= 100


def row_of(name: str, shown: str, *, below: str) -> list[str]:
    table = shown[shown.index(f"\n{below}" if not shown.startswith(below) else below) :]
    return next(line.split() for line in table.splitlines() if line.startswith(f"{name} "))


def test_a_system_with_other_documents_is_refused_by_name() -> None:
    with pytest.raises(AlignmentError, match="the mist corpus lacks 'n19'"):
        compare(GOLD, {"mega": MEGA, "mist": MIST[:-1]})


def test_comparing_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="no system to compare"):
        compare(GOLD, {})
