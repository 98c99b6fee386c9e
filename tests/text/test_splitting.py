"""Tokenizing a batch equals tokenizing each of its texts."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from multideid.text.numbering import distinct
from multideid.text.splitting import split_batch
from multideid.text.tokenizer import tokenize
from multideid.text.type_memo import TypeMemo

# White space and line ends of all kinds, marks that combine, a lone surrogate.
ODD = "Aa1. \n\r\t\v\x1c\x1f\x85\u2028\u3000\u0301\u2003\U0001f600\ud800"


@given(st.lists(st.text(ODD, max_size=20), max_size=4))
def test_a_batch_has_the_tokens_of_each_text(texts: list[str]) -> None:
    found = split_batch(texts)
    document = np.repeat(np.arange(len(texts)), np.diff(found.first)).tolist()
    rows = list(zip(document, found.start.tolist(), found.end.tolist(), strict=True))
    assert rows == [(d, *span) for d, text in enumerate(texts) for span in tokenize(text)]
    words = [texts[d][start:end] for d, start, end in rows]
    assert [found.vocabulary[t] for t in found.type] == words
    assert list(found.vocabulary) == list(dict.fromkeys(words))


def test_a_text_never_joins_with_the_next() -> None:
    found = split_batch(["a\r", "\nb"])
    assert found.vocabulary == ("a", "\r", "\n", "b")
    assert not found.space.any()


def test_strings_are_numbered_by_first_sight() -> None:
    codes, names = distinct(["b", "a", "b"])
    assert (codes.tolist(), names) == ([0, 1, 0], ["b", "a"])


def test_a_string_is_asked_for_once_while_it_is_remembered() -> None:
    asked = []

    def length(word: str) -> int:
        asked.append(word)
        return len(word)

    memo = TypeMemo(length, "int32", most=2)
    assert memo(["a", "bb"]).tolist() == memo(("a", "bb")).tolist() == [1, 2]
    assert asked == ["a", "bb"]
    assert memo(["ccc"]).tolist() == [3]
    assert memo(["a"]).tolist() == [1]
    assert asked == ["a", "bb", "ccc", "a"]
