"""The odds of PHI join the stacker's margins and the systems' scores, and replace "O"'s margin."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from multideid.errors import ModelError
from multideid.stacking.odds import Odds
from multideid.stacking.phi_odds import NO_CANDIDATE, PhiOdds, are_candidates, phi_advantage
from multideid.stacking.uncertain_odds import Candidates

N = 20_000


def scored(advantage: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    scores = np.zeros((len(advantage), 3), np.float32)
    scores[:, 1] = advantage
    scores[:, 2] = advantage - 1
    return scores


def applied(odds: PhiOdds, margins: Any, scores: list[Any]) -> Any:
    """Return margins with the odds of their candidates."""
    rows = np.flatnonzero(are_candidates(margins))
    found = margins.copy()
    candidates = Candidates(rows, np.zeros(len(margins), np.int32))
    found[rows] = Odds(odds).applied(candidates, margins[rows], [s[rows] for s in scores])
    return found


@pytest.fixture(scope="module")
def example() -> tuple[Any, list[Any], Any]:
    """Return margins that know nothing about half of the tokens, scores that do, and the truth."""
    random = np.random.default_rng(3)
    truth = random.normal(-1, 2, N)
    phi = random.random(N) < 1 / (1 + np.exp(-truth))
    margins = scored(np.maximum(truth, -0.5))
    noise = random.normal(0, 0.1, N)
    return margins, [scored(truth + noise), scored(np.sign(truth))], phi


def test_the_odds_are_those_that_made_the_labels(example) -> None:
    margins, scores, phi = example
    odds = PhiOdds.of(margins, scores, phi)
    assert odds is not None
    found = phi_advantage(applied(odds, margins, scores))
    clipped = np.clip(found, -4, 4)
    for low in np.arange(-3.0, 3.0):
        rows = (clipped >= low) & (clipped < low + 1)
        expected = (1 / (1 + np.exp(-clipped[rows]))).mean()
        assert phi[rows].mean() == pytest.approx(expected, abs=0.05)


def test_tokens_that_the_margins_cannot_order_are_ordered_by_the_scores(example) -> None:
    margins, scores, phi = example
    odds = PhiOdds.of(margins, scores, phi)
    assert odds is not None
    rejected = phi_advantage(margins) == -0.5
    found = phi_advantage(applied(odds, margins, scores))[rejected]
    upper = found > np.median(found)
    assert phi[rejected][upper].mean() > 3 * phi[rejected][~upper].mean()


def test_only_the_margin_of_o_of_candidates_changes(example) -> None:
    margins, scores, phi = example
    odds = PhiOdds.of(margins, scores, phi)
    assert odds is not None
    some = margins[:4].copy()
    some[2:, 0] = NO_CANDIDATE
    found = applied(odds, some, [s[:4] for s in scores])
    assert (found[:, 1:] == some[:, 1:]).all()
    assert (found[2:] == some[2:]).all()
    assert (found[:2, 0] != some[:2, 0]).all()
    nothing = some[2:]
    assert (applied(odds, nothing, [s[2:4] for s in scores]) == nothing).all()


def test_there_are_no_odds_without_two_kinds_of_candidates() -> None:
    margins = scored(np.array([1.0, 2.0]))
    for phi in ([True, True], [False, False]):
        assert PhiOdds.of(margins, [margins], np.array(phi)) is None
    margins[:, 0] = NO_CANDIDATE
    assert PhiOdds.of(margins, [margins], np.array([True, False])) is None


def test_rare_phi_is_not_clipped_away() -> None:
    phi = np.arange(N) < N // 1000
    advantage = np.where(phi, 2.0, -2.0) + np.random.default_rng(5).normal(0, 0.1, N)
    margins = scored(advantage)
    odds = PhiOdds.of(margins, [margins], phi)
    assert odds is not None
    assert ((phi_advantage(applied(odds, margins, [margins])) > 0) == phi).all()


@pytest.fixture
def saved(example) -> dict[str, Any]:
    odds = PhiOdds.of(*example)
    assert odds is not None
    values: dict[str, Any] = json.loads(json.dumps(odds._asdict()))
    return values


def test_saved_odds_are_the_same(saved, example) -> None:
    assert PhiOdds.from_json(Path("x"), saved, 2) == PhiOdds.of(*example)


@pytest.mark.parametrize(
    "damage",
    [
        {"intercept": None},
        {"intercept": True},
        {"intercept": 1e300},
        {"weights": [1.0, 2.0]},
        {"positive": "no list"},
        {"low": [0.0, 0.0, 9.0], "high": [1.0, 1.0, 8.0]},
    ],
    ids=str,
)
def test_damaged_odds_are_refused(saved, damage) -> None:
    with pytest.raises(ModelError, match=r"stacker\.json"):
        PhiOdds.from_json(Path("stacker.json"), {**saved, **damage}, 2)


def test_odds_of_another_number_of_systems_are_refused(saved) -> None:
    with pytest.raises(ModelError, match="another number of systems"):
        PhiOdds.from_json(Path("stacker.json"), saved, 3)
