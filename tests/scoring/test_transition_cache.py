"""What follows from transitions is computed once for equal ones, and kept for few."""

from __future__ import annotations

import numpy as np

from multideid.arrays import DoubleArray
from multideid.scoring.transition_cache import MOST_KEPT, of_transitions


def test_a_function_is_computed_once_for_each_value_of_the_transitions() -> None:
    seen: list[float] = []

    @of_transitions
    def total(transitions: DoubleArray) -> float:
        seen.append(float(transitions.sum()))
        return seen[-1]

    transitions = np.arange(9.0).reshape(3, 3)
    assert [total(transitions), total(transitions.copy()), total(transitions.T)] == [36.0] * 3
    assert len(seen) == 2
    transitions[0, 0] = 1.0
    assert total(transitions) == 37.0
    for n in range(MOST_KEPT):
        total(np.full((2, 2), float(n)))
    assert total(transitions) == 37.0
    assert len(seen) == 3 + MOST_KEPT + 1
