"""Words as lists compare them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from multideid.accents import composed
from multideid.site.words import Words, folded_word, split_words
from multideid.text.table import TokenTable

TEXT = st.text(st.sampled_from("aBé\u0301ß12 -'\u2019\n\u2028._/\U0001f600"), max_size=40)


def _words(*texts: str) -> Words:
    return Words.of(TokenTable.from_texts(texts))


@given(st.lists(TEXT, max_size=4))
def test_words_are_those_of_each_text_alone(texts: list[str]) -> None:
    words = _words(*texts)
    found = [
        [words.texts[k] for k in words.kind[words.first[d] : words.first[d + 1]].tolist()]
        for d in range(len(texts))
    ]
    assert found == [split_words(text) for text in texts]


@given(TEXT)
def test_offsets_give_the_words_of_the_text(text: str) -> None:
    words = _words(text)
    for kind, start, end in zip(words.kind, words.start, words.end, strict=True):
        assert composed(text[start:end]) == words.texts[kind]
    pairs = zip(words.start.tolist(), words.end.tolist(), strict=True)
    assert "".join(text[start:end] for start, end in pairs) == "".join(text.split())


def test_letters_and_digits_make_one_word_and_marks_are_words() -> None:
    assert split_words("McLee-Ann, B12 x_y") == ["McLee", "-", "Ann", ",", "B12", "x", "_", "y"]


def test_folding_ignores_case_accents_and_kinds_of_quotes() -> None:
    assert folded_word("PEÑA") == folded_word("pena") == folded_word("Pen\u0303a")
    assert folded_word("\u2019") == "'"
    assert folded_word("\u2013") == "-"


def test_phrases_cross_one_line_end_but_no_blank_line_or_document() -> None:
    words = _words("a\nb\n\nc", "d")
    assert [words.follows(row) for row in range(4)] == [True, False, False, False]
