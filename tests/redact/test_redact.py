from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.redact import redact

NOTE = Document("n1", "Ann Lee, 3/4", (Span(0, 7, "PATIENT"), Span(9, 12, "DATE")))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Draw a text of any characters with spans that often touch."""
    text = draw(st.text(max_size=60))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=12)))
    labels = st.sampled_from(["DATE", "ID", None])
    pairs = pairwise(cuts)
    spans = [Span(a, b, label) for a, b in pairs if (label := draw(labels))]
    return Document("d", text, tuple(spans))


def outside(document: Document) -> list[str]:
    """Return the segments of text between the spans, including the first and last."""
    starts = [0, *(span.end for span in document.spans)]
    ends = [*(span.start for span in document.spans), len(document.text)]
    return [document.text[a:b] for a, b in zip(starts, ends, strict=True)]


@pytest.mark.parametrize(
    ("mode", "text"),
    [
        ("mask", "[PATIENT], [DATE]"),
        ("tag", "<PATIENT>Ann Lee</PATIENT>, <DATE>3/4</DATE>"),
        ("remove", ", "),
    ],
)
def test_each_mode_writes_its_form(mode: Any, text: str) -> None:
    assert redact(NOTE, mode) == text


def test_touching_spans_are_replaced_one_by_one() -> None:
    document = Document("d", "x12ABy", (Span(1, 3, "DATE"), Span(3, 5, "ID")))
    assert redact(document) == "x[DATE][ID]y"


def test_a_callable_gets_document_and_span() -> None:
    assert redact(NOTE, lambda d, s: d.span_text(s)[::-1] + s.label[0]) == "eeL nnAP, 4/3D"


@given(documents())
def test_putting_each_span_back_gives_the_text_back(document: Document) -> None:
    assert redact(document, lambda d, s: d.span_text(s)) == document.text


@given(documents())
def test_nothing_outside_the_spans_changes(document: Document) -> None:
    assert redact(document, "remove") == "".join(outside(document))
    masks = [f"[{span.label}]" for span in document.spans]
    between = outside(document)
    spliced = "".join(a + b for a, b in zip(between, [*masks, ""], strict=True))
    assert redact(document, "mask") == spliced


@given(
    st.lists(
        st.tuples(st.text("ab .\n", max_size=8), st.text("12é\U0001d4b3", min_size=1, max_size=4))
    )
)
def test_no_character_of_phi_is_left_by_mask(pieces: list[tuple[str, str]]) -> None:
    text, spans = "", []
    for plain, phi in pieces:
        start = len(text) + len(plain)
        text += plain + phi
        spans.append(Span(start, len(text), "ID"))
    assert not re.search("[12é\U0001d4b3]", redact(Document("d", text, tuple(spans))))


def test_an_unknown_mode_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"'hide'.*mask, tag, remove"):
        redact(NOTE, "hide")  # type: ignore[arg-type]


def test_an_unknown_mode_is_refused_even_without_spans() -> None:
    with pytest.raises(UsageError, match="unknown redaction mode"):
        redact(Document("d", "nothing"), "hide")  # type: ignore[arg-type]


def test_a_function_that_returns_no_text_is_refused_without_quoting_phi() -> None:
    with pytest.raises(UsageError, match="not NoneType") as caught:
        redact(NOTE, lambda d, s: None)  # type: ignore[arg-type]
    assert "Ann" not in str(caught.value)
