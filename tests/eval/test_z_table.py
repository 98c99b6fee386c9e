"""Two evaluations, class by class, in the layout of the thesis's appendix B."""

from __future__ import annotations

from multideid.document import Document, Span
from multideid.eval import evaluate, format_z_table, z_statistic, z_table

TEXT = "Seen by Lee on 3/4."
CLINIC = [Document(f"c{n}", TEXT, (Span(8, 11, "NAME"), Span(15, 18, "DATE"))) for n in range(9)]
WARD = [Document(f"w{n}", TEXT, (Span(8, 11, "NAME"),)) for n in range(4)]
HALF_CLINIC = [d if n % 2 else d.with_spans(d.spans[:1]) for n, d in enumerate(CLINIC)]


def test_corpora_of_different_size_and_labels_can_be_compared() -> None:
    table = z_table(evaluate(CLINIC, HALF_CLINIC), evaluate(WARD, WARD))
    date, name, other, phi = table
    assert [row.label for row in table] == ["DATE", "NAME", "non-PHI", "any PHI"]
    assert (date.n, date.z) == ((27, 0), 0.0)
    assert (name.n, name.f, name.z) == ((9, 4), (1.0, 1.0), 0.0)
    assert other.z == z_statistic(other.f[1], other.f[0], *other.n[::-1]) > 0
    assert phi.z > 0


def test_perfect_scores_are_one_and_comparable_whatever_beta() -> None:
    right, half = evaluate(CLINIC, CLINIC, beta=0.3), evaluate(CLINIC, HALF_CLINIC, beta=0.3)
    assert {row.f[1] for row in z_table(half, right)} == {1.0}


def test_it_is_laid_out_as_category_two_f_measures_and_z() -> None:
    right, half = evaluate(CLINIC, CLINIC), evaluate(CLINIC, HALF_CLINIC)
    shown = format_z_table(z_table(half, right), "Mega", "Multi")
    assert [line.split() for line in shown.splitlines()[:2]] == [
        ["Category", "n", "Mega", "Multi", "Z"],
        ["DATE", "27", "0.61538", "1.00000", "+3.58569***"],
    ]
    apart = format_z_table(z_table(half, evaluate(WARD, WARD)), "Clinic", "Ward")
    assert apart.splitlines()[0].split() == [
        "Category",
        "n",
        "Clinic",
        "n",
        "Ward",
        "Clinic",
        "Ward",
        "Z",
    ]
