"""Base systems learn from augmented copies; the stacker learns from the other documents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from template_notes import sample_corpus

from multideid.arrays import LongArray
from multideid.errors import UsageError
from multideid.stacking import MultiDeidentifier, VoteDeidentifier
from multideid.stacking.folds import document_folds
from multideid.stacking.grouping import Grouping, checked_copies
from multideid.stacking.out_of_fold import OutOfFold, fit_out_of_fold
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable

NOTES = sample_corpus(6, seed=1)
GROUPS = ["a", "a", "b", "b", "c", "c"]
COPIES = [False, True] * 3


class Recording(MultiDeidentifier):
    """Keeps what the stacker learns from."""

    def _fit_stacker(
        self, tokens: TokenTable, labels: TokenLabels, scores: OutOfFold, fold: LongArray
    ) -> None:
        self.seen = tokens.ids, len(labels.ids), fold.tolist()
        super()._fit_stacker(tokens, labels, scores, fold)


def test_the_stacker_learns_from_documents_that_are_no_copies() -> None:
    model = Recording(["majority", "mimic"], folds=3, augmentation=False, n_jobs=1)
    model.fit(NOTES, groups=GROUPS, copies=COPIES)
    originals = NOTES[::2]
    ids, n_labels, fold = model.seen
    assert ids == tuple(note.id for note in originals)
    assert n_labels == len(TokenTable.from_documents(originals))
    assert sorted(fold) == [0, 1, 2]


def test_systems_learn_from_copies_too_but_not_from_those_of_the_held_out_group() -> None:
    tokens = TokenTable.from_documents(NOTES)
    labels = encode_bio(tokens, NOTES)
    fold = np.array([0, 0, 1, 1, 2, 2])
    every = fit_out_of_fold(["majority"], tokens, labels, fold, augment=False, n_jobs=1)[1]
    stacked = Grouping(GROUPS, COPIES).stacked(len(NOTES))
    some = fit_out_of_fold(
        ["majority"], tokens, labels, fold, stacked=stacked, augment=False, n_jobs=1
    )[1]
    assert (some.scores[0] == every.scores[0][tokens.rows(stacked)]).all()


def test_other_models_learn_from_all_documents() -> None:
    given = VoteDeidentifier(["majority"], n_jobs=1).fit(NOTES, groups=GROUPS, copies=COPIES)
    plain = VoteDeidentifier(["majority"], n_jobs=1).fit(NOTES)
    assert given.predict(NOTES) == plain.predict(NOTES)


@pytest.mark.parametrize(
    ("copies", "groups", "problem"),
    [
        ([True], GROUPS, "copies has 1 values for 6 documents"),
        ([True] * 6, GROUPS, "all documents are copies"),
        (COPIES, None, "copies need groups"),
        (COPIES, [*"aabbcd"], "document 5 is a copy and its group has no original"),
        ([False, False, True, True, False, False], GROUPS, "document 2 is a copy and its group"),
        ([0, 1] * 3, GROUPS, "must be True or False"),
        ("yes", GROUPS, "copies must be a list of True and False"),
        (True, GROUPS, "copies must be a list of True and False; got True"),
    ],
)
def test_invalid_copies_are_refused(copies: Any, groups: Any, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        MultiDeidentifier(["mimic"], folds=2, n_jobs=1).fit(NOTES, groups=groups, copies=copies)


def test_a_column_of_numpy_says_which_documents_are_copies() -> None:
    model = Recording(["majority"], folds=3, n_jobs=1)
    model.fit(NOTES, groups=np.array(GROUPS), copies=np.array(COPIES))
    assert len(model.seen[0]) == 3


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=12))
def test_every_fold_has_an_original_or_the_copies_are_refused(pairs) -> None:
    groups, copies = [group for group, _ in pairs], [is_copy for _, is_copy in pairs]
    try:
        checked_copies(copies, len(pairs), groups)
    except UsageError:
        originals = {group for group, is_copy in pairs if not is_copy}
        assert originals < set(groups)
    else:
        for folds in range(2, len(set(groups)) + 1):
            fold = document_folds(len(pairs), folds, 0, groups)
            stacked = Grouping(groups, copies).stacked(len(pairs))
            assert set(fold[stacked].tolist()) == set(range(folds))
