"""Chunks computed on columns equal those of a loop over tokens."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document
from multideid.features.chunks import CHUNK, PART, POSITION_IN_CHUNK, chunk_numbers
from multideid.text.structure import LONGEST_LINE
from multideid.text.table import TokenTable

NOTES = st.lists(st.text(st.sampled_from("aB1-.,()[: \n\r\t\x85"), max_size=20), max_size=4)


def walked(table: TokenTable) -> list[tuple[str, str]]:
    """Return each token's chunk, without the marks around it, and its position there."""
    members: list[list[int]] = []
    for row, (space, position) in enumerate(zip(table.space, table.position, strict=True)):
        if space or position == 0:
            members.append([])
        members[-1].append(row)
    found = []
    for rows in members:
        text = table.texts[table.document[rows[0]]]
        chunk = text[table.start[rows[0]] : table.end[rows[-1]]].rstrip()
        short = chunk.lstrip("([").rstrip(".,:;)]") or chunk[:1]
        found += [(short, str(min(place, 8))) for place in range(len(rows))]
    return found


@given(NOTES)
def test_chunks_and_places_are_those_of_a_walk(texts: list[str]) -> None:
    table = TokenTable.from_texts(texts)
    chunks, places = CHUNK.column(table), POSITION_IN_CHUNK.column(table)
    pairs = zip(chunks.codes.tolist(), places.codes.tolist(), strict=True)
    assert [(chunks.names[c], places.names[p]) for c, p in pairs] == walked(table)


@given(NOTES)
def test_a_selection_has_the_chunks_of_its_documents(texts: list[str]) -> None:
    last = [len(texts) - 1] if texts else []
    part = TokenTable.from_texts(texts).select(last)
    column = CHUNK.column(part)
    assert [column.names[c] for c in column.codes] == [chunk for chunk, _ in walked(part)]


@given(NOTES)
def test_parts_of_a_chunk_joined_are_the_chunk(texts: list[str]) -> None:
    table = TokenTable.from_texts(texts)
    column = PART.column(table)
    parts = [column.names[code] for code in column.codes]
    for row, part in enumerate(parts):
        token = table.texts[table.document[row]][table.start[row] : table.end[row]]
        assert token in part or not token.strip()


def test_labels_brackets_and_commas_separate_parts() -> None:
    text = "DOB:3/4/05 (617-555-1234) [3/4],x"
    column = PART.column(TokenTable.from_documents([Document("d", text)]))
    parts = [column.names[code] for code in column.codes]
    distinct = [part for n, part in enumerate(parts) if part != parts[n - 1]]
    assert distinct == ["DOB", ":", "3/4/05", "(", "617-555-1234", ")", "[", "3/4", "]", ",", "x"]


def test_a_chunk_is_not_divided_where_a_long_line_is_cut() -> None:
    texts = ["Ann " + "-" * (LONGEST_LINE + 9) + " Lee\nBob", "Ann"]
    table = TokenTable.from_texts(texts)
    assert np.unique(chunk_numbers(table)).size == len(["Ann", "---", "Lee", "Bob", "Ann"])
    chunks, parts = CHUNK.column(table), PART.column(table)
    assert chunks.names[chunks.codes[-1]] == "Ann"
    assert set(parts.names[parts.codes[LONGEST_LINE]]) == {"-"}
