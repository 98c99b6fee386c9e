"""Classes of words, which all taggers of a process share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest

from multideid.base_systems.mimic import finder
from multideid.base_systems.mimic.vocabulary import _Combinations

# The rules that the finder brings make the classes.
assert finder.NATIVE_LABELS

_WORDS = ["Dr", "mr", "Jan", "12", "1/", "Ave", "hosp", "III", "x-y", "and", "2004", "@", "St"]
_THREADS = 4


@pytest.fixture
def busy_threads() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def _numbers(combinations: _Combinations, seed: int, start: Barrier) -> dict[str, int]:
    words = Random(seed).sample(_WORDS, len(_WORDS))
    start.wait()
    found = {}
    for word in words:
        found[word] = combinations.number(word)
        assert combinations.members().shape[1] > found[word]
    return found


@pytest.mark.usefixtures("busy_threads")
@pytest.mark.parametrize("_round", range(10))
def test_threads_number_the_same_combinations_alike(_round: int) -> None:
    combinations, start = _Combinations(), Barrier(_THREADS)
    with ThreadPoolExecutor(_THREADS) as pool:
        calls = [pool.submit(_numbers, combinations, seed, start) for seed in range(_THREADS)]
        found = [call.result() for call in calls]
    assert found == [found[0]] * _THREADS
    assert sorted(combinations.values()) == list(range(len(combinations)))
