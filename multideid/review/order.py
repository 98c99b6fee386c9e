"""The order in which a review offers its notes.

One note of every five is held out of training, to compare models with. Where the others come in
the order in which they teach most, those of this share come at random, one among every five:
however many notes are reviewed, they are a random sample of all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from multideid.errors import UsageError
from multideid.review.notes import Proposal
from multideid.review.store import HELD_OUT_SHARE, Store
from multideid.stacking.uncertainty import LENGTH_POWER, uncertainty

ORDER = "order"
"""The fact with the order of a review."""
GIVEN, RANDOM, TEACHING = "given", "random", "teaching"
ORDERS = (GIVEN, RANDOM, TEACHING)
"""As in the corpus, at random, or the notes first of which the model is least sure."""


def check_order(order: str) -> str:
    """Return the name of an order.

    Raises
    ------
    UsageError
        If there is no such order.
    """
    if order not in ORDERS:
        raise UsageError(f"the order is one of {', '.join(ORDERS)}; got {order!r}")
    return order


def arrange(store: Store) -> None:
    """Put the queue into the order of the review, if it has one.

    The same review gives the same order. Notes that somebody began stay in front where the
    order depends on the model, which may have changed.
    """
    order, numbers = store.fact(ORDER), store.numbers()
    if order == GIVEN:
        store.arrange(sorted(numbers))
    elif order == RANDOM:
        store.arrange(sorted(numbers, key=_draw(store)))
    elif order == TEACHING:
        begun = store.layers.begun()
        front = [number for number in numbers if number in begun]
        store.arrange([*front, *_teaching(store, {*numbers} - begun)])


def _teaching(store: Store, numbers: set[int]) -> list[int]:
    held_out = store.held_out()
    share = sorted(numbers & held_out, key=_draw(store))
    lengths = store.lengths()
    worth = {
        n: teaches(proposal, lengths[n]) for n, proposal in store.proposals([*numbers - held_out])
    }
    return with_share(
        sorted(worth, key=lambda number: (-worth[number], number)), share, store.fact("seed")
    )


def _draw(store: Store) -> Callable[[int], float]:
    """Return a function that gives each note a random number, whatever other notes there are."""
    seed = store.fact("seed")
    return lambda number: Random(f"{seed} order {number}").random()


def teaches(proposal: Proposal | None, length: int) -> float:
    """Return how unsure the model is of a note for its length; below 0 if it has not read it."""
    if proposal is None:
        return -1.0
    unsure = uncertainty(proposal.spans, proposal.scores, proposal.systems)
    return unsure / float(max(length, 1) ** LENGTH_POWER)


def with_share(first: Sequence[int], share: Sequence[int], seed: object) -> list[int]:
    """Return notes with one of a share among every five, as long as there are both.

    Its place among the five is random, so that nobody knows it by its place.
    """
    found: list[int] = []
    size = HELD_OUT_SHARE - 1
    for block in range(max(-(-len(first) // size), len(share))):
        part = list(first[block * size : (block + 1) * size])
        place = Random(f"{seed} place {block}").randrange(HELD_OUT_SHARE)
        found += (*part[:place], *share[block : block + 1], *part[place:])
    return found
