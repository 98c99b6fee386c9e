from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from multideid.base_systems.mimic import NATIVE_LABELS, find_phi
from multideid.base_systems.mimic.patterns import resolve
from multideid.document import Document, Span

PIECES = [
    "Dr. ", "Mr. ", "Smith", "O\u2019Brien", "van der ", " M.D.", "Hospital ", "St. ", "from ",
    "lives in ", "3/4", "/2005", "March ", "4th", "MRN: ", "12345", "-67", "(617) ", "555-1234",
    "x ",
    "92", "-year-old", "wife, ", ", ", "\n", " ", "\u00e9", "\U0001f600", "A. ", "cc: ", "\x85",
]  # fmt: skip
texts = st.text() | st.lists(st.sampled_from(PIECES)).map("".join)

NOT_PHI = """HOSPITAL COURSE: INR 2-3. Foley placed. Crohn disease, Parkinson disease.
BP 120/80, strength 5/5, T4 1.1, a II/VI murmur, 1/2 tablet. Swan-Ganz catheter removed.
ALLERGIES: None. MEDICATIONS: Lasix 40 mg, Coumadin 5 mg. Hope and May are words.
"""

ADVERSARIES = [
    "a", "A", "1", " ", "\n", "Smith ", "Smith-", "A. ", "Dr. ", "Drs. Smith, ", ", MD",
    "Hospital ", "Smith of the ", "1/2/", "1.", "a@", "on 1/2 ", "MRN: ", "call at ", "wife, ",
    "transferred to ", "lives in ", "1 Elm ", "www.", "van Smith ", "1234567\n", "\u00c9", "O'",
]  # fmt: skip


@settings(deadline=None)
@given(texts)
def test_spans_of_any_text_are_sorted_inside_it_and_do_not_overlap(text: str) -> None:
    spans = find_phi(text)
    document = Document("d", text, tuple(spans))
    assert all(span.label in NATIVE_LABELS for span in spans)
    assert all(document.span_text(span).strip() for span in spans)


def test_a_note_without_phi_has_no_spans() -> None:
    assert find_phi(NOT_PHI) == []


def test_an_empty_text_has_no_spans() -> None:
    assert find_phi("") == []


def test_the_rule_with_priority_wins_an_overlap() -> None:
    spans = find_phi("at 12 Lopez Street, then St. Lopez Hospital with Mr. Lopez")
    assert [span.label for span in spans] == ["LOCATION", "HOSPITAL", "PATIENT"]


def test_the_first_candidate_wins_an_overlap() -> None:
    candidates = [Span(4, 6, "A"), Span(0, 5, "B"), Span(6, 8, "C")]
    assert list(resolve(candidates, bytearray(8))) == [Span(4, 6, "A"), Span(6, 8, "C")]


def test_a_name_that_is_a_word_is_not_looked_for_elsewhere() -> None:
    text = "Mr. Foley came. Foley catheter placed. Mr. Zabrowski and Zabrowski."
    found = [text[s.start : s.end] for s in find_phi(text)]
    assert found == ["Foley", "Zabrowski", "Zabrowski"]


@pytest.mark.parametrize("piece", ADVERSARIES)
def test_time_grows_with_length_and_no_faster(piece: str) -> None:
    short, long = (_seconds(piece * (size // len(piece))) for size in (4_000, 32_000))
    # Eight times the text: a quadratic rule would need 64 times the time.
    assert long < 30 * short + 0.1


def _seconds(text: str) -> float:
    best = float("inf")
    for _ in range(2):
        start = time.thread_time()
        find_phi(text)
        best = min(best, time.thread_time() - start)
    return best


def test_a_megabyte_of_one_letter_is_read_in_seconds() -> None:
    start = time.thread_time()
    assert find_phi("A" * 1_000_000) == []
    assert time.thread_time() - start < 60
