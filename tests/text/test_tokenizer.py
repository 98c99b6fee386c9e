"""Tokens cover every visible character, with boundaries where PHI can begin and end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.text.tokenizer import LINE_ENDS, split_pieces, tokenize

# With no category excluded, lone surrogates are among them.
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)
CLINICAL_TEXT = st.text(st.sampled_from("aZéÉ\u0301\u0328 09.-:/\t\r\n\u2028_²٣語\U0001f600"))


@given(ANY_TEXT | CLINICAL_TEXT)
def test_pieces_joined_are_the_text(text: str) -> None:
    assert "".join(split_pieces(text)) == text


@given(ANY_TEXT | CLINICAL_TEXT)
def test_offsets_are_those_of_the_pieces_that_are_no_white_space(text: str) -> None:
    offsets = tokenize(text)
    expected = [p for p in split_pieces(text) if p in LINE_ENDS or not p.isspace()]
    assert [text[start:end] for start, end in offsets] == expected
    assert all(before[1] <= after[0] for before, after in pairwise(offsets))


@given(ANY_TEXT | CLINICAL_TEXT)
def test_only_white_space_without_line_ends_is_between_tokens(text: str) -> None:
    bounds = [0, *(offset for pair in tokenize(text) for offset in pair), len(text)]
    between = "".join(text[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True))
    assert between == "" or between.isspace()
    assert not set(between) & set("".join(LINE_ENDS))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("90yo", ["90", "yo"]),
        ("12/03/1946", ["12", "/", "03", "/", "1946"]),
        ("a_b", ["a", "_", "b"]),
        ("...", [".", ".", "."]),
        ("O'Neil-Fox", ["O", "'", "Neil", "-", "Fox"]),
        ("a  b\tc", ["a", "b", "c"]),
        ("M\U0001f600x", ["M", "\U0001f600", "x"]),
        ("٣٤ño", ["٣٤", "ño"]),
        ("", []),
        (" \t\u00a0", []),
    ],
)
def test_letters_digits_and_marks_are_set_apart(text: str, tokens: list[str]) -> None:
    assert [text[start:end] for start, end in tokenize(text)] == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("McLee", ["Mc", "Lee"]),
        ("LeeMD", ["Lee", "MD"]),
        ("MRNs", ["MRNs"]),
        ("señorÁlamo", ["señor", "Álamo"]),
        ("éÉ", ["é", "É"]),
        ("PÉREZ", ["PÉREZ"]),
        ("докторИванов", ["доктор", "Иванов"]),
    ],
)
def test_a_word_breaks_before_a_capital_that_follows_a_small_letter(
    text: str, tokens: list[str]
) -> None:
    assert split_pieces(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Pe\u0301rez", ["Pe\u0301rez"]),
        ("PE\u0301REZ", ["PE\u0301REZ"]),
        ("E\u0301ric", ["E\u0301ric"]),
        ("n\u0303\u0328o", ["n\u0303\u0328o"]),
        ("pe\u0301Rez", ["pe\u0301", "Rez"]),
        ("9\u0301", ["9", "\u0301"]),
    ],
)
def test_a_combining_mark_stays_with_its_letter(text: str, tokens: list[str]) -> None:
    assert split_pieces(text) == tokens


@pytest.mark.parametrize("line_end", LINE_ENDS)
def test_every_line_end_is_one_token(line_end: str) -> None:
    assert split_pieces(f"a {line_end}{line_end} b") == ["a", " ", line_end, line_end, " ", "b"]


def test_carriage_return_and_line_feed_in_the_wrong_order_are_two() -> None:
    assert split_pieces("\n\r\r\n") == ["\n", "\r", "\r\n"]


def test_a_long_run_of_marks_takes_no_time() -> None:
    text = "A" + "\u0301" * 100_000 + "1"
    assert [len(piece) for piece in split_pieces(text)] == [100_001, 1]
