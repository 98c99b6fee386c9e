"""Out-of-fold scores and margins come from fits without the document."""

from __future__ import annotations

import numpy as np
import pytest

from multideid.arrays import FloatArray
from multideid.document import Document
from multideid.errors import CorpusError, UsageError
from multideid.stacking.augmentation import AUGMENTATIONS
from multideid.stacking.fitting import FitJob, run_all
from multideid.stacking.folds import document_folds
from multideid.stacking.out_of_fold import (
    OutOfFold,
    fit_out_of_fold,
    fit_stackers,
    out_of_fold_margins,
)
from multideid.stacking.stacker import Stacker
from multideid.taggers.contract import BaseTagger
from multideid.taggers.registry import make_system
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable

NAMES = ("O", "B-DATE", "I-DATE", "B-NAME", "I-NAME")
TOKENS = TokenTable.from_texts(["a b c d e f", "g h i j", "k l m n o p q"] * 3)
LABELS = TokenLabels(np.arange(len(TOKENS), dtype=np.int32) % len(NAMES), NAMES)
FOLD = document_folds(len(TOKENS.ids), 3, seed=1)
WITHOUT = (None, 0, 1, 2)


def table(documents: list[Document]) -> tuple[TokenTable, TokenLabels]:
    tokens = TokenTable.from_documents(documents)
    return tokens, encode_bio(tokens, documents)


def test_the_spy_refuses_to_score_its_training_documents(
    spy: type[BaseTagger], corpus: list[Document]
) -> None:
    tokens, labels = table(corpus)
    job = FitJob("spy", spy(), range(5), [4], keep=False)
    # Its own message is that of a plug-in, and not shown.
    with pytest.raises(UsageError, match="system 'spy': failed with DocumentError at "):
        list(run_all([job], tokens, labels, n_jobs=1))


@pytest.mark.parametrize("error", [UsageError("Zanzibar"), CorpusError("notes", "Zanzibar")])
def test_text_in_the_error_of_a_system_that_learns_is_not_told(
    spy: type[BaseTagger], corpus: list[Document], monkeypatch, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(spy, "fit", fail)
    tokens, labels = table(corpus)
    job = FitJob("spy", spy(), range(5), [], keep=False)
    with pytest.raises(UsageError, match="failed with") as caught:
        list(run_all([job], tokens, labels, n_jobs=1))
    assert "Zanzibar" not in str(caught.value)


def test_progress_is_reported_before_the_first_and_after_every_fit(
    spy: type[BaseTagger], corpus: list[Document]
) -> None:
    tokens, labels = table(corpus)
    calls: list[tuple[int, int, str]] = []
    fold = document_folds(len(corpus), 3, seed=0)
    fit_out_of_fold(["spy"], tokens, labels, fold, n_jobs=1, progress=lambda *c: calls.append(c))
    assert calls == [(n, 4, "spy") for n in range(5)]


def test_augmented_scores_are_those_of_the_augmented_text(corpus: list[Document]) -> None:
    tokens, labels = table(corpus[:4])
    fold = np.array([0, 0, 1, 1])
    scores = fit_out_of_fold(["majority"], tokens, labels, fold, n_jobs=1)[1]
    assert len(scores.augmented) == len(AUGMENTATIONS) == 2
    for augment, (found,) in zip(AUGMENTATIONS, scores.augmented, strict=True):
        assert not np.array_equal(found, scores.scores[0])
        for k in range(2):
            train, held = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
            tagger = make_system("majority")
            tagger.fit(tokens.select(train), labels.rows(tokens.rows(train)))
            expected = tagger.predict_scores(augment(tokens.select(held), seed=k))
            assert np.array_equal(found[tokens.rows(held)], expected)


def noisy_scores() -> OutOfFold:
    """Return scores of two systems that are often right, of original and augmented text."""
    rng = np.random.default_rng(0)
    scores = OutOfFold.empty(2, (len(TOKENS), len(LABELS.names)))
    gold = np.eye(len(LABELS.names), dtype=np.float32)[LABELS.ids]
    for system in range(2):
        views = [gold + rng.normal(0, 0.3, gold.shape).astype(np.float32) for _ in range(3)]
        scores.fill(system, np.arange(len(TOKENS)), views[0], views[1:])
    return scores


SCORES = noisy_scores()


@pytest.fixture(scope="module")
def stackers() -> list[Stacker]:
    return list(fit_stackers(Stacker(), TOKENS, LABELS, SCORES, FOLD, WITHOUT, n_jobs=1))


def rows_of(scores: list[FloatArray], rows: np.ndarray) -> list[FloatArray]:
    return [s[rows] for s in scores]


def assert_same(one: Stacker, other: Stacker) -> None:
    assert one.normalisations_ == other.normalisations_
    assert np.array_equal(one.model_.weights.toarray(), other.model_.weights.toarray())
    assert np.array_equal(one.model_.bias, other.model_.bias)


def test_each_stacker_equals_one_fitted_on_the_other_folds(stackers: list[Stacker]) -> None:
    for left_out, stacker in zip(WITHOUT, stackers, strict=True):
        train = [d for d, k in enumerate(FOLD.tolist()) if k != left_out]
        rows = TOKENS.rows(train)
        tokens, gold = TOKENS.select(train), TokenLabels(LABELS.ids[rows], LABELS.names)
        augmented = [rows_of(view, rows) for view in SCORES.augmented]
        alone = Stacker().fit(tokens, gold, rows_of(SCORES.scores, rows), augmented)
        assert_same(stacker, alone)


def test_the_training_set_has_the_meta_features_of_augmented_scores() -> None:
    every = np.ones(len(TOKENS), dtype=np.bool_)
    stacker = Stacker()
    features = stacker.training_set(TOKENS, LABELS, *SCORES, every).features
    assert len(features) == 1 + len(SCORES.augmented)
    for view, found in zip((SCORES.scores, *SCORES.augmented), features, strict=True):
        assert all(
            np.array_equal(decided, s.argmax(axis=1))
            for decided, s in zip(found.decided, stacker.inputs(TOKENS, view), strict=True)
        )


def test_margins_are_those_of_the_stacker_fitted_without_the_fold(
    stackers: list[Stacker],
) -> None:
    found = out_of_fold_margins(stackers[1:], TOKENS, SCORES, FOLD)
    for k, stacker in enumerate(stackers[1:]):
        rows = np.flatnonzero(FOLD[TOKENS.document] == k)
        expected = stacker.margins(TOKENS, SCORES.scores)[rows]
        assert np.array_equal(found[rows], expected)


def test_progress_is_reported_after_every_stacker() -> None:
    calls: list[tuple[int, int, str]] = []
    fits = fit_stackers(
        Stacker(), TOKENS, LABELS, SCORES, FOLD, (None, 1), n_jobs=1,
        progress=lambda *call: calls.append(call),
    )  # fmt: skip
    assert len(list(fits)) == 2
    assert calls == [(1, 2, "stacker"), (2, 2, "stacker")]
