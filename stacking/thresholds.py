"""Decision thresholds: offsets per class that trade precision for recall."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from multideid.arrays import BoolArray, FloatArray, IntArray, LongArray
from multideid.errors import ModelError
from multideid.stacking.decode import FORBIDDEN, best_tags
from multideid.stacking.phi_odds import are_candidates
from multideid.text.bio import TokenLabels, phi_labels
from multideid.text.table import TokenTable

OPERATING_POINTS = {"balanced": 1.5, "high": 6.0, "maximum": 40.0}
"""Named operating points: the cost of a missed token in false alarms."""
USUAL = "balanced"
NEEDS_EVIDENCE = "maximum"
"""The operating point at which ordinary words, not only marks, need evidence to be flipped."""
_COST_RATIOS: tuple[float, ...] = (0.0, *np.geomspace(1e-3, 1e6, 181).tolist())
"""Cost of a missed token in false alarms: none, or twenty values per power of ten."""
_MARGIN = np.float32(1e-4)
"""Larger than any rounding error."""


class RecallWarning(UserWarning):
    """A requested recall that no thresholds achieve."""


@dataclass(frozen=True, slots=True)
class DecisionThresholds:
    """True and false positives of each class as functions of its threshold.

    A token decided "O" belongs to the class of its best PHI tag. It is flipped
    to PHI if that class's offset exceeds the deficit ``margin("O") - margin(tag)``.
    All classes share one cost ratio, so that a class that is hard to recognise
    does not ruin the precision for the sake of a few tokens.

    Parameters
    ----------
    steps : tuple of ThresholdSteps
        One per class.
    found : int
        PHI tokens that are found without offsets.
    gold : int
        All PHI tokens.
    """

    steps: tuple[ThresholdSteps, ...]
    found: int
    gold: int

    @classmethod
    def of(cls, margins: FloatArray, labels: TokenLabels) -> Self:
        """Compute the thresholds from out-of-fold margins.

        Parameters
        ----------
        margins : float32 array, shape (n_tokens, n_labels)
        labels : TokenLabels
            Gold tags.
        """
        best, deficit = _best_class(margins)
        phi = labels.ids > 0
        # No offset reaches tokens that are no candidates.
        rejected = (deficit >= 0) & are_candidates(margins)
        parts = [rejected & (best == k) for k in range(len(phi_labels(labels.names)))]
        steps = tuple(ThresholdSteps.of(deficit[part], phi[part]) for part in parts)
        return cls(steps, int((phi & (deficit < 0)).sum()), int(phi.sum()))

    def at_cost_ratio(self, ratio: float) -> FloatArray:
        """Return the offsets that minimise ``ratio * misses + false alarms``.

        Parameters
        ----------
        ratio : float
            Cost of a missed token in false alarms.

        Returns
        -------
        float32 array, shape (n_classes,)
            Not negative.
        """
        return np.array([step.offset[step.best(ratio)] for step in self.steps], dtype=np.float32)

    def at_recall(self, requested: float) -> FloatArray:
        """Return the offsets of the lowest cost ratio that achieves a recall.

        A token counts as found when any PHI tag beats "O": for de-identification
        a wrong class is a lesser fault than a leak.

        Parameters
        ----------
        requested : float
            Share of PHI tokens.

        Returns
        -------
        float32 array, shape (n_classes,)
            Not negative; all 0 if the recall is achieved without offsets.
        """
        return self.at_cost_ratio(self.cost_ratio_for(requested))

    def cost_ratio_for(self, requested: float) -> float:
        """Return the lowest cost ratio that achieves a recall, the highest one if none does."""
        enough = (ratio for ratio in _COST_RATIOS if self.recall(ratio) >= requested)
        return next(enough, _COST_RATIOS[-1])

    def shortfall(self, requested: float) -> str | None:
        """Return a message if the requested recall is not achieved, else None."""
        achieved = self.recall(self.cost_ratio_for(requested))
        if achieved >= requested:
            return None
        return (
            f"recall {requested:g} is not achievable: {achieved:.4f} of the {self.gold} PHI tokens "
            "were found out of fold, and the others are no candidates of any system"
        )

    def recall(self, ratio: float) -> float:
        """Return the share of PHI tokens found at a cost ratio; 1 if there are none."""
        flipped = sum(int(step.found[step.best(ratio)]) for step in self.steps)
        return (self.found + flipped) / self.gold if self.gold else 1.0


@dataclass(frozen=True, slots=True)
class ThresholdSteps:
    """The offsets at which a class's counts change; the first is 0.

    Parameters
    ----------
    offset : float32 array, shape (n_steps,)
        Ascending.
    found, alarms : int64 arrays, shape (n_steps,)
        PHI and other tokens that the offset flips.
    """

    offset: FloatArray
    found: LongArray
    alarms: LongArray

    @classmethod
    def of(cls, deficit: FloatArray, phi: BoolArray) -> Self:
        """Compute the steps from the tokens' deficits, and whether they are PHI."""
        order = np.argsort(deficit, kind="stable")
        deficit, phi = deficit[order], phi[order]
        # Tokens whose deficits differ by rounding only are flipped together.
        last = np.flatnonzero(np.diff(deficit, append=np.inf) > 2 * _MARGIN)
        counts = [np.append(0, np.cumsum(some)[last]) for some in (phi, ~phi)]
        return cls(np.append(np.float32(0), deficit[last] + _MARGIN), *counts)

    def best(self, ratio: float) -> int:
        """Return the first step that maximises ``ratio * found - alarms``."""
        return int(np.argmax(ratio * self.found - self.alarms))


class Decisions(NamedTuple):
    """The tags of tokens.

    Parameters
    ----------
    tags : int32 array, shape (n_tokens,)
    flipped : bool array, shape (n_tokens,)
        Whether a token is PHI only because of the offsets.
    """

    tags: IntArray
    flipped: BoolArray

    @classmethod
    def of(cls, tags: IntArray, plain: IntArray) -> Self:
        """Compare the tags with those without offsets."""
        return cls(tags, (tags > 0) & (plain == 0))


def flipped(margins: FloatArray, offsets: FloatArray) -> BoolArray:
    """Mark the tokens whose best PHI tag, with its class's offset, beats "O".

    Parameters
    ----------
    margins : float array, shape (n_tokens, n_labels)
    offsets : float32 array, shape (n_classes,)
    """
    if not len(offsets):
        return np.zeros(len(margins), dtype=np.bool_)
    best, deficit = _best_class(margins)
    return np.asarray(deficit < offsets[best])


def decide(tokens: TokenTable, margins: FloatArray, offsets: FloatArray) -> Decisions:
    """Return the best tags, with PHI tags for the tokens that the offsets flip, and these tokens.

    Parameters
    ----------
    tokens : TokenTable
    margins : float32 array, shape (n_tokens, n_labels)
    offsets : float32 array, shape (n_classes,)
    """
    tags = plain = best_tags(tokens, margins)
    if offsets.any():
        tags = best_tags(tokens, with_flipped(margins, plain, offsets))
    return Decisions.of(tags, plain)


def with_flipped(margins: FloatArray, tags: IntArray, offsets: FloatArray) -> FloatArray:
    """Return margins that keep the classes of found PHI and forbid "O" for flipped tokens.

    Adding a different offset to each class would change the classes of tokens
    that are found anyway. So offsets only decide *that* a token is PHI; the
    margins decide its class.

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
    forbidden[flipped(margins, offsets), 0] = True
    return np.where(forbidden, margins + FORBIDDEN, margins)


def _best_class(margins: FloatArray) -> tuple[LongArray, FloatArray]:
    """Return the class of each token's best PHI tag, and its deficit to "O"."""
    if margins.shape[1] == 1:
        return np.zeros(len(margins), dtype=np.int64), np.full_like(margins[:, 0], np.inf)
    best = margins[:, 1:].argmax(axis=1)
    return best // 2, margins[:, 0] - margins[:, 1:].max(axis=1)


def check_offsets(path: Path, all_offsets: Iterable[FloatArray], n_classes: int) -> None:
    """Check the offsets in a model's file, which raise recall and never lower it.

    Raises
    ------
    ModelError
    """
    for offsets in all_offsets:
        if len(offsets) != n_classes or (offsets < 0).any():
            raise ModelError(path, f"has thresholds that are not {n_classes} numbers from 0 up")
