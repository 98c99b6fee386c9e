"""Decoding gives only tags that can stand in a row, and the best of them."""

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


def possible(tags: tuple[int, ...]) -> bool:
    return all(b in (0, 1, 3) or a in (b - 1, b) for a, b in pairwise(tags))


@given(st.integers(1, 4), st.integers(0, 10_000))
def test_the_best_of_all_possible_sequences_of_a_line_is_found(n: int, seed: int) -> None:
    tokens = TokenTable.from_texts([" ".join("abcd"[:n])])
    margins = np.random.default_rng(seed).normal(size=(n, 5)).astype(np.float32)
    found = tuple(best_tags(tokens, margins).tolist())
    sums = {t: margins[range(n), t].sum() for t in product(range(5), repeat=n) if possible(t)}
    assert possible(found)
    assert sums[found] >= max(sums.values()) - 1e-5


def test_white_space_at_the_edges_of_a_span_is_left_out() -> None:
    tokens = TokenTable.from_texts(["on 3\n"])
    tags = TokenLabels(np.array([0, 1, 2], dtype=np.int32), NAMES)
    assert tags_to_spans(tokens, tags) == [(Span(3, 4, "DATE"),)]


def test_a_span_of_a_line_end_alone_is_no_span() -> None:
    tokens = TokenTable.from_texts(["a\n"])
    tags = TokenLabels(np.array([0, 1], dtype=np.int32), NAMES)
    assert tags_to_spans(tokens, tags) == [()]
