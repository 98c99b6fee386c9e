"""Chunks found by columns are those of a walk over the tokens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from multideid.features.chunks import CHUNK, POSITION_IN_CHUNK
from multideid.text.table import TokenTable

NOTES = st.lists(st.text(st.sampled_from("aB1-.,) \n\r\t\x85"), max_size=20), max_size=4)


def walked(table: TokenTable) -> list[tuple[str, str]]:
    """Return each token's chunk, without the marks it ends in, and its place there."""
    members: list[list[int]] = []
    for row, (space, position) in enumerate(zip(table.space, table.position, strict=True)):
        if space or position == 0:
            members.append([])
        members[-1].append(row)
    found = []
    for rows in members:
        text = table.texts[table.document[rows[0]]]
        chunk = text[table.start[rows[0]] : table.end[rows[-1]]].rstrip()
        short = chunk[:1] + chunk[1:].rstrip(".,)")
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
