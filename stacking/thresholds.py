"""The recall dial: how far each class's decision must shift to find more of PHI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from multideid.arrays import BoolArray, FloatArray, IntArray, LongArray
from multideid.stacking.decode import FORBIDDEN, best_tags
from multideid.stacking.stacker import UNCONTESTED
from multideid.text.bio import TokenLabels, phi_labels
from multideid.text.table import TokenTable

POINTS = {"high": 10.0, "maximum": 100.0}
"""The marked points of the dial beside "balanced", which shifts nothing, by their price."""
_PRICES: tuple[float, ...] = (0.0, *np.geomspace(1e-3, 1e6, 181).tolist())
"""What a missed token may cost, in false alarms: nothing, or twenty prices a power of ten."""
_BEYOND = np.float32(1e-4)
"""More than rounding can take away."""


class RecallWarning(UserWarning):
    """A wanted recall that no shift of the decisions reaches."""


@dataclass(frozen=True, slots=True)
class Dial:
    """What moving the decision of each class finds, and what it wrongly takes for PHI.

    A token that the margins leave outside belongs to the class of its best PHI
    tag, and is lifted when that class moves by more than the tag lacks. One
    price for all classes keeps a class whose tokens cannot be told from others
    from flooding the text for the sake of a few.

    Parameters
    ----------
    rungs : tuple of Rungs
        One a class.
    found : int
        PHI tokens that are found without any shift.
    gold : int
        All PHI tokens.
    """

    rungs: tuple[Rungs, ...]
    found: int
    gold: int

    @classmethod
    def of(cls, margins: FloatArray, labels: TokenLabels) -> Self:
        """Make the dial from out-of-fold margins.

        Parameters
        ----------
        margins : float32 array, shape (n_tokens, n_labels)
        labels : TokenLabels
            Gold tags.
        """
        best, lacks = _favoured(margins)
        phi = labels.ids > 0
        # What no system contests is beyond reach.
        outside = (lacks >= 0) & (lacks < UNCONTESTED / 2)
        parts = [outside & (best == k) for k in range(len(phi_labels(labels.names)))]
        rungs = tuple(Rungs.of(lacks[part], phi[part]) for part in parts)
        return cls(rungs, int((phi & (lacks < 0)).sum()), int(phi.sum()))

    def at_price(self, price: float) -> FloatArray:
        """Return the offsets at which missed tokens and false alarms together cost least.

        Parameters
        ----------
        price : float
            How many false alarms a missed token weighs.

        Returns
        -------
        float32 array, shape (n_classes,)
            Not negative.
        """
        return np.array([each.offset[each.best(price)] for each in self.rungs], dtype=np.float32)

    def at_recall(self, wanted: float) -> FloatArray:
        """Return the offsets of the lowest price at which a share of PHI tokens is found.

        A token is found when any PHI tag passes "O": for de-identification a
        wrong class is a lesser fault than a leak.

        Parameters
        ----------
        wanted : float

        Returns
        -------
        float32 array, shape (n_classes,)
            Not negative; 0 for all if the share is found as it is.
        """
        return self.at_price(self.price_for(wanted))

    def price_for(self, wanted: float) -> float:
        """Return the lowest price at which a share of PHI tokens is found.

        Parameters
        ----------
        wanted : float
            Where it is beyond reach, the highest price is returned; where it
            is found without any shift, 0.
        """
        enough = (price for price in _PRICES if self.recall(price) >= wanted)
        return next(enough, _PRICES[-1])

    def shortfall(self, wanted: float) -> str | None:
        """Tell in a sentence if less than the wanted share is found, or else nothing.

        Parameters
        ----------
        wanted : float
            As for `at_recall`.
        """
        share = self.recall(self.price_for(wanted))
        if share >= wanted:
            return None
        return (
            f"recall {wanted:g} cannot be promised: {share:.4f} of the {self.gold} PHI tokens were "
            "found out of fold, and to the rest no system came near"
        )

    def recall(self, price: float) -> float:
        """Return the share of PHI tokens that is found at a price; 1 if there are none."""
        lifted = sum(int(each.found[each.best(price)]) for each in self.rungs)
        return (self.found + lifted) / self.gold if self.gold else 1.0


@dataclass(frozen=True, slots=True)
class Rungs:
    """The offsets of a class at which something changes, the first of them none.

    Parameters
    ----------
    offset : float32 array, shape (n_rungs,)
        Rising.
    found, alarms : int64 arrays, shape (n_rungs,)
        PHI and other tokens that the offset lifts.
    """

    offset: FloatArray
    found: LongArray
    alarms: LongArray

    @classmethod
    def of(cls, lacks: FloatArray, phi: BoolArray) -> Self:
        """Make the rungs from what tokens lack to be found, and whether they are PHI."""
        order = np.argsort(lacks, kind="stable")
        lacks, phi = lacks[order], phi[order]
        # Tokens that lack the same, but for rounding, are lifted together.
        last = np.flatnonzero(np.diff(lacks, append=np.inf) > 2 * _BEYOND)
        counts = [np.append(0, np.cumsum(some)[last]) for some in (phi, ~phi)]
        return cls(np.append(np.float32(0), lacks[last] + _BEYOND), *counts)

    def best(self, price: float) -> int:
        """Return the lowest rung at which misses, at a price, and false alarms cost least."""
        return int(np.argmax(price * self.found - self.alarms))


def lifted(margins: FloatArray, offsets: FloatArray) -> BoolArray:
    """Mark the tokens whose best PHI tag, with its class's offset, passes "O".

    Parameters
    ----------
    margins : float array, shape (n_tokens, n_labels)
    offsets : float32 array, shape (n_classes,)
    """
    if not len(offsets):
        return np.zeros(len(margins), dtype=np.bool_)
    best, lacks = _favoured(margins)
    return np.asarray(lacks < offsets[best])


def dialled_tags(tokens: TokenTable, margins: FloatArray, offsets: FloatArray) -> IntArray:
    """Return the best tags, and PHI tags for what the offsets lift over "O" besides.

    Parameters
    ----------
    tokens : TokenTable
    margins : float32 array, shape (n_tokens, n_labels)
    offsets : float32 array, shape (n_classes,)
    """
    tags = best_tags(tokens, margins)
    if offsets.any():
        tags = best_tags(tokens, rescued(margins, tags, offsets))
    return tags


def rescued(margins: FloatArray, tags: IntArray, offsets: FloatArray) -> FloatArray:
    """Return margins by which what was found keeps its class, and what is lifted is PHI.

    Shifting each class by its own amount would make tokens that were found
    anyway change their class. So offsets say only *that* a token is PHI; of
    which class, the margins.

    Parameters
    ----------
    margins : float array, shape (n_tokens, n_labels)
    tags : int32 array, shape (n_tokens,)
        The best tags of `margins`.
    offsets : float32 array, shape (n_classes,)
        Not negative.
    """
    classes = (np.arange(margins.shape[1]) + 1) // 2
    forbidden = (tags > 0)[:, None] & (classes != (tags[:, None] + 1) // 2)
    forbidden[lifted(margins, offsets), 0] = True
    return np.where(forbidden, margins + FORBIDDEN, margins)


def _favoured(margins: FloatArray) -> tuple[LongArray, FloatArray]:
    """Return the class of each token's best PHI tag, and how far that is behind "O"."""
    if margins.shape[1] == 1:
        return np.zeros(len(margins), dtype=np.int64), np.full_like(margins[:, 0], np.inf)
    best = margins[:, 1:].argmax(axis=1)
    return best // 2, margins[:, 0] - margins[:, 1:].max(axis=1)
