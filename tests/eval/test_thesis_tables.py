"""The z values of the thesis's appendix B follow from its F-measures and token counts.

Tables B.1 to B.6 and B.8: every printed z is the z of the printed F-measures
with the token counts of the testing sub-corpora (Tables 5.1 and 5.2), cut off
after the fifth decimal; except for the Locations of B.4 and B.8, where the
F-measures must have had more decimals than are printed.

Table B.7 cannot be had from those counts. All its nine values follow if the
two sample sizes add up to the testing sub-corpus's count of the class; the
thesis does not say so, and the sizes below were found by trying all of them.
"""

from __future__ import annotations

import math
from itertools import product

import pytest

from multideid.eval.statistics.significance import SIGNIFICANT_Z, z_statistic

CLASSES = "non-PHI Patients Doctors Locations Hospitals Dates IDs Phones Ages".split()

# Tokens of the testing sub-corpora, Tables 5.1 and 5.2.
CHALLENGE = (133623, 402, 2097, 216, 1602, 2161, 1198, 70, 3)
OBESITY = (570174, 904, 7492, 1389, 2850, 7016, 3491, 274, 0)

# F-measures of "all features", and of Multi, by corpus.
AUTHENTIC_CHALLENGE = (0.99726, 0.97517, 0.96467, 0.54190, 0.80210, 0.98500, 0.99417, 0.85906, 0.0)
SURROGATE_CHALLENGE = (
    0.99840,
    0.97410,
    0.97991,
    0.66120,
    0.90033,
    0.99302,
    0.99582,
    0.88889,
    0.66667,
)
AUTHENTIC_OBESITY = (0.99858, 0.96860, 0.98203, 0.86688, 0.92171, 0.95821, 0.97837, 0.91683, 0.0)
SURROGATE_OBESITY = (0.99913, 0.97488, 0.99136, 0.92321, 0.95253, 0.97322, 0.98030, 0.88211, 0.0)
AUTHENTIC_STANFORD = (0.99725, 0.96903, 0.95061, 0.49863, 0.81075, 0.98526, 0.99208, 0.85906, 0.0)
SURROGATE_STANFORD = (0.99831, 0.97410, 0.97987, 0.67567, 0.89915, 0.98907, 0.99583, 0.86667, 0.8)
TEN_FOLD = (0.99898, 0.99057, 0.98894, 0.0, 0.95510, 0.99877, 0.99268, 0.98667, 0.5)
MULTI = (0.99883, 0.0, 0.98332, 0.72261, 0.92906, 0.99224, 0.99252, 0.84137, 0.5)

# Each table: F-measures and counts of either side, and the z values printed.
TABLES = {
    "B.1": (
        (AUTHENTIC_CHALLENGE, CHALLENGE),
        (AUTHENTIC_STANFORD, CHALLENGE),
        (0.04940, 0.52857, 2.26042, 0.90008, 0.61962, 0.07061, 0.61904, 0, 0),
    ),
    "B.2": (
        (SURROGATE_CHALLENGE, CHALLENGE),
        (SURROGATE_STANFORD, CHALLENGE),
        (0.57404, 0, 0.00922, 0.31942, 0.11119, 1.37825, 0.00379, 0.40134, 0.36926),
    ),
    "B.3": (
        (AUTHENTIC_CHALLENGE, CHALLENGE),
        (SURROGATE_CHALLENGE, CHALLENGE),
        (6.33245, 0.09648, 3.00644, 2.53238, 7.81198, 2.52864, 0.57224, 0.53175, 1.73205),
    ),
    "B.4": (
        (AUTHENTIC_CHALLENGE, CHALLENGE),
        (AUTHENTIC_OBESITY, OBESITY),
        (10.63455, 0.64901, 4.81555, 11.64522, 11.73130, 5.88624, 3.58923, 1.47168, 0),
    ),
    "B.5": (
        (AUTHENTIC_OBESITY, OBESITY),
        (SURROGATE_OBESITY, OBESITY),
        (8.68355, 0.80568, 4.98386, 4.84341, 4.79276, 4.88578, 0.56680, 1.35144, 0),
    ),
    "B.6": (
        (SURROGATE_CHALLENGE, CHALLENGE),
        (SURROGATE_OBESITY, OBESITY),
        (7.56664, 0.08276, 4.41499, 11.35680, 6.72090, 5.47237, 3.72450, 0.15779, 0),
    ),
    "B.8": (
        (AUTHENTIC_CHALLENGE, CHALLENGE),
        (MULTI, CHALLENGE),
        (9.18706, 27.65936, 3.79451, 3.89474, 10.53410, 2.24370, 0.49667, 0.29326, 1.41421),
    ),
}
ROUNDED_FURTHER = {("B.4", "Locations"), ("B.8", "Locations")}
CELLS = [(table, label) for table in TABLES for label in CLASSES]

TABLE_B7 = (2.06790, 1.26863, 1.41607, 1.95803, 2.76441, 1.36176, 0.71322, 1.74311, 0)
B7_TEN_FOLD_SIZES = (23000, 213, 590, 2, 250, 405, 410, 38, 3)


def sides(table: str, label: str) -> tuple[float, float, int, int, float]:
    (f1, n1), (f2, n2), printed = TABLES[table]
    row = CLASSES.index(label)
    return f1[row], f2[row], n1[row], n2[row], printed[row]


def cut(z: float) -> float:
    # A binary fraction may be slightly less than the decimal one that it represents.
    return math.floor(abs(z) * 1e5 + 1e-6) / 1e5


@pytest.mark.parametrize(("table", "label"), [c for c in CELLS if c not in ROUNDED_FURTHER])
def test_z_follows_from_the_f_measures_and_the_counts_to_the_last_decimal(
    table: str, label: str
) -> None:
    *figures, printed = sides(table, label)
    assert cut(z_statistic(*figures)) == printed


@pytest.mark.parametrize(("table", "label"), sorted(ROUNDED_FURTHER))
def test_z_of_locations_is_among_those_that_rounded_f_measures_can_give(
    table: str, label: str
) -> None:
    f1, f2, n1, n2, printed = sides(table, label)
    half = 5e-6
    possible = [
        abs(z_statistic(f1 + a, f2 + b, n1, n2)) for a, b in product((-half, half), repeat=2)
    ]
    assert min(possible) < printed < max(possible)
    assert cut(z_statistic(f1, f2, n1, n2)) != printed


@pytest.mark.parametrize("label", CLASSES)
def test_table_b7_does_not_follow_from_the_counts_of_table_5_1(label: str) -> None:
    row = CLASSES.index(label)
    n = CHALLENGE[row]
    z = z_statistic(TEN_FOLD[row], SURROGATE_CHALLENGE[row], n, n)
    assert abs(z) > TABLE_B7[row] + 0.3


@pytest.mark.parametrize("label", CLASSES)
def test_table_b7_follows_from_sizes_that_add_up_to_the_counts_of_table_5_1(label: str) -> None:
    row = CLASSES.index(label)
    n1 = B7_TEN_FOLD_SIZES[row]
    z = z_statistic(TEN_FOLD[row], SURROGATE_CHALLENGE[row], n1, CHALLENGE[row] - n1)
    assert cut(z) == TABLE_B7[row]


def test_classes_that_a_testing_sub_corpus_lacks_have_no_z() -> None:
    assert [sides(table, "Ages")[-1] for table in ("B.4", "B.5", "B.6")] == [0, 0, 0]
    assert z_statistic(*sides("B.6", "Ages")[:-1]) == 0.0


def test_multi_is_significantly_better_than_mega_where_the_thesis_says_so() -> None:
    z = {}
    for label in CLASSES:
        mega, multi, n1, n2, _ = sides("B.8", label)
        z[label] = z_statistic(multi, mega, n2, n1)
    better = {label for label, value in z.items() if value > SIGNIFICANT_Z}
    assert better == {"non-PHI", "Doctors", "Locations", "Hospitals", "Dates"}
    assert z["Patients"] < -SIGNIFICANT_Z
