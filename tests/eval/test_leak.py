"""A leak is a letter or digit of gold PHI that no prediction covers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.eval.metrics.leak import LeakCounts, count_leaks

LABELS = ("DATE", "NAME")
NOTE = Document("n", "Ann Lee, 3/4", (Span(0, 7, "NAME"), Span(9, 12, "DATE")))
OTHER = Document("m", NOTE.text, NOTE.spans)


def test_what_no_span_covers_is_left_standing() -> None:
    leak = count_leaks([NOTE], [NOTE.with_spans([Span(0, 5, "NAME")])], LABELS).overall()
    assert (leak.characters, leak.phi_characters) == (4, 8)
    assert (leak.documents, leak.n_documents) == (1, 1)


def test_a_wrong_label_and_a_bare_space_leak_nothing() -> None:
    covered = NOTE.with_spans(
        [Span(0, 3, "X"), Span(4, 7, "X"), Span(9, 10, "X"), Span(11, 12, "X")]
    )
    leak = count_leaks([NOTE], [covered], LABELS).overall()
    assert (leak.characters, leak.documents) == (0, 0)


def test_documents_with_a_leak_are_counted_once() -> None:
    leak = count_leaks([NOTE, OTHER], [NOTE, OTHER.with_spans([])], LABELS).overall()
    assert (leak.documents, leak.document_rate, leak.character_rate) == (1, 0.5, 0.5)


def test_direct_identifiers_are_counted_apart() -> None:
    gold = [NOTE, Document("o", "B-7, Lee", (Span(0, 3, "BADGE"), Span(5, 8, "NAME")))]
    predicted = [NOTE.with_spans(NOTE.spans[:1]), gold[1].with_spans([Span(5, 7, "NAME")])]
    leaks = count_leaks(gold, predicted, ("BADGE", *LABELS))
    found = {kind: (x.characters, x.documents) for kind, x in leaks.per_kind().items()}
    assert found == {"direct": (1, 1), "quasi": (2, 1), "unclassified": (2, 1)}
    assert {label: x.characters for label, x in leaks.per_class().items()} == {
        "BADGE": 2,
        "DATE": 2,
        "NAME": 1,
    }
    assert leaks.to_dict()["per_kind"]["unclassified"]["labels"] == ["BADGE"]


@pytest.mark.parametrize("labels", [(), LABELS])
def test_rates_without_phi_are_zero(labels: tuple[str, ...]) -> None:
    bare = Document("n", "")
    figures = count_leaks([bare], [bare], labels).to_dict()
    assert figures["character_rate"] == figures["document_rate"] == 0.0
    assert figures["per_kind"]["direct"]["character_rate"] == 0.0


@given(st.sets(st.integers(0, 11)), st.sets(st.integers(0, 11)))
def test_the_leaks_of_the_classes_add_up_to_the_whole(here: set[int], there: set[int]) -> None:
    predicted = [
        document.with_spans([Span(n, n + 1, "X") for n in sorted(covered)])
        for document, covered in ((NOTE, here), (OTHER, there))
    ]
    leaks = count_leaks([NOTE, OTHER], predicted, LABELS)
    assert added(leaks, "per_class") == added(leaks, "per_kind") == whole(leaks)


def added(leaks: LeakCounts, by: str) -> tuple[int, int]:
    parts = getattr(leaks, by)().values()
    return sum(x.characters for x in parts), sum(x.phi_characters for x in parts)


def whole(leaks: LeakCounts) -> tuple[int, int]:
    return leaks.overall().characters, leaks.overall().phi_characters
