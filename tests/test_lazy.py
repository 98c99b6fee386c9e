"""Attributes that are computed on first use."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier

import pytest

from multideid.lazy import lazy


class Counted:
    """Counts how often its attribute was computed."""

    def __init__(self) -> None:
        self.n_computed = 0

    @lazy
    def value(self) -> list[int]:
        """The value."""
        self.n_computed += 1
        return [self.n_computed]


def test_a_value_is_computed_once_for_each_instance() -> None:
    one, other = Counted(), Counted()
    assert one.value is one.value
    assert one.value is not other.value
    assert (one.n_computed, other.n_computed) == (1, 1)


def test_a_value_can_be_forgotten() -> None:
    counted = Counted()
    assert counted.value == [1]
    del counted.value
    assert counted.value == [2]


def test_the_class_has_the_documentation() -> None:
    assert isinstance(Counted.value, lazy)
    assert Counted.value.__doc__ == "The value."


def test_frozen_dataclasses_may_have_one() -> None:
    @dataclass(frozen=True)
    class Frozen:
        x: int

        @lazy
        def doubled(self) -> int:
            return 2 * self.x

    assert Frozen(3).doubled == 6
    assert Frozen(3) == Frozen(3)


def test_an_error_is_not_kept() -> None:
    class Failing:
        fails = True

        @lazy
        def value(self) -> int:
            if self.fails:
                raise ValueError("not yet")
            return 1

    failing = Failing()
    with pytest.raises(ValueError, match="not yet"):
        _ = failing.value
    failing.fails = False
    assert failing.value == 1


def test_no_thread_waits_for_another_and_all_get_the_same_value() -> None:
    together = Barrier(2, timeout=10)

    class Meeting:
        @lazy
        def value(self) -> object:
            together.wait()
            return object()

    meeting = Meeting()
    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(lambda _: meeting.value, range(2))
    assert one is other
