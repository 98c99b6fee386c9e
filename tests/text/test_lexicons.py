from __future__ import annotations

import pytest

from multideid.errors import UsageError
from multideid.knowledge.lexicons import LEXICON_NAMES, lexicon, match_phrases
from multideid.text.phrases import PhraseSet
from multideid.text.table import TokenTable

MEMBERS = {
    "first_names_female": ["susan", "maria"],
    "first_names_male": ["james", "juan"],
    "last_names": ["smith", "nguyen", "mcdonald"],
    "cities": ["new york city", "boston", "bogotá", "bogota"],
    "major_cities": ["london", "chicago"],
    "countries": ["france", "south korea"],
    "us_states": ["new hampshire", "texas"],
    "us_state_codes": ["ma", "ny"],
    "nationalities": ["portuguese"],
    "months": ["january", "sept"],
    "weekdays": ["friday", "tues"],
    "titles": ["dr", "mrs", "md"],
    "hospital_words": ["hospital", "clinic"],
    "common_words": ["the", "patient", "green"],
    "eponyms": ["foley", "crohn"],
    "medical_words": ["parkinson", "coumadin"],
}

STRANGERS = {
    "last_names": "xqzt",
    "major_cities": "les escaldes",
    "common_words": "boston",
    "countries": "atlantis",
    "us_states": "puerto rico",
}


def matched(text: str, name: str) -> str:
    table = TokenTable.from_texts([text])
    flags = match_phrases(table, name).tolist()
    words = [text[a:b] for a, b in zip(table.start, table.end, strict=True)]
    return " ".join(word for word, flag in zip(words, flags, strict=True) if flag)


@pytest.mark.parametrize("name", LEXICON_NAMES)
def test_every_word_list_has_its_well_known_members_in_lower_case(name: str) -> None:
    entries = lexicon(name)
    assert set(MEMBERS[name]) <= entries
    assert all(entry == entry.lower() and entry.strip() == entry != "" for entry in entries)


@pytest.mark.parametrize(("name", "stranger"), STRANGERS.items())
def test_word_lists_exclude_other_words(name: str, stranger: str) -> None:
    assert stranger not in lexicon(name)


def test_a_word_list_is_loaded_once() -> None:
    assert lexicon("cities") is lexicon("cities")


def test_the_error_for_an_unknown_word_list_lists_all() -> None:
    with pytest.raises(UsageError, match=r"'towns'.*first_names_female"):
        lexicon("towns")


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("from New  York City, by bus", "cities", "New York City"),
        ("from NEW YORK CITY", "cities", "NEW YORK CITY"),
        ("from Winston-Salem.", "cities", "Winston - Salem"),
        ("South\nKorea", "countries", ""),
        ("York New City", "us_states", ""),
        ("north South Korea", "countries", "South Korea"),
        ("Ronald McDonald zzz", "last_names", "Ronald Mc Donald"),
        ("Mc Donald", "us_states", ""),
        ("Bogotá and Bogota and Bogota\u0301", "major_cities", "Bogotá Bogota Bogota\u0301"),
        ("", "cities", ""),
    ],
)
def test_phrases_are_found_whatever_their_case_and_spaces(
    text: str, name: str, expected: str
) -> None:
    assert matched(text, name) == expected


def test_phrases_do_not_reach_over_the_end_of_a_document() -> None:
    table = TokenTable.from_texts(["born in South", "Korea", "Mc", "Donald"])
    assert not match_phrases(table, "countries").any()
    assert not PhraseSet.build(["mcdonald", "new york"]).match(table).any()


def test_a_phrase_that_begins_inside_another_is_found_whole() -> None:
    phrases = PhraseSet.build(["a b c d", "b c", "c d e"])
    table = TokenTable.from_texts(["x a b c d e", "a b c e", "b"])
    assert phrases.match(table).tolist() == [False] + [True] * 5 + [False, True, True, False] + [
        False
    ]
