"""The vote follows its rule."""

from __future__ import annotations

import numpy as np
import pytest

from multideid.stacking.votes import RULES, vote

# Tags of DATE are 1 and 2, those of ID 3 and 4.
VOTES = [
    ([1, 1, 1], "majority", 1),
    ([1, 1, 0], "majority", 1),
    ([1, 0, 0], "majority", 0),
    ([1, 2, 2], "majority", 2),
    ([1, 3, 0], "majority", 0),
    ([1, 2, 4], "two-of-three", 2),
    ([1, 3, 4], "two-of-three", 4),
    ([1, 3, 0], "two-of-three", 0),
    ([0, 3, 0], "any", 3),
    ([0, 0, 0], "any", 0),
    ([1, 3, 3], "any", 3),
    ([1, 1, 0, 0], "majority", 0),
    ([1, 1, 1, 0, 0], "two-of-three", 0),
    ([1, 1, 1, 1, 0], "two-of-three", 1),
]


@pytest.mark.parametrize(("decisions", "rule", "expected"), VOTES)
def test_a_token_gets_the_tag_of_its_rule(decisions: list[int], rule: str, expected: int) -> None:
    column = np.array(decisions)[:, None]
    assert vote(column, RULES[rule](len(decisions)), n_classes=2).tolist() == [expected]


def test_without_phi_labels_no_token_is_phi() -> None:
    decisions = np.zeros((3, 4), dtype=np.int64)
    assert vote(decisions, RULES["any"](3), n_classes=0).tolist() == [0, 0, 0, 0]
