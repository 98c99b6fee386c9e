"""The papers' own confusion matrices give the figures that they print.

Szarvas et al. print the matrix of one cell of Table 1 only: row ITR2_VOTE,
evaluation set, standardized. The row's other three cells cannot be reproduced
without theirs. The z values of the thesis are in test_thesis_tables.py.

MEDDOCAN's subtask 1 is defined without an example: a span is correct if
document, start, end and type agree, and scores are micro-averaged. Its
subtask 2 leaves the type out.
"""

from __future__ import annotations

import numpy as np

from multideid.document import Document, Span
from multideid.eval.metrics.span_metrics import count_spans
from multideid.eval.metrics.token_metrics import ConfusionMatrix

# Szarvas et al. 2007, Table 2: rows gold, columns predicted.
SZARVAS_LABELS = ("PATIENT", "DOCTOR", "LOCATION", "HOSPITAL", "DATE", "ID", "PHONE", "AGE")
SZARVAS_TABLE_2 = [
    [159022, 6, 16, 6, 12, 16, 5, 0, 0],
    [13, 501, 0, 0, 0, 0, 0, 0, 0],
    [82, 0, 2222, 0, 4, 1, 0, 0, 0],
    [92, 0, 4, 128, 12, 0, 0, 0, 0],
    [65, 0, 2, 15, 1514, 0, 2, 0, 0],
    [25, 0, 0, 0, 0, 3656, 2, 0, 0],
    [9, 1, 0, 0, 0, 0, 1190, 0, 0],
    [16, 0, 0, 0, 0, 0, 0, 69, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 3],
]


def test_szarvas_table_2_gives_the_row_itr2_vote_of_table_1() -> None:
    matrix = ConfusionMatrix(SZARVAS_LABELS, np.array(SZARVAS_TABLE_2))
    nine_way, eight_way = matrix.all_classes(), matrix.phi_classes()
    assert f"{100 * nine_way.f1:.4f}" == "99.7594"
    assert nine_way.precision == nine_way.recall == nine_way.f1
    figures = (eight_way.precision, eight_way.recall, eight_way.f1)
    assert [f"{100 * x:.2f}" for x in figures] == ["98.89", "96.42", "97.64"]


def test_tafvizi_table_2_gives_the_printed_figures_with_its_titles_exchanged() -> None:
    # Read as titled, 625 would be false alarms. The text's recall of 93.52
    # needs them to be misses: 9013 of the 9638 tokens of gold PHI are found.
    matrix = ConfusionMatrix(("PHI",), np.array([[158838, 243], [625, 9013]]))
    phi, other = matrix.two_way(), matrix.non_phi()
    figures = (phi.precision, phi.recall, phi.f1, other.precision, other.recall, other.f1)
    printed = ["97.37", "93.52", "95.41", "99.61", "99.85", "99.73"]
    assert [f"{100 * x:.2f}" for x in figures] == printed


def test_szarvas_well_formed_classes_are_the_most_accurate_as_the_text_says() -> None:
    scores = ConfusionMatrix(SZARVAS_LABELS, np.array(SZARVAS_TABLE_2)).per_class()
    assert {label for label, score in scores.items() if score.f1 > 0.99} == {"DATE", "ID", "AGE"}
    assert min(scores, key=lambda label: scores[label].f1) == "LOCATION"


def test_meddocan_counts_a_span_if_document_start_end_and_type_agree() -> None:
    text = "Ana Ruiz, 52 años, 3/4/2019"
    labels = ("EDAD_SUJETO_ASISTENCIA", "FECHAS", "NOMBRE_SUJETO_ASISTENCIA")
    age, date, name = (Span(*x) for x in zip((10, 19, 0), (17, 27, 8), labels, strict=True))
    gold = [Document("a", text, (name, age, date)), Document("b", text, (name,))]
    predicted = [
        # One right, one of another type, one too short.
        gold[0].with_spans([name, Span(10, 17, "FECHAS"), Span(19, 22, "FECHAS")]),
        # Right in the other document only.
        gold[1].with_spans([date]),
    ]
    strict = count_spans(gold, predicted, labels).micro()
    assert (strict.correct, strict.predicted, strict.gold) == (1, 4, 4)
    assert (strict.precision, strict.recall, strict.f1) == (0.25, 0.25, 0.25)
    assert count_spans(gold, predicted, labels, type_blind=True).micro().correct == 2
