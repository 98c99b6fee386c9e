"""Boosted trees correct the odds of uncertain tokens, if that lowers the loss out of fold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from multideid.errors import ModelError
from multideid.stacking.token_forms import TokenForms
from multideid.stacking.uncertain_odds import UNCERTAIN, Candidates, UncertainOdds
from multideid.text.table import TokenTable

N_SYSTEMS = 2
TOKENS = TokenTable.from_texts(["alder Alder seen 12 today by the Ward\n" * 40] * 20)
FOLD = (TOKENS.document % 3).astype(np.int64)


def candidates(first: int = 0, stop: int | None = None) -> Candidates:
    """Return all tokens of a part of the table."""
    document = TOKENS.document[first:stop]
    return Candidates(np.arange(len(document)), document, TokenForms.of(TOKENS), first)


def odds_of(phi: Any, strength: float) -> tuple[Any, Any]:
    """Return log odds that know a little of the truth, and advantages that know no more."""
    rng = np.random.default_rng(5)
    log_odds = np.where(phi, strength, -strength) + rng.normal(0, 2, len(phi))
    return log_odds, np.stack([log_odds] * (1 + N_SYSTEMS), axis=1)


TITLE = np.array([word[0].isupper() for word in TOKENS.words()])


@pytest.fixture(scope="module")
def fitted() -> tuple[UncertainOdds, Any, Any, Any]:
    log_odds, advantages = odds_of(TITLE, 0.3)
    trees, corrected = UncertainOdds.out_of_fold(candidates(), log_odds, advantages, TITLE, FOLD)
    assert trees is not None
    return trees, corrected, log_odds, advantages


def test_what_the_form_tells_of_the_label_is_learned_out_of_fold(fitted) -> None:
    _, corrected, log_odds, _ = fitted
    unsure = np.abs(log_odds) < UNCERTAIN
    assert ((corrected[unsure] > 0) == TITLE[unsure]).mean() > 0.99
    assert ((log_odds[unsure] > 0) == TITLE[unsure]).mean() < 0.7


def test_certain_tokens_keep_their_odds(fitted) -> None:
    trees, corrected, log_odds, advantages = fitted
    certain = np.abs(log_odds) >= UNCERTAIN
    assert certain.any()
    assert (corrected[certain] == log_odds[certain]).all()
    found = trees.corrected(candidates(), log_odds, advantages, compiled=True)
    assert (found[certain] == log_odds[certain]).all()


def test_corrected_odds_stay_uncertain(fitted) -> None:
    trees, _, log_odds, advantages = fitted
    found = trees.corrected(candidates(), log_odds, advantages, compiled=True)
    assert np.abs(found[np.abs(log_odds) < UNCERTAIN]).max() <= UNCERTAIN


def test_odds_by_numpy_are_those_of_compiled_loops(fitted) -> None:
    trees, _, log_odds, advantages = fitted
    compiled, plain = (
        trees.corrected(candidates(), log_odds, advantages, compiled=compiled)
        for compiled in (True, False)
    )
    np.testing.assert_allclose(plain, compiled, atol=1e-12)


def test_odds_in_a_part_of_the_table_are_those_in_the_whole(fitted) -> None:
    trees, _, log_odds, advantages = fitted
    whole = trees.corrected(candidates(), log_odds, advantages, compiled=True)
    part = slice(100, 700)
    found = trees.corrected(candidates(100, 700), log_odds[part], advantages[part], compiled=True)
    inner = slice(2, -2)  # Two neighbours on each side tell.
    assert (found[inner] == whole[part][inner]).all()


def test_there_are_no_trees_where_they_do_not_lower_the_loss() -> None:
    rng = np.random.default_rng(7)
    log_odds = rng.normal(0, 2, len(TOKENS))
    phi = rng.random(len(TOKENS)) < 1 / (1 + np.exp(-log_odds))
    advantages = np.stack([log_odds] * (1 + N_SYSTEMS), axis=1)
    trees, found = UncertainOdds.out_of_fold(candidates(), log_odds, advantages, phi, FOLD)
    assert trees is None
    assert found is log_odds


def test_no_uncertain_token_is_no_problem(fitted) -> None:
    trees, *_ = fitted
    log_odds = np.full(len(TOKENS), 2 * UNCERTAIN)
    advantages = np.stack([log_odds] * (1 + N_SYSTEMS), axis=1)
    assert (trees.corrected(candidates(), log_odds, advantages, compiled=True) == log_odds).all()
    phi = np.ones(len(TOKENS), dtype=np.bool_)
    assert UncertainOdds.out_of_fold(candidates(), log_odds, advantages, phi, FOLD)[0] is None


def test_saved_trees_are_the_same(fitted, tmp_path: Path) -> None:
    trees, _, log_odds, advantages = fitted
    trees.save(tmp_path, "trees")
    loaded = UncertainOdds.load(tmp_path, "trees", N_SYSTEMS)
    found, expected = (
        each.corrected(candidates(), log_odds, advantages, compiled=True)
        for each in (loaded, trees)
    )
    assert (found == expected).all()


def test_trees_of_more_systems_are_refused(fitted, tmp_path: Path) -> None:
    trees, *_ = fitted
    trees.forest.feature[trees.forest.roots[0]] = trees.forest.feature.max()
    trees.save(tmp_path, "trees")
    with pytest.raises(ModelError, match=r"trees\.npz"):
        UncertainOdds.load(tmp_path, "trees", -20)
