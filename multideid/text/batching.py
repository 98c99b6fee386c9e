"""Lists of items that are not too long together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def _no_group(_: object) -> None:
    """Return the group of items that belong to none."""


def in_batches(
    items: Iterable[Item],
    size: Callable[[Item], int],
    most: int,
    group: Callable[[Item], Hashable] = _no_group,
) -> Iterator[list[Item]]:
    """Yield items, in order, in lists of at most a size.

    Parameters
    ----------
    items : iterable
    size : callable
        Returns the size of an item.
    most : int
        An item that is larger is in a list of its own.
    group : callable, optional
        Returns the group of an item, or None. Items of a group that follow one another are in
        one list, unless they are larger together.
    """
    batch: list[Item] = []
    total = 0
    for item in items:
        own = size(item)
        while batch and total + own > most:
            n = _before_group(batch, group, group(item))
            yield batch[:n]
            batch = batch[n:]
            total = sum(map(size, batch))
        batch.append(item)
        total += own
    if batch:
        yield batch


def _before_group(
    batch: Sequence[Item], group: Callable[[Item], Hashable], wanted: Hashable
) -> int:
    """Return the number of items before those of a group at the end; all if it is all."""
    n = len(batch)
    while wanted is not None and n and group(batch[n - 1]) == wanted:
        n -= 1
    return n or len(batch)
