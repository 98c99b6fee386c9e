"""Span candidates combine the borders and labels on which the decisions of systems differ."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tagged_words import LABELS, tags_of

from multideid.stacking.span_candidates import MOST_CANDIDATES, SpanCandidates
from multideid.text.bio import tag_runs
from multideid.text.table import TokenTable


def found(*decisions: str) -> set[tuple[str, str, int]]:
    """Return the words, label and cluster of each candidate; the last decision is the stacker's."""
    pairs = [tags_of(marked) for marked in decisions]
    tokens = pairs[0][0]
    candidates = SpanCandidates.of(tokens, [tags for _, tags in pairs])
    (text,) = tokens.texts
    rows = zip(*(column.tolist() for column in candidates), strict=True)
    return {(text[tokens.start[f] : tokens.end[t]], LABELS[k], n) for f, t, k, n in rows}


@pytest.mark.parametrize(
    ("decisions", "expected"),
    [
        (["to NAME[Ann Lee]", "to NAME[Ann Lee]"], set()),
        (["to Ann Lee", "to Ann Lee"], set()),
        (["to NAME[Ann] Lee", "to Ann Lee"], {("Ann", "NAME", 0)}),
        (
            ["to NAME[Ann] Lee", "to NAME[Ann Lee]"],
            {("Ann", "NAME", 0), ("Ann Lee", "NAME", 0)},
        ),
        (
            ["to NAME[Ann] Lee", "to Ann DATE[Lee]"],
            {("Ann", "NAME", 0)},
        ),
        (
            ["to NAME[Ann Lee]", "to DATE[Ann Lee]"],
            {("Ann Lee", "NAME", 0), ("Ann Lee", "DATE", 0)},
        ),
        (
            ["NAME[a] b NAME[c]", "a b c"],
            {("a", "NAME", 0), ("c", "NAME", 1)},
        ),
        (
            ["NAME[a b] c", "a NAME[b c]"],
            {("a b", "NAME", 0), ("b c", "NAME", 0), ("a b c", "NAME", 0), ("b", "NAME", 0)},
        ),
    ],
)
def test_candidates_of_decisions(decisions, expected) -> None:
    assert found(*decisions) == expected


def test_of_a_cluster_with_too_many_candidates_only_decided_spans_remain() -> None:
    words = "a b c d e f g h i j k l"
    parts = [words.replace(w, f"NAME[{w}]") for w in "abcdefghijkl"]
    decided = found(*parts, f"NAME[{words}]")
    assert {text for text, _, _ in decided} == {words, *words.split()}
    assert len(words.split()) * (len(words.split()) + 1) / 2 > MOST_CANDIDATES


def test_a_line_of_disputed_names_is_one_cluster_in_linear_memory() -> None:
    n = 20_000
    tokens = TokenTable.from_texts(["a " * n])
    single, whole = np.full(n, 1, dtype=np.int32), np.full(n, 2, dtype=np.int32)
    whole[0] = 1
    tracemalloc.start()
    candidates = SpanCandidates.of(tokens, [single, whole])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(candidates.first) == n + 1
    assert peak < 2000 * n


@given(st.lists(st.lists(st.integers(0, 4), min_size=12, max_size=12), min_size=2, max_size=4))
def test_every_disputed_span_is_a_candidate_and_clusters_do_not_overlap(decisions) -> None:
    tokens = TokenTable.from_texts(["a b c d e f", "g h i j k l"])
    decided = [np.array(tags, dtype=np.int32) for tags in decisions]
    candidates = SpanCandidates.of(tokens, decided)
    own = set(zip(*(column.tolist() for column in candidates[:3]), strict=True))
    covered = set(candidates.rows.tolist())
    for tags in decided:
        for span in zip(*(c.tolist() for c in tag_runs(tokens.document, tags)), strict=True):
            assert span in own or not covered & set(range(span[0], span[1] + 1))
    bounds = candidates.bounds()
    for low, high in pairwise(bounds[:-1].tolist()):
        assert candidates.last[low:high].max() < candidates.first[high:].min()
    assert (tokens.document[candidates.first] == tokens.document[candidates.last]).all()
