"""Lists of items that are not too long together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def in_batches(
    items: Iterable[Item], size: Callable[[Item], int], most: int
) -> Iterator[list[Item]]:
    """Yield items, in order, in lists of at most a size.

    Parameters
    ----------
    items : iterable
    size : callable
        Returns the size of an item.
    most : int
        An item that is larger is in a list of its own.
    """
    batch: list[Item] = []
    total = 0
    for item in items:
        own = size(item)
        if batch and total + own > most:
            yield batch
            batch, total = [], 0
        batch.append(item)
        total += own
    if batch:
        yield batch
