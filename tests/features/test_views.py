"""Views: computed once per distinct string, and shifted within documents."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.features import common
from multideid.features.chunks import POSITION_IN_CHUNK, chunk_numbers, of_chunk, of_chunk_set
from multideid.features.lexical import word_lists
from multideid.features.views import (
    Column,
    SetColumn,
    View,
    factorize,
    of_numbers,
    of_type,
    of_type_set,
    shift,
)
from multideid.knowledge.lexicons import lexicon
from multideid.text.table import TokenTable


def values(view: View, table: TokenTable) -> list[str]:
    column = view.column(table)
    return [column.names[code] for code in column.codes]


def sets(column: SetColumn) -> list[set[str]]:
    bounds = column.indptr
    return [
        {column.names[i] for i in column.indices[bounds[r] : bounds[r + 1]]} for r in column.rows
    ]


def test_a_function_of_the_string_is_called_once_a_distinct_string() -> None:
    table = TokenTable.from_texts(["a b a", "b a c"])
    calls: list[str] = []
    view = of_type("counted", lambda w: calls.append(w) or w.upper())  # type: ignore[func-returns-value]
    assert values(view, table) == ["A", "B", "A", "B", "A", "C"]
    assert values(view, table) == ["A", "B", "A", "B", "A", "C"]
    assert sorted(calls) == sorted(table.vocabulary)


def test_a_set_of_the_string_is_made_once_a_distinct_string() -> None:
    table = TokenTable.from_texts(["ab b ab"])
    calls: list[str] = []
    view = of_type_set("counted", lambda w: calls.append(w) or (*w, *w))  # type: ignore[func-returns-value]
    assert sets(view.column(table)) == [{"a", "b"}, {"b"}, {"a", "b"}]
    view.column(table)
    assert sorted(calls) == sorted(table.vocabulary)


def test_a_view_is_computed_once_per_table() -> None:
    tables: list[TokenTable] = []

    def compute(table: TokenTable) -> Column:
        tables.append(table)
        return Column(table.type, table.vocabulary)

    first, second = TokenTable.from_texts(["a"]), TokenTable.from_texts(["b"])
    for table in (first, first, second, first.select([0])):
        View("word", compute).column(table)
    assert [t.texts for t in tables] == [("a",), ("b",), ("a",)]


def test_views_with_one_name_and_function_are_equal() -> None:
    assert of_type("x", str.upper) == of_type("x", str.upper)
    assert len({of_type("x", str.upper), of_type("x", str.upper)}) == 1
    assert common.prefix(3) == common.prefix(3)


def test_views_with_one_name_and_different_functions_have_their_own_columns() -> None:
    table = TokenTable.from_texts(["Lee"])
    assert values(common.WORD, table) == ["Lee"]
    assert values(of_type("word", str.upper), table) == ["LEE"]
    assert values(of_numbers("word", lambda t: t.position), table) == ["0"]
    assert sets(of_type_set("word", set).column(table)) == [{"L", "e"}]


@given(st.lists(st.sampled_from("abc")))
def test_factorized_values_come_back(items: list[str]) -> None:
    codes, names = factorize(items)
    assert [names[code] for code in codes] == items
    assert names == list(dict.fromkeys(items))
    assert codes.dtype == np.int32


@given(st.lists(st.integers(0, 4), max_size=5), st.integers(-6, 6))
def test_shift_gives_the_neighbour_in_the_document_or_the_edge(
    lengths: list[int], offset: int
) -> None:
    document = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    codes = np.arange(10, 10 + len(document), dtype=np.int32)
    expected = [
        codes[row + offset]
        if 0 <= row + offset < len(document) and document[row + offset] == document[row]
        else -7
        for row in range(len(document))
    ]
    moved = shift(codes, document, offset, edge=-7)
    assert moved.tolist() == expected
    assert moved.dtype == np.int32


def test_numbers_become_values() -> None:
    table = TokenTable.from_texts(["a b\nc"])
    assert values(of_numbers("n", lambda t: t.position * 2), table) == ["0", "2", "4", "0"]


CHUNKS = [
    ("on 03/03/1946, ok", ["on", *["03/03/1946"] * 6, "ok"]),
    ("a\nb", ["a", "a", "b"]),
    ("(x) y.", ["x", "x", "x", "y", "y"]),
    (". ...", [".", *["."] * 3]),
    ("", []),
]


@pytest.mark.parametrize(("text", "chunks"), CHUNKS)
def test_a_chunk_extends_between_spaces_without_outer_punctuation(
    text: str, chunks: list[str]
) -> None:
    table = TokenTable.from_texts([text])
    assert values(of_chunk("chunk", str), table) == chunks
    assert sets(of_chunk_set("letters", set).column(table)) == [set(c) for c in chunks]


def test_chunks_end_with_their_document() -> None:
    table = TokenTable.from_texts(["a-", "b"])
    assert chunk_numbers(table).tolist() == [0, 0, 1]
    assert values(of_chunk("chunk", str), table) == ["a-", "a-", "b"]
    assert values(POSITION_IN_CHUNK, table) == ["0", "1", "0"]


def test_a_repeated_chunk_is_computed_once() -> None:
    calls: list[str] = []
    view = of_chunk("counted", lambda c: calls.append(c) or c)  # type: ignore[func-returns-value]
    view.column(TokenTable.from_texts(["1/2 1/2 x 1/2"]))
    assert calls == ["1/2", "x"]


def test_an_endless_chunk_is_cut() -> None:
    (chunk,) = set(values(of_chunk("chunk", str), TokenTable.from_texts(["a-" * 1000])))
    assert len(chunk) == 60


def test_lines_positions_and_spaces_are_views() -> None:
    table = TokenTable.from_texts(["x", "Ab  c\nde"])
    assert values(common.LINE_NUMBER, table) == ["0", "0", "0", "0", "1"]
    assert values(common.POSITION, table) == ["0", "0", "1", "2", "0"]
    assert values(common.SPACE, table) == ["0", "0", "1", "0", "0"]
    assert values(common.LINE_START, table) == ["x", "ab", "ab", "ab", "de"]


@pytest.mark.parametrize(
    ("view", "value"),
    [(common.prefix(2), "le"), (common.suffix(2), "ee"), (common.prefix(4), "")],
)
def test_affixes_are_small_letters_and_no_longer_than_the_word(view: View, value: str) -> None:
    assert values(view, TokenTable.from_texts(["Lee"])) == [value]


LISTS = ("first_names_female", "first_names_male")


def test_word_lists_name_every_list_that_holds_the_word() -> None:
    table = TokenTable.from_texts(["Susan robert zzxqy SUSAN"])
    found = sets(word_lists("lists", LISTS).column(table))
    assert found == [
        {name for name in LISTS if word.lower() in lexicon(name)} for word in table.words()
    ]
    assert {frozenset(names) for names in found} > {frozenset(LISTS), frozenset()}


def test_word_lists_of_no_token_are_no_sets() -> None:
    assert sets(word_lists("lists", LISTS).column(TokenTable.from_texts([]))) == []


@pytest.mark.parametrize("texts", [[], [""], ["", " "]])
def test_every_shared_view_is_empty_where_there_is_no_token(texts: list[str]) -> None:
    table = TokenTable.from_texts(texts)
    views = [v for v in vars(common).values() if isinstance(v, View)]
    assert len(views) > 10
    assert [len(view.column(table).codes) for view in views] == [0] * len(views)
