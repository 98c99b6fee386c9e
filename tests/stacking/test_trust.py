"""Trust is the share of each system in the stacker's decisions."""

from __future__ import annotations

import numpy as np
import pytest
from template_notes import sample_corpus

from multideid.arrays import FloatArray
from multideid.stacking.phi_odds import NO_CANDIDATE
from multideid.stacking.stacker import Stacker
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable

CORPUS = sample_corpus(8, seed=6)
TOKENS = TokenTable.from_documents(CORPUS)
LABELS = encode_bio(TOKENS, CORPUS)
N = len(LABELS.names)


def right() -> FloatArray:
    """Return the scores of a system that is always right."""
    return np.eye(N, dtype=np.float32)[LABELS.ids]


def guessing(seed: int = 0) -> FloatArray:
    """Return the scores of a system that guesses PHI tags with their true frequencies."""
    return np.random.default_rng(seed).permutation(right())


def trust(scores: list[FloatArray], labels: TokenLabels = LABELS) -> np.ndarray:
    return Stacker().fit(TOKENS, labels, scores).trust(TOKENS, labels, scores)


def test_a_perfect_system_gets_nearly_all_trust_and_a_guessing_one_little() -> None:
    shares = trust([guessing(), right()])
    frequent = np.bincount(LABELS.ids, minlength=N)[1::2] >= 5
    assert frequent.sum() >= 4
    assert (shares[frequent, 1] > 0.9).all()


def test_rows_sum_to_one_or_zero() -> None:
    for total in trust([guessing(1), guessing(2), right()]).sum(axis=1):
        assert total == pytest.approx(1) or total == 0


def test_two_systems_that_agree_are_trusted_equally() -> None:
    shares = trust([right(), right()])
    supported = shares.sum(axis=1) > 0
    assert supported.any()
    assert shares[supported] == pytest.approx(0.5, abs=0.02)


def test_each_class_trusts_the_system_that_finds_it() -> None:
    dates, others = right(), right()
    date = LABELS.names.index("B-DATE")
    is_date = np.isin(LABELS.ids, (date, date + 1))
    outside = np.eye(N, dtype=np.float32)[0]
    dates[~is_date], others[is_date] = outside, outside
    shares = trust([dates, others])
    doctor = LABELS.names.index("B-DOCTOR")
    assert shares[(date - 1) // 2, 0] > 0.8
    assert shares[(doctor - 1) // 2, 1] > 0.8


def test_no_system_is_trusted_for_a_class_without_examples() -> None:
    names = (*LABELS.names, "B-VEHICLE", "I-VEHICLE")
    wide = [np.pad(s, ((0, 0), (0, 2))) for s in (guessing(), right())]
    assert trust(wide, TokenLabels(LABELS.ids, names))[-1].tolist() == [0, 0]


def test_tokens_that_are_no_candidates_are_outside() -> None:
    scores = [guessing(), right()]
    stacker = Stacker().fit(TOKENS, LABELS, scores)
    nothing = np.tile(np.eye(N, dtype=np.float32)[0], (len(TOKENS), 1))
    margins = stacker.margins(TOKENS, [nothing, nothing])
    assert (margins[:, 0] - margins[:, 1:].max(axis=1) >= NO_CANDIDATE).all()
