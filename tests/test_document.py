"""A document is checked where it is made."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from multideid.document import Document, Span, corpus_fingerprint
from multideid.errors import DocumentError, UsageError

NOTE = "Seen by Dr. Smith."


@pytest.mark.parametrize("text", [None, float("nan"), NOTE.encode(), [NOTE], 7])
def test_a_text_that_is_no_string_is_refused_by_its_type(text: Any) -> None:
    kind = type(text).__name__
    problem = f"document 'n1': its text is of type {kind}; it must be a string"
    with pytest.raises(DocumentError, match=problem) as error:
        Document("n1", text)
    assert "Smith" not in str(error.value)


@pytest.mark.parametrize("name", [None, 1, np.int64(1), [NOTE]])
def test_an_id_that_is_no_string_is_refused_without_its_value(name: Any) -> None:
    with pytest.raises(UsageError, match="id of a document is of type") as error:
        Document(name, NOTE)
    assert "Smith" not in str(error.value)


@pytest.mark.parametrize(
    ("spans", "problem"),
    [
        (None, "its spans are of type NoneType; they must be a list"),
        ([(0, 4, "X"), (12, 17)], "its span 1 is of type tuple; it must be .start, end, label."),
        (["DOCTOR"], "its span 0 is of type str"),
        ([(12.0, 17.0, "DOCTOR")], "its span 0 is of type tuple"),
        ([(12, 17, None)], "its span 0 is of type tuple"),
        ([{"start": 12, "end": 17, "label": "DOCTOR"}], "its span 0 is of type dict"),
    ],
)
def test_what_is_no_span_is_refused(spans: Any, problem: str) -> None:
    with pytest.raises(DocumentError, match=problem):
        Document("n1", NOTE, spans)


def test_offsets_of_numpy_become_plain_numbers() -> None:
    places = np.array([12, 17])
    document = Document("n1", NOTE, ((places[0], places[1], "DOCTOR"),))  # type: ignore[arg-type]
    assert json.dumps(document.spans) == '[[12, 17, "DOCTOR"]]'
    plain = Document("n1", NOTE, (Span(12, 17, "DOCTOR"),))
    assert corpus_fingerprint([document]) == corpus_fingerprint([plain])
