"""Decoding finds the best valid tag sequence, and its spans."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Span
from multideid.stacking.decode import best_tags, tags_to_spans
from multideid.text.bio import TokenLabels, bio_names
from multideid.text.table import TokenTable

NAMES = bio_names(["DATE", "ID"])


def is_valid(tags: tuple[int, ...]) -> bool:
    return all(b in (0, 1, 3) or a in (b - 1, b) for a, b in pairwise(tags))


@given(st.integers(1, 4), st.integers(0, 10_000))
def test_the_best_of_all_valid_sequences_of_a_line_is_found(n: int, seed: int) -> None:
    tokens = TokenTable.from_texts([" ".join("abcd"[:n])])
    margins = np.random.default_rng(seed).normal(size=(n, 5)).astype(np.float32)
    found = tuple(best_tags(tokens, margins).tolist())
    sums = {t: margins[range(n), t].sum() for t in product(range(5), repeat=n) if is_valid(t)}
    assert is_valid(found)
    assert sums[found] >= max(sums.values()) - 1e-5


def test_white_space_is_trimmed_from_spans() -> None:
    tokens = TokenTable.from_texts(["on 3\n"])
    tags = TokenLabels(np.array([0, 1, 2], dtype=np.int32), NAMES)
    assert tags_to_spans(tokens, tags) == [(Span(3, 4, "DATE"),)]


def test_a_line_end_alone_is_not_a_span() -> None:
    tokens = TokenTable.from_texts(["a\n"])
    tags = TokenLabels(np.array([0, 1], dtype=np.int32), NAMES)
    assert tags_to_spans(tokens, tags) == [()]


@given(st.integers(0, 10_000))
def test_each_line_is_decoded_independently(seed: int) -> None:
    texts = ["a b\nc d e\n", "f", "", "g h"]
    tokens = TokenTable.from_texts(texts)
    margins = np.random.default_rng(seed).normal(size=(len(tokens), 5)).astype(np.float32)
    found = best_tags(tokens, margins)
    for line in np.unique(tokens.line):
        rows = tokens.line == line
        alone = TokenTable.from_texts([" ".join("abcd"[: rows.sum()])])
        assert np.array_equal(found[rows], best_tags(alone, margins[rows]))


def test_an_empty_table_has_no_tags() -> None:
    nothing = TokenTable.from_texts(["", " "])
    assert best_tags(nothing, np.zeros((0, 5), dtype=np.float32)).tolist() == []


@given(st.text("ab1 \n\t\u0301\U0001f600", max_size=30), st.integers(0, 10_000))
def test_spans_cover_exactly_the_tagged_tokens(text: str, seed: int) -> None:
    tokens = TokenTable.from_texts([text])
    tags = np.random.default_rng(seed).integers(0, 5, len(tokens)).astype(np.int32)
    (spans,) = tags_to_spans(tokens, TokenLabels(tags, NAMES))
    covered = {i for span in spans for i in range(span.start, span.end)}
    for start, end, tag in zip(tokens.start, tokens.end, tags, strict=True):
        if tag and not text[start:end].isspace():
            assert set(range(start, end)) <= covered
        elif not tag:
            assert not set(range(start, end)) & covered
