"""Stored notes are read as they were written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.samples.inline import from_line, lengthen, shorten, to_line

PARTS = st.lists(
    st.tuples(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
        st.text("ab <>/&\u2028\n", min_size=1, max_size=8),
        st.sampled_from(["DATE", "ID", "PATIENT"]),
    ),
    max_size=5,
)


@given(PARTS, st.text("<DAT x>"))
def test_notes_are_read_as_they_were_written(parts: list[tuple[str, str, str]], end: str) -> None:
    text, spans = "", []
    for outside, inside, label in parts:
        start = len(text) + len(outside)
        text += outside + inside
        spans.append(Span(start, len(text), label))
    note = Document("n", text + end, tuple(spans), {"kind": "letter"})
    line = to_line(note)
    assert line.count("\n") == 1
    assert from_line(line) == note
    assert lengthen(shorten(line)) == line
    assert "DATE>" not in shorten(line) or "DATE>" in note.text


def test_a_text_with_a_tag_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'n': the text has a tag at 5"):
        to_line(Document("n", "seen <DATE>"))


def test_an_unknown_label_is_refused() -> None:
    with pytest.raises(ValueError, match="'n': unknown label 'DOCTR'"):
        to_line(Document("n", "Dr. Lee", (Span(4, 7, "DOCTR"),)))
