"""Meta-features equal those of a loop over the tokens, and candidates are few."""

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
    system_columns,
)
from multideid.text.table import TokenTable

N_LABELS = 5
TOKENS = TokenTable.from_texts(["a b c", "d", "", "e f g h i"])
OFFSETS = range(-2, 3)


def draw(n_systems: int, seed: int = 0, tokens: TokenTable = TOKENS) -> list[FloatArray]:
    rng = np.random.default_rng(seed)
    shape = (len(tokens), N_LABELS)
    return [rng.normal(0, k + 1, shape).astype(np.float32) for k in range(n_systems)]


def no_phi() -> FloatArray:
    """Return scores of a system that finds no PHI."""
    scores = np.zeros((len(TOKENS), N_LABELS), dtype=np.float32)
    scores[:, 0] = 1
    return scores


def features_of_token(
    i: int, scores: list[FloatArray], normalisations: list[ScoreNormalisation]
) -> list[float]:
    """Return every system's decision and normalised scores for one token."""
    values: list[float] = []
    for s, normalisation in zip(scores, normalisations, strict=True):
        values += [float(tag == s[i].argmax()) for tag in range(N_LABELS)]
        values += [normalised(float(x), normalisation) for x in s[i]]
    return values


def normalised(score: float, normalisation: ScoreNormalisation) -> float:
    share = (score - normalisation.low) / (normalisation.high - normalisation.low)
    return 0.0 if share < 0.05 else min(share, 2.0)


def meta_features_by_loop(
    tokens: TokenTable, scores: list[FloatArray], normalisations: list[ScoreNormalisation]
) -> FloatArray:
    rows = []
    for i, d in enumerate(tokens.document):
        row: list[float] = []
        for j in (i + k for k in OFFSETS):
            inside = 0 <= j < len(tokens) and tokens.document[j] == d
            width = 2 * N_LABELS * len(scores)
            row += features_of_token(j, scores, normalisations) if inside else [0.0] * width
        best = [s[i].argmax() for s in scores]
        for a, first in enumerate(best):
            for second in best[a + 1 :]:
                cell = first * N_LABELS + second
                row += [float(k == cell) for k in range(N_LABELS**2)]
        rows.append(row)
    return np.array(rows, dtype=np.float32)


def meta_features(
    tokens: TokenTable,
    scores: list[FloatArray],
    normalisations: list[ScoreNormalisation],
    rows: list[int] | None = None,
) -> sparse.csr_matrix:
    chosen = np.arange(len(tokens)) if rows is None else np.array(rows, dtype=np.int64)
    return MetaFeatures.of(tokens, scores, normalisations, chosen).matrix()


@pytest.mark.parametrize("n_systems", [1, 2, 3])
def test_meta_features_equal_those_of_a_loop_over_the_tokens(n_systems: int) -> None:
    scores = draw(n_systems)
    normalisations = [ScoreNormalisation.of(s) for s in scores]
    found = meta_features(TOKENS, scores, normalisations)
    assert found.dtype == np.float32
    assert found.toarray() == pytest.approx(
        meta_features_by_loop(TOKENS, scores, normalisations), abs=1e-5
    )


@pytest.mark.parametrize("rows", [[], [0], [3], [1, 4, 8], [8, 2], list(range(9))])
def test_meta_features_of_some_tokens_are_their_rows_of_the_whole_matrix(rows: list[int]) -> None:
    scores = draw(3)
    normalisations = [ScoreNormalisation.of(s) for s in scores]
    some = meta_features(TOKENS, scores, normalisations, rows)
    part = meta_features(TOKENS, scores, normalisations)[rows]
    assert some.shape == part.shape
    assert np.array_equal(some.toarray(), part.toarray())


def test_system_columns_are_those_of_the_token_itself() -> None:
    scores = draw(3)
    normalisations = [ScoreNormalisation.of(s) for s in scores]
    matrix = meta_features(TOKENS, scores, normalisations)
    for system, (s, normalisation) in enumerate(zip(scores, normalisations, strict=True)):
        columns = matrix[:, system_columns(system, 3, N_LABELS)].toarray()
        assert np.array_equal(columns[:, :N_LABELS], decisions(s).toarray())
        assert columns[:, N_LABELS:] == pytest.approx(normalisation.apply(s))


def test_meta_features_of_no_tokens_have_all_columns() -> None:
    nothing = TokenTable.from_texts([""])
    scores = draw(2, tokens=nothing)
    wide = meta_features(TOKENS, draw(2), [ScoreNormalisation(0, 1)] * 2).shape[1]
    assert meta_features(nothing, scores, [ScoreNormalisation(0, 1)] * 2).shape == (0, wide)


@given(st.integers(0, 10_000), st.sampled_from([0.01, 1.0, 300.0]))
def test_median_decided_and_rejected_scores_are_normalised_to_one_and_zero(
    seed: int, size: float
) -> None:
    scores = draw(1, seed)[0] * np.float32(size)
    normalisation = ScoreNormalisation.of(scores)
    normalised_scores = normalisation.apply(scores)
    decided = scores.max(axis=1)
    assert normalisation.high == pytest.approx(np.median(decided))
    assert normalisation.apply(
        np.array([[normalisation.low, normalisation.high]], dtype=np.float32)
    ) == pytest.approx(np.array([[0.0, 1.0]]))
    assert (
        (normalised_scores == 0) | ((normalised_scores >= 0.05) & (normalised_scores <= 2))
    ).all()


def test_normalisation_does_not_change_its_input() -> None:
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
def test_constant_scores_can_be_normalised(scores: FloatArray) -> None:
    normalisation = ScoreNormalisation.of(scores)
    assert normalisation.high > normalisation.low
    assert np.isfinite(normalisation.apply(scores)).all()


# Tokens are a b c | d | e f g h i; `index` is that of the token with a PHI tag.
@pytest.mark.parametrize(
    ("index", "expected"),
    [(0, [0, 1, 2]), (2, [0, 1, 2]), (3, [3]), (4, [4, 5, 6]), (6, [4, 5, 6, 7, 8])],
)
def test_candidates_are_two_tokens_on_each_side_in_the_same_document(
    index: int, expected: list[int]
) -> None:
    marked = no_phi()
    marked[index, 1] = 2
    assert np.flatnonzero(candidate_tokens(TOKENS, [no_phi(), marked])).tolist() == expected


def test_a_tag_with_nearly_the_score_of_outside_makes_a_candidate() -> None:
    marked = no_phi()
    marked[3, 1] = 0.6
    assert np.flatnonzero(candidate_tokens(TOKENS, [marked])).tolist() == [3]
    marked[3, 1] = 0.4
    assert not candidate_tokens(TOKENS, [marked]).any()


def test_an_empty_table_has_no_candidates() -> None:
    nothing = TokenTable.from_texts([""])
    assert candidate_tokens(nothing, draw(2, tokens=nothing)).tolist() == []
