"""Choices that hardly change when the list does."""

from __future__ import annotations

from collections import Counter

from multideid.redact.invented.consistent_hashing import Ring
from multideid.redact.keys import Key

KEY = Key.from_secret(b"the key of these tests")
NAMES = [f"name{n}" for n in range(200)]


def _choices(ring: Ring) -> list[str]:
    return [ring.choose(KEY.draw(str(n))) for n in range(1000)]


def test_order_and_repetition_of_names_make_no_difference() -> None:
    assert _choices(Ring(NAMES)) == _choices(Ring([*reversed(NAMES), "name7"]))


def test_a_name_more_or_less_changes_few_choices() -> None:
    before, after = _choices(Ring(NAMES)), _choices(Ring([*NAMES[1:], "new"]))
    changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert len(changed) < 50
    assert all(a == "name0" or b == "new" for a, b in changed)


def test_all_names_are_chosen_from() -> None:
    counts = Counter(_choices(Ring(NAMES)))
    assert len(counts) > 150
    assert max(counts.values()) < 60


def test_a_ring_is_a_sequence_of_its_names() -> None:
    ring = Ring(["b", "a"])
    assert sorted(ring) == ["a", "b"]
    assert len(ring) == 2
    assert ring[0] in ring
