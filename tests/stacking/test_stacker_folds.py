"""Stackers that left a fold out are those that never had it."""

from __future__ import annotations

import numpy as np
import pytest

from multideid.arrays import FloatArray
from multideid.stacking.folds import document_folds
from multideid.stacking.out_of_fold import OutOfFold
from multideid.stacking.stacker import Stacker
from multideid.stacking.stacker_folds import fit_stackers, held_margins
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

NAMES = ("O", "B-DATE", "I-DATE", "B-NAME", "I-NAME")
TOKENS = TokenTable.from_texts(["a b c d e f", "g h i j", "k l m n o p q"] * 3)
LABELS = TokenLabels(np.arange(len(TOKENS), dtype=np.int32) % len(NAMES), NAMES)
FOLD = document_folds(len(TOKENS.ids), 3, seed=1)
WITHOUT = (None, 0, 1, 2)


def scores() -> OutOfFold:
    """Return scores of two systems that are often right, in three views."""
    rng = np.random.default_rng(0)
    found = OutOfFold.empty(2, (len(TOKENS), len(LABELS.names)))
    gold = np.eye(len(LABELS.names), dtype=np.float32)[LABELS.ids]
    for system in range(2):
        views = [gold + rng.normal(0, 0.3, gold.shape).astype(np.float32) for _ in range(3)]
        found.fill(system, np.arange(len(TOKENS)), views[0], views[1:])
    return found


SCORES = scores()


@pytest.fixture(scope="module")
def stackers() -> list[Stacker]:
    return list(fit_stackers(Stacker(), TOKENS, LABELS, SCORES, FOLD, WITHOUT, n_jobs=1))


def of(views: list[FloatArray], rows: np.ndarray) -> list[FloatArray]:
    return [view[rows] for view in views]


def assert_same(one: Stacker, other: Stacker) -> None:
    assert one.normalisations_ == other.normalisations_
    assert np.array_equal(one.model_.weights.toarray(), other.model_.weights.toarray())
    assert np.array_equal(one.model_.bias, other.model_.bias)


def test_each_is_a_stacker_of_the_documents_it_did_not_leave_out(stackers: list[Stacker]) -> None:
    for left_out, stacker in zip(WITHOUT, stackers, strict=True):
        train = [d for d, k in enumerate(FOLD.tolist()) if k != left_out]
        rows = TOKENS.rows(train)
        tokens, gold = TOKENS.select(train), TokenLabels(LABELS.ids[rows], LABELS.names)
        augmented = [of(view, rows) for view in SCORES.augmented]
        alone = Stacker().fit(tokens, gold, of(SCORES.scores, rows), augmented)
        assert_same(stacker, alone)


def test_margins_are_those_of_the_stacker_that_left_the_document_out(
    stackers: list[Stacker],
) -> None:
    found = held_margins(stackers[1:], TOKENS, SCORES, FOLD)
    for k, stacker in enumerate(stackers[1:]):
        rows = np.flatnonzero(FOLD[TOKENS.document] == k)
        wanted = stacker.margins(TOKENS, SCORES.scores)[rows]
        assert np.array_equal(found[rows], wanted)


def test_progress_is_told_after_every_stacker() -> None:
    told: list[tuple[int, int, str]] = []
    fits = fit_stackers(
        Stacker(), TOKENS, LABELS, SCORES, FOLD, (None, 1), n_jobs=1,
        progress=lambda *what: told.append(what),
    )  # fmt: skip
    assert len(list(fits)) == 2
    assert told == [(1, 2, "stacker"), (2, 2, "stacker")]
