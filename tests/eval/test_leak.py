"""A leak is a letter or digit of gold PHI that no prediction covers."""

from __future__ import annotations

from multideid.document import Document, Span
from multideid.eval.leak import count_leaks

NOTE = Document("n", "Ann Lee, 3/4", (Span(0, 7, "NAME"), Span(9, 12, "DATE")))


def test_what_no_span_covers_is_left_standing() -> None:
    leak = count_leaks([NOTE], [NOTE.with_spans([Span(0, 5, "NAME")])])
    assert (leak.characters, leak.phi_characters) == (4, 8)
    assert (leak.documents, leak.n_documents) == (1, 1)


def test_a_wrong_label_and_a_bare_space_leak_nothing() -> None:
    covered = NOTE.with_spans(
        [Span(0, 3, "X"), Span(4, 7, "X"), Span(9, 10, "X"), Span(11, 12, "X")]
    )
    leak = count_leaks([NOTE], [covered])
    assert (leak.characters, leak.documents) == (0, 0)


def test_documents_with_a_leak_are_counted_once() -> None:
    other = Document("m", NOTE.text, NOTE.spans)
    leak = count_leaks([NOTE, other], [NOTE, other.with_spans([])])
    assert (leak.documents, leak.document_rate, leak.character_rate) == (1, 0.5, 0.5)


def test_rates_without_phi_are_zero() -> None:
    bare = Document("n", "")
    assert count_leaks([bare], [bare]).to_dict()["character_rate"] == 0.0
