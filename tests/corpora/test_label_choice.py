"""A choice of labels leaves the spans of these labels, and is checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from multideid.corpora.label_choice import check_labels_occur, with_labels
from multideid.document import Document, Span
from multideid.errors import UsageError

NOTE = Document("n", "Ann 3/4", (Span(0, 3, "PATIENT"), Span(4, 7, "DATE")))
HERE = Path("notes")


def test_other_spans_are_as_if_nobody_had_annotated_them() -> None:
    (chosen,) = with_labels([NOTE], ["PATIENT"])
    assert chosen == NOTE.with_spans([Span(0, 3, "PATIENT")])


@pytest.mark.parametrize(
    ("labels", "problem"),
    [
        (["PATIENT", "DOCTR"], "notes: no span is labelled DOCTR; there are: DATE, PATIENT"),
        ([], "notes: no label is given; there are: DATE, PATIENT"),
    ],
)
def test_a_label_that_does_not_occur_is_refused(labels: list[str], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        check_labels_occur([NOTE], labels, HERE)


def test_labels_that_occur_are_accepted() -> None:
    check_labels_occur([NOTE], ["DATE"], HERE)
