"""However many values are known, the search for them reads a text once."""

from __future__ import annotations

import time

import pytest

from multideid.document import Span
from multideid.site.exact_search import after_cues, as_written
from multideid.site.occurrences import known_places, occurrences


def _letters(n: int) -> str:
    return "".join(chr(ord("a") + n // 26**k % 26) for k in range(4))


def _seconds(label: str, values: list[str]) -> float:
    """Return the processor time of a search in a text that has these values alone."""
    text, spans = "\n".join(values), []
    for value in values:
        start = spans[-1].end + 1 if spans else 0
        spans.append(Span(start, start + len(value), label))
    before = time.process_time()
    assert set(occurrences(text, spans)) >= (set() if label == "AGE" else set(spans))
    return time.process_time() - before


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("ID", "mrn{number}"),
        ("AGE", "{number:x}0"),
        ("HOSPITAL", "North Ward {letters}"),
        ("PATIENT", "John Q {letters}"),
    ],
)
def test_time_is_linear_in_the_number_of_values(label: str, value: str) -> None:
    values = [value.format(number=100_000 + n, letters=_letters(n).title()) for n in range(8_000)]
    values = [v[-4:] for v in values] if label == "AGE" else values
    few, many = (min(_seconds(label, v) for _ in range(3)) for v in (values[:1_000], values))
    assert many < 24 * few + 0.1


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("by R. L., today", "R. L.", ["R. L."]),
        ("by (R.\n L.)", "R. L.", ["R.\n L."]),
        ("Doe, Jane 44 and Doe, Jane 445", "Doe, Jane 44", ["Doe, Jane 44"]),
        ("the xR. L. and 'R. L.x", "R. L.", []),
        ("x (Bob) A. and \u00e9(Bob) A.", "(Bob) A.", ["(Bob) A."]),
        ("by - Doe A and Doe A", "- Doe A", ["Doe A", "Doe A"]),
        ("Doe A doe a", "Doe A", ["Doe A"]),
        ("-- A", "--", []),
    ],
)
def test_names_are_found_as_they_are_written(text: str, name: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in as_written(text, [name])] == found


def test_short_numbers_are_found_behind_a_cue_and_three_separators_at_most() -> None:
    text = "no 12, MRN: #12 id12 12 no ..12 no ...12 #12a #12-"
    places = sorted(set(after_cues(text, {"12", "777"})))
    assert [text[start - 3 : end] for start, end in places] == ["no 12", ": #12", " ..12", "a #12"]


def test_a_longer_value_does_not_end_behind_the_text() -> None:
    assert [*as_written("by J. R", ["J. R", "J. R."])] == [(3, 7)]
    assert [*after_cues("Chart no. 447", {"447", "4471"})] == [(10, 13)]


@pytest.mark.parametrize("text", ["*" * 50_000, "x" * 50_000, "## " * 20_000, "I." * 20_000])
def test_long_runs_of_marks_take_linear_time(text: str) -> None:
    before = time.process_time()
    known = {"MEDICALRECORD": {"123-45-6789"}, "PATIENT": {"Ivan Ilex"}}
    assert known_places(text, known).certain == []
    assert time.process_time() - before < 2
