"""Layout views describe the letter case of documents and lines, and the lines around."""

from __future__ import annotations

import pytest

from multideid.document import Document
from multideid.features.layout import (
    DOCUMENT_CASE,
    LINE_CASE,
    LINES_TO_END,
    NEXT_LINE,
    PREVIOUS_LINE,
    layout_templates,
)
from multideid.features.views import View
from multideid.text.table import TokenTable


def values(view: View, *texts: str) -> list[str]:
    """Return the view's value at the first token of every line."""
    table = TokenTable.from_documents([Document(str(n), text) for n, text in enumerate(texts)])
    column = view.column(table)
    return [column.names[c] for c, p in zip(column.codes, table.position, strict=True) if p == 0]


@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("seen by dr varga today", "lower"),
        ("SEEN BY DR VARGA TODAY", "upper"),
        ("Seen by Dr. Varga today", "mixed"),
        ("12/3 ...", "lower"),
    ],
)
def test_a_document_is_in_lower_upper_or_mixed_case(text: str, case: str) -> None:
    assert values(DOCUMENT_CASE, text) == [case]


def test_each_line_has_its_own_case() -> None:
    text = "PLAN FOR TODAY\nSeen by Dr. Varga and then sent home.\nMarta Varga Jones\nwent home"
    assert values(LINE_CASE, text) == ["upper", "mixed", "title", "lower"]


def test_lines_are_counted_from_the_end_of_their_document() -> None:
    assert values(LINES_TO_END, "a\nb\nc", "d\ne") == ["2", "1", "0", "1", "0"]


def test_the_lines_around_are_those_of_the_same_document() -> None:
    assert values(PREVIOUS_LINE, "Dear a\nThank b", "Yours c") == [" ", "dear", " "]
    assert values(NEXT_LINE, "Dear a\nThank b", "Yours c") == ["thank", " ", " "]


@pytest.mark.parametrize("texts", [(), ("",), ("", "a\n\n", "")])
def test_empty_documents_have_no_layout(texts: tuple[str, ...]) -> None:
    table = TokenTable.from_documents([Document(str(n), text) for n, text in enumerate(texts)])
    for template in layout_templates():
        for view, _ in template.parts:
            assert len(view.column(table).codes) == len(table)
