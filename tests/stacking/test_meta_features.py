"""The stacker's evidence is what a walk over the tokens would gather."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from multideid.arrays import FloatArray
from multideid.stacking.meta_features import (
    MetaFeatures,
    ScoreNormalisation,
    candidate_tokens,
    decisions,
    own_columns,
)
from multideid.text.table import TokenTable

N_LABELS = 5
TOKENS = TokenTable.from_texts(["a b c", "d", "", "e f g h i"])
NEAR = range(-2, 3)


def draw(n_systems: int, seed: int = 0, tokens: TokenTable = TOKENS) -> list[FloatArray]:
    rng = np.random.default_rng(seed)
    shape = (len(tokens), N_LABELS)
    return [rng.normal(0, k + 1, shape).astype(np.float32) for k in range(n_systems)]


def quiet() -> FloatArray:
    """Return scores of a system that finds nothing."""
    scores = np.zeros((len(TOKENS), N_LABELS), dtype=np.float32)
    scores[:, 0] = 1
    return scores


def of_token(i: int, scores: list[FloatArray], scales: list[ScoreNormalisation]) -> list[float]:
    """Return every system's decision and scaled scores of one token."""
    values: list[float] = []
    for s, scale in zip(scores, scales, strict=True):
        values += [float(tag == s[i].argmax()) for tag in range(N_LABELS)]
        values += [scaled(float(x), scale) for x in s[i]]
    return values


def scaled(score: float, scale: ScoreNormalisation) -> float:
    share = (score - scale.low) / (scale.high - scale.low)
    return 0.0 if share < 0.05 else min(share, 2.0)


def naive(
    tokens: TokenTable, scores: list[FloatArray], scales: list[ScoreNormalisation]
) -> FloatArray:
    rows = []
    for i, d in enumerate(tokens.document):
        row: list[float] = []
        for j in (i + k for k in NEAR):
            inside = 0 <= j < len(tokens) and tokens.document[j] == d
            width = 2 * N_LABELS * len(scores)
            row += of_token(j, scores, scales) if inside else [0.0] * width
        best = [s[i].argmax() for s in scores]
        for a, first in enumerate(best):
            for second in best[a + 1 :]:
                cell = first * N_LABELS + second
                row += [float(k == cell) for k in range(N_LABELS**2)]
        rows.append(row)
    return np.array(rows, dtype=np.float32)


def evidence(
    tokens: TokenTable,
    scores: list[FloatArray],
    scales: list[ScoreNormalisation],
    rows: list[int] | None = None,
) -> sparse.csr_matrix:
    chosen = np.arange(len(tokens)) if rows is None else np.array(rows, dtype=np.int64)
    return MetaFeatures.of(tokens, scores, scales, chosen).matrix()


@pytest.mark.parametrize("n_systems", [1, 2, 3])
def test_evidence_is_that_of_a_walk_over_the_tokens(n_systems: int) -> None:
    scores = draw(n_systems)
    scales = [ScoreNormalisation.of(s) for s in scores]
    found = evidence(TOKENS, scores, scales)
    assert found.dtype == np.float32
    assert found.toarray() == pytest.approx(naive(TOKENS, scores, scales), abs=1e-5)


@pytest.mark.parametrize("rows", [[], [0], [3], [1, 4, 8], [8, 2], list(range(9))])
def test_evidence_of_some_tokens_is_their_part_of_that_of_all(rows: list[int]) -> None:
    scores = draw(3)
    scales = [ScoreNormalisation.of(s) for s in scores]
    some = evidence(TOKENS, scores, scales, rows)
    part = evidence(TOKENS, scores, scales)[rows]
    assert some.shape == part.shape
    assert np.array_equal(some.toarray(), part.toarray())


def test_own_columns_hold_the_systems_decision_and_scores_for_the_token_itself() -> None:
    scores = draw(3)
    scales = [ScoreNormalisation.of(s) for s in scores]
    matrix = evidence(TOKENS, scores, scales)
    for system, (s, scale) in enumerate(zip(scores, scales, strict=True)):
        own = matrix[:, own_columns(system, 3, N_LABELS)].toarray()
        assert np.array_equal(own[:, :N_LABELS], decisions(s).toarray())
        assert own[:, N_LABELS:] == pytest.approx(scale.apply(s))


def test_evidence_of_no_token_keeps_its_columns() -> None:
    nothing = TokenTable.from_texts([""])
    scores = draw(2, tokens=nothing)
    wide = evidence(TOKENS, draw(2), [ScoreNormalisation(0, 1)] * 2).shape[1]
    assert evidence(nothing, scores, [ScoreNormalisation(0, 1)] * 2).shape == (0, wide)


@given(st.integers(0, 10_000), st.sampled_from([0.01, 1.0, 300.0]))
def test_a_usual_decision_is_brought_to_one_and_a_tag_out_of_question_to_nothing(
    seed: int, size: float
) -> None:
    scores = draw(1, seed)[0] * np.float32(size)
    scale = ScoreNormalisation.of(scores)
    brought = scale.apply(scores)
    decided = scores.max(axis=1)
    assert scale.high == pytest.approx(np.median(decided))
    assert scale.apply(np.array([[scale.low, scale.high]], dtype=np.float32)) == pytest.approx(
        np.array([[0.0, 1.0]])
    )
    assert ((brought == 0) | ((brought >= 0.05) & (brought <= 2))).all()


def test_scaling_leaves_the_scores_as_they_were() -> None:
    scores = draw(1)[0]
    before = scores.copy()
    ScoreNormalisation.of(scores).apply(scores)
    assert np.array_equal(scores, before)


@pytest.mark.parametrize(
    "scores",
    [
        np.zeros((0, N_LABELS), dtype=np.float32),
        np.full((4, N_LABELS), 7, dtype=np.float32),
        np.ones((4, 1), dtype=np.float32),
    ],
)
def test_scores_that_do_not_differ_still_give_a_scale(scores: FloatArray) -> None:
    scale = ScoreNormalisation.of(scores)
    assert scale.high > scale.low
    assert np.isfinite(scale.apply(scores)).all()


# Tokens are a b c | d | e f g h i; the index is that of the token with PHI.
@pytest.mark.parametrize(
    ("index", "wanted"),
    [(0, [0, 1, 2]), (2, [0, 1, 2]), (3, [3]), (4, [4, 5, 6]), (6, [4, 5, 6, 7, 8])],
)
def test_a_tag_contests_its_token_and_two_on_each_side_in_its_document(
    index: int, wanted: list[int]
) -> None:
    marked = quiet()
    marked[index, 1] = 2
    assert np.flatnonzero(candidate_tokens(TOKENS, [quiet(), marked])).tolist() == wanted


def test_a_tag_close_behind_outside_contests_too() -> None:
    marked = quiet()
    marked[3, 1] = 0.6
    assert np.flatnonzero(candidate_tokens(TOKENS, [marked])).tolist() == [3]
    marked[3, 1] = 0.4
    assert not candidate_tokens(TOKENS, [marked]).any()


def test_nothing_is_contested_where_there_is_nothing() -> None:
    nothing = TokenTable.from_texts([""])
    assert candidate_tokens(nothing, draw(2, tokens=nothing)).tolist() == []
