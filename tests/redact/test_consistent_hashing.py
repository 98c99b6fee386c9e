"""Choices by consistent hashing hardly change when the list does."""

from __future__ import annotations

from collections import Counter

from multideid.redact.invented.consistent_hashing import HashRing
from multideid.redact.keys import Key

KEY = Key.from_secret(b"the key of these tests")
NAMES = [f"name{n}" for n in range(200)]


def _choices(ring: HashRing) -> list[str]:
    return [ring.choose(KEY.draw(str(n))) for n in range(1000)]


def test_order_and_repetition_of_names_make_no_difference() -> None:
    assert _choices(HashRing(NAMES)) == _choices(HashRing([*reversed(NAMES), "name7"]))


def test_adding_or_dropping_a_name_changes_few_choices() -> None:
    before, after = _choices(HashRing(NAMES)), _choices(HashRing([*NAMES[1:], "new"]))
    changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert len(changed) < 50
    assert all(a == "name0" or b == "new" for a, b in changed)


def test_choices_are_spread_over_all_names() -> None:
    counts = Counter(_choices(HashRing(NAMES)))
    assert len(counts) > 150
    assert max(counts.values()) < 60


def test_a_ring_is_a_sequence_of_its_names() -> None:
    ring = HashRing(["b", "a"])
    assert sorted(ring) == ["a", "b"]
    assert len(ring) == 2
    assert ring[0] in ring
