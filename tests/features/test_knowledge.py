"""Views of word lists and parts of speech agree with their sources."""

from __future__ import annotations

import pytest

from multideid.features.lexical import WORD_LISTS, part_of_speech, word_lists
from multideid.features.views import SetView
from multideid.knowledge.lexicons import LEXICON_NAMES, match_phrases
from multideid.text.pos import pos_column
from multideid.text.table import TokenTable

TABLE = TokenTable.from_texts(["Dr. Susan Smith of New York City, in May.", "", "The patient"])
TWO_LISTS = ("cities", "titles")
TWO = word_lists("two lists", TWO_LISTS)


def lists_of(view: SetView, table: TokenTable) -> list[set[str]]:
    column = view.column(table)
    sets = [
        {column.names[k] for k in column.indices[first:end]}
        for first, end in zip(column.indptr[:-1], column.indptr[1:], strict=True)
    ]
    return [sets[row] for row in column.rows]


@pytest.mark.parametrize(("view", "names"), [(WORD_LISTS, LEXICON_NAMES), (TWO, TWO_LISTS)])
def test_a_token_has_the_lists_that_its_word_or_phrase_is_in(
    view: SetView, names: tuple[str, ...]
) -> None:
    flags = {name: match_phrases(TABLE, name) for name in names}
    expected = [{name for name in names if flags[name][i]} for i in range(len(TABLE))]
    assert lists_of(view, TABLE) == expected
    assert any(expected)


def test_every_word_of_a_phrase_is_marked() -> None:
    found = dict(zip(TABLE.words(), lists_of(TWO, TABLE), strict=True))
    assert found["New"] == found["York"] == found["City"] == {"cities"}
    assert found["Dr"] == {"titles"}
    assert found["patient"] == set()


def test_a_table_without_tokens_has_no_lists() -> None:
    assert lists_of(WORD_LISTS, TokenTable.from_texts([""])) == []


def test_parts_of_speech_are_those_of_the_tagger() -> None:
    column = part_of_speech().column(TABLE)
    codes, names = pos_column(TABLE, "lexicon")
    assert [column.names[c] for c in column.codes] == [names[c] for c in codes]


def test_views_of_two_taggers_differ() -> None:
    assert part_of_speech("lexicon") != part_of_speech("spacy:en")
