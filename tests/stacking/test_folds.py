"""Folds hold whole documents, are balanced, and depend on the seed only."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from multideid.errors import UsageError
from multideid.stacking.folds import document_folds


@pytest.mark.parametrize(("n", "folds"), [(5, 5), (23, 5), (100, 3), (2, 2)])
def test_folds_are_balanced_and_none_is_empty(n: int, folds: int) -> None:
    sizes = np.bincount(document_folds(n, folds, seed=0), minlength=folds)
    assert sizes.sum() == n
    assert sizes.min() >= 1
    assert sizes.max() - sizes.min() <= 1


def test_folds_depend_on_the_seed() -> None:
    first, again, other = (document_folds(50, 5, seed).tolist() for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("folds", [-1, 0, 1, 2.5, "2"])
def test_an_invalid_number_of_folds_is_refused(folds: object) -> None:
    with pytest.raises(UsageError, match=rf"at least 2 .* got {folds!r}$"):
        document_folds(10, folds, seed=0)  # type: ignore[arg-type]


def test_more_folds_than_documents_are_refused_with_advice() -> None:
    with pytest.raises(UsageError, match=r"needs at least 5 documents and the corpus has 1.*fewer"):
        document_folds(1, 5, seed=0)


@given(st.lists(st.sampled_from("abcdefgh"), min_size=3), st.integers(2, 3))
def test_documents_of_a_group_share_a_fold(groups: list[str], folds: int) -> None:
    assume(len(set(groups)) >= folds)
    found = document_folds(len(groups), folds, 0, groups)
    assert len(set(zip(groups, found.tolist(), strict=True))) == len(set(groups))
    assert set(found.tolist()) == set(range(folds))


@pytest.mark.parametrize(("groups", "problem"), [("aab", "3 values for 4"), ("aaaa", "2 groups")])
def test_invalid_groups_are_refused(groups: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        document_folds(4, 2, 0, groups)
