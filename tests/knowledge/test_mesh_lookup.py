"""Phrases and their headings."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from multideid.knowledge.mesh import Descriptor, Heading, MeshLookup, phrase_key

SORROW = Descriptor("D900001", ("Sorrow, Acute", "Grief-Woes"), ("F01.100", "C23.200.300"))
CHAIRS = Descriptor("D900002", ("Chairs", "Seat"), ())
SEATS = Descriptor("D900003", ("Seats",), ("J01",))
LOOKUP = MeshLookup.build([SORROW, CHAIRS, SEATS])


def found(phrase: str) -> str | None:
    heading = LOOKUP.find(phrase_key(phrase))
    return heading and heading.ui


@pytest.mark.parametrize(
    "phrase", ["sorrow, acute", "Acute Sorrow", "ACUTE  SORROWS", "grief woe", "Grief - Woes"]
)
def test_a_phrase_is_found_however_it_is_written(phrase: str) -> None:
    assert found(phrase) == "D900001"


def test_a_name_goes_before_another_headings_entry_term() -> None:
    assert (found("seat"), found("chair")) == ("D900003", "D900002")


@pytest.mark.parametrize("phrase", ["sorrow", "acute", "", "acute sorrow of chairs"])
def test_other_phrases_have_no_heading(phrase: str) -> None:
    assert found(phrase) is None


def test_rows_of_one_descriptor_are_joined() -> None:
    rows = [Descriptor("D900001", ("Sorrow",), (number,)) for number in ("F01", "F02", "F01")]
    heading = MeshLookup.build(rows).find("sorrow")
    assert heading == Heading("D900001", ("F01", "F02"))


def test_very_short_terms_are_excluded() -> None:
    lookup = MeshLookup.build([Descriptor("D900001", ("He", "Helium"), ())])
    assert lookup.find("he") is None
    assert lookup.find("helium") is not None


def test_categories_lead_from_the_top_to_the_eleventh_level() -> None:
    deep = "B01" + ".050" * 12
    categories = Heading("D900001", (deep, "B01.100")).categories()
    assert categories[:3] == ("B", "B01", "B01.050")
    assert max(c.count(".") for c in categories) == 10
    assert categories[-1] == "B01.100"
    assert len(set(categories)) == len(categories)


def test_a_look_up_survives_json() -> None:
    again = MeshLookup.from_json(json.loads(json.dumps(LOOKUP.to_json())))
    assert again.headings == LOOKUP.headings
    assert again.find("griefwoe") == LOOKUP.headings[0]


@settings(max_examples=50)
@given(st.text(), st.text(" -/_\t,", max_size=3), st.text())
def test_characters_between_words_do_not_matter(first: str, between: str, last: str) -> None:
    assert phrase_key(first + between + last) == phrase_key(first + last)


@pytest.mark.parametrize(
    ("plural", "singular"),
    [("injuries", "injury"), ("bones", "bone"), ("abscess", "abscess"), ("lupus", "lupus")],
)
def test_a_plural_is_taken_for_its_singular(plural: str, singular: str) -> None:
    assert phrase_key(plural) == phrase_key(singular)
