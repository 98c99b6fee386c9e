"""MIST's patterns follow Table 2.1 of the thesis, in linear time."""

from __future__ import annotations

import re
import string
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.features.patterns import OTHERS, TABLE_2_1, matching_patterns

DASHED = "dash separated letters and digits"

MATCHES = [
    ("Smith", "first character is a capital"),
    ("MRN", "all capitals"),
    ("McDonald", "lower case and capitals"),
    ("B12x", "contains a digit"),
    ("7", "one digit"),
    ("46", "two digits"),
    ("1946", "four digits"),
    ("123456", "natural number"),
    ("3.7", "real number"),
    ("B12", "letters and digits"),
    ("a-b", "contains a dash"),
    ("?!", "punctuation"),
    ("555-1234", "phone xxx-xxxx"),
    ("617-555-1234", "phone xxx-xxx-xxxx"),
    ("02139", "five digits"),
    ("mg", "no vowel"),
    ("A-12", DASHED),
    ("03-04", DASHED),
    ("/", "date separator"),
    ("03/04/1946", "date by numbers"),
    ("1946-03-04", "year first"),
    ("3/4", "day and month"),
    ("03/1946", "month and year"),
    ("6/52", "duration"),
    ("4/5", "score"),
    ("20/40", "visual acuity"),
    ("10/10", "equal parts"),
    ("26/30", "no day and month"),
    ("49/51", "no day and month"),
    ("5/325", "no day and month"),
    ("31/3", "day first"),
    ("3/31", "month first"),
    ("1987", "year"),
    ("23:59", "time"),
    ("a.b@example.org", "e-mail"),
    ("www.example.org", "web"),
    ("123-45-6789", "social security"),
    ("1234567", "long number"),
    ("MR-1234", "letters then digits"),
    ("J.", "initial"),
    ("3rd", "ordinal"),
    ("XIV", "roman number"),
]

MISSES = [
    ("3/14", "duration"),
    ("12/14", "equal parts"),
    ("12/14", "no day and month"),
    ("32/3", "day first"),
    ("13/13", "month first"),
    ("smith", "first character is a capital"),
    ("Mrn", "all capitals"),
    ("12", "one digit"),
    ("02139-1", "five digits"),
    ("the", "no vowel"),
    ("12-b", DASHED),
    ("A12", DASHED),
    ("03/04-1946", "date by numbers"),
    ("12345", "long number"),
]


def test_all_eighteen_patterns_are_there() -> None:
    assert len(TABLE_2_1) == 18
    assert {name for _, name in MATCHES} == {*TABLE_2_1, *OTHERS}


@pytest.mark.parametrize(("text", "name"), MATCHES)
def test_a_pattern_matches_examples_of_its_name(text: str, name: str) -> None:
    assert name in matching_patterns(text)


@pytest.mark.parametrize(("text", "name"), MISSES)
def test_a_pattern_matches_nothing_else(text: str, name: str) -> None:
    assert name not in matching_patterns(text)


@given(st.text("aB1-. \n", max_size=12))
def test_the_fast_dash_pattern_is_equivalent_to_the_printed_one(text: str) -> None:
    printed = r".*[A-Za-z].*-.*[0-9].*|.*[0-9].*-.*[0-9].*"
    matched = re.fullmatch(printed, text, re.DOTALL) is not None
    assert (DASHED in matching_patterns(text)) == matched


@pytest.mark.parametrize("piece", ["a", "1", "a-", "1a-", "a.", "a@", "-"])
def test_long_words_are_matched_in_no_time(piece: str) -> None:
    start = thread_time()
    matching_patterns(piece * 20_000)
    assert thread_time() - start < 2


@given(st.text(st.sampled_from(string.ascii_letters), max_size=12) | st.text(max_size=12))
def test_no_pattern_is_passed_over(text: str) -> None:
    every = {**TABLE_2_1, **OTHERS}.items()
    wanted = [name for name, pattern in every if re.fullmatch(pattern, text, re.DOTALL)]
    assert matching_patterns(text) == tuple(wanted)
