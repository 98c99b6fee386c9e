"""TokenTable: columns agree with the texts and with each other."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document
from multideid.errors import UsageError
from multideid.text import structure
from multideid.text.table import TokenTable
from multideid.text.tokenizer import LINE_ENDS, tokenize

NOTES = st.lists(st.text(st.sampled_from("ABcd1.:-! \n\r"), max_size=30), max_size=5)
INT_COLUMNS = (
    "first", "document", "start", "end", "type", "line", "position", "sentence", "heading",
    "field_label",
)  # fmt: skip


def described(table: TokenTable) -> dict[str, list[object]]:
    """Return the content of a table, independent of the numbering of strings."""
    names = ("first", "document", "start", "end", "line", "position", "space", "sentence")
    return {
        "ids": list(table.ids),
        "texts": list(table.texts),
        "words": list(table.words()),
        "heading": [table.headings[h] for h in table.heading],
        "field_label": [table.headings[k] for k in table.field_label],
        **{name: getattr(table, name).tolist() for name in names},
    }


@given(NOTES)
def test_rows_are_the_tokens_of_the_texts_in_order(texts: list[str]) -> None:
    table = TokenTable.from_texts(texts)
    rows = zip(table.document.tolist(), table.start.tolist(), table.end.tolist(), strict=True)
    assert list(rows) == [(d, *span) for d, text in enumerate(texts) for span in tokenize(text)]
    assert table.words() == [text[a:b] for text in texts for a, b in tokenize(text)]


@given(st.lists(st.text("aE\u0301\u0308\u0323é1. \n\u212b\uac00\u1100\u1161", max_size=20)))
def test_words_are_composed_and_offsets_are_those_of_the_text(texts: list[str]) -> None:
    table = TokenTable.from_texts(texts)
    words = [text[a:b] for text in texts for a, b in tokenize(text)]
    assert table.words() == [unicodedata.normalize("NFC", word) for word in words]
    assert table.vocabulary == tuple(dict.fromkeys(table.words()))
    assert (table.end - table.start).tolist() == list(map(len, words))


@given(NOTES)
def test_columns_have_their_type_and_length(texts: list[str]) -> None:
    table = TokenTable.from_texts(texts)
    assert {getattr(table, name).dtype for name in INT_COLUMNS} == {np.dtype(np.int32)}
    assert table.space.dtype == np.bool_
    assert {len(getattr(table, name)) for name in (*INT_COLUMNS[1:], "space")} == {len(table)}
    assert len(set(table.vocabulary)) == len(table.vocabulary)
    assert len(set(table.headings)) == len(table.headings)
    assert table.headings[0] == ""


@given(NOTES)
def test_documents_are_the_rows_between_their_bounds(texts: list[str]) -> None:
    table = TokenTable.from_texts(texts)
    assert table.first[0] == 0
    assert table.first[-1] == len(table)
    for d in range(len(texts)):
        rows = table.rows([d])
        assert rows.tolist() == list(range(table.first[d], table.first[d + 1]))
        assert (table.document[rows] == d).all()


@given(NOTES)
def test_lines_positions_and_spaces_are_those_of_a_walk_over_the_text(texts: list[str]) -> None:
    table = TokenTable.from_texts(texts)
    line, walked = -1, []
    for text in texts:
        position, end = 0, 0
        for start, stop in tokenize(text):
            line += position == 0
            walked.append((line, position, start > end))
            position = 0 if text[start:stop] in LINE_ENDS else position + 1
            end = stop
    columns = (table.line, table.position, table.space)
    assert list(zip(*(c.tolist() for c in columns), strict=True)) == walked


@given(NOTES, st.data())
def test_selected_documents_are_as_if_built_alone(texts: list[str], data: st.DataObject) -> None:
    every = range(len(texts))
    chosen = data.draw(st.lists(st.sampled_from(every), max_size=6) if texts else st.just([]))
    ids = [f"note {d}" for d in every]
    part = TokenTable.from_texts(texts, ids).select(chosen)
    alone = TokenTable.from_texts([texts[d] for d in chosen], [ids[d] for d in chosen])
    assert described(part) == described(alone)
    assert {getattr(part, name).dtype for name in INT_COLUMNS} == {np.dtype(np.int32)}


def test_selection_shares_the_vocabulary_but_no_memory() -> None:
    table = TokenTable.from_texts(["a b", "c"])
    table.memo["kept"] = 1
    part = table.select(np.array([1]))
    assert part.vocabulary is table.vocabulary
    assert part.memo == {}


@pytest.mark.parametrize("texts", [[], [""], ["", ""], [" \t"], ["", "a", ""]])
def test_documents_without_tokens_have_a_place(texts: list[str]) -> None:
    table = TokenTable.from_texts(texts)
    assert len(table.ids) == len(texts)
    assert np.diff(table.first).tolist() == [len(text.strip()) for text in texts]
    assert described(table.select(range(len(texts)))) == described(table)


def test_documents_give_their_ids_and_no_spans() -> None:
    table = TokenTable.from_documents([Document("n7", "Seen."), Document("n8", "")])
    assert table.ids == ("n7", "n8")
    assert table.texts == ("Seen.", "")


def test_a_text_without_an_id_is_refused() -> None:
    with pytest.raises(UsageError, match="2 texts came with 1 ids"):
        TokenTable.from_texts(["a", "b"], ["only"])


def test_the_text_is_not_shown() -> None:
    assert "Birch" not in repr(TokenTable.from_texts(["Birch"], ["n1"]))


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("He came. She left.", ["He came .", "She left ."]),
        ("Dr. Lee came.", ["Dr . Lee came ."]),
        ("J. Lee came.", ["J . Lee came ."]),
        ("No. 3 is free", ["No . 3 is free"]),
        ("dose is 2.5 mg. stable", ["dose is 2 . 5 mg . stable"]),
        ("Pain? 3 of 10! Good", ["Pain ?", "3 of 10 !", "Good"]),
        ("one\ntwo", ["one \n", "two"]),
    ],
)
def test_sentences_end_at_marks_and_lines(text: str, sentences: list[str]) -> None:
    table = TokenTable.from_texts([text])
    words = np.array(table.words(), dtype=object)
    found = [" ".join(words[table.sentence == n]) for n in range(table.sentence[-1] + 1)]
    assert found == sentences


def test_a_sentence_never_depends_on_the_document_before() -> None:
    table = TokenTable.from_texts(["Seen by Dr", ". Then home"])
    assert table.sentence.tolist() == [0, 0, 0, 1, 2, 2]


def values(text: str, column: str) -> dict[str, str]:
    """Return the heading or key of each word of a text in which no word recurs."""
    table = TokenTable.from_texts([text])
    names = (table.headings[n] for n in getattr(table, column))
    return dict(zip(table.words(), names, strict=True))


@pytest.mark.parametrize(
    ("text", "word", "heading"),
    [
        ("Plan:\nrest", "rest", "plan"),
        ("Plan:\nrest\nfluids", "fluids", "plan"),
        ("Plan:  \r\nrest", "rest", "plan"),
        ("HOSPITAL COURSE\nstable", "stable", "hospital course"),
        ("ALLERGIES: none", "none", "allergies"),
        ("BP: fine\nstable", "stable", ""),
        ("Name: Lee\nstable", "stable", ""),
        ("PLAN:\nrest\nHOME MEDS:\nnone", "none", "home meds"),
        ("PLAN:\n\n---\nrest", "rest", "plan"),
        ("rest\nPLAN:\n", "rest", ""),
        ("A B C D E F G H I J K\nrest", "rest", ""),
        ("ÁREA MÉDICA\nalta", "alta", "área médica"),
    ],
)
def test_a_heading_holds_until_the_next(text: str, word: str, heading: str) -> None:
    assert values(text, "heading")[word] == heading


@pytest.mark.parametrize(
    ("text", "word", "label"),
    [
        ("Name: Lee", "Lee", "name"),
        ("Name: Lee", "Name", ""),
        ("Name: Lee", ":", ""),
        ("Name: Lee Age: 90", "Lee", "name"),
        ("Name: Lee Age: 90", "90", "lee age"),
        ("the very long medical record: 7", "7", "long medical record"),
        ("Tel. home: 555", "555", "home"),
        ("12: x", "x", ""),
        ("Name:\nLee", "Lee", ""),
        ("Name\n: Lee", "Lee", ""),
    ],
)
def test_the_field_label_is_that_before_the_nearest_colon_of_the_line(
    text: str, word: str, label: str
) -> None:
    assert values(text, "field_label")[word] == label


def test_headings_and_field_labels_end_with_their_document() -> None:
    table = TokenTable.from_texts(["PLAN:\nName: Lee", "rest"])
    assert table.headings[table.heading[-1]] == ""
    assert table.headings[table.field_label[-1]] == ""


def test_a_long_line_counts_as_several_alone_and_in_a_batch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(structure, "LONGEST_LINE", 3)
    long = "a b c d e f g h\ni"
    alone, batch = TokenTable.from_texts([long]), TokenTable.from_texts(["x y", long])
    assert alone.position.tolist() == [0, 1, 2] * 3 + [0]
    assert alone.line.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3]
    assert batch.position.tolist()[2:] == alone.position.tolist()
    assert (batch.line[2:] - 1).tolist() == alone.line.tolist()
