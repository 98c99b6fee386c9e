"""Boosted trees that correct the odds of PHI of uncertain tokens, from their surroundings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, IntArray, LongArray
from multideid.features.views import shift
from multideid.learners.boosting import HistogramBooster
from multideid.learners.forest import Forest
from multideid.stacking.meta_features import OFFSETS
from multideid.stacking.token_forms import N_COLUMNS, TokenForms

UNCERTAIN = 5.0
"""Log odds of PHI nearer to 0 are corrected: probabilities from 0.7 % to 99.3 %."""
_FAR = 20.0
"""Log odds are clipped to it; tokens that are no candidates have the negative."""
_BOOSTER = HistogramBooster(
    rounds=100, learning_rate=0.1, max_leaf_nodes=16, min_samples_leaf=100, l2=1.0
)  # fmt: skip


class Candidates(NamedTuple):
    """The candidate tokens of a table, or of consecutive tokens of one.

    Parameters
    ----------
    rows : int64 array, shape (n_candidates,)
        Their indices among these tokens.
    document : int32 array, shape (n_tokens,)
        The document of each token.
    forms : TokenForms, optional
        Of the whole table; None where no trees are to be used.
    first : int
        Index in the table of the first of these tokens.
    """

    rows: LongArray
    document: IntArray
    forms: TokenForms | None = None
    first: int = 0


@dataclass(frozen=True, slots=True)
class UncertainOdds:
    """Boosted trees over what is known of an uncertain token, whichever word it is.

    Their columns: the advantages of the stacker and of each system; the log odds of the
    token and two neighbours on each side; forms and word classes (`TokenForms`).

    Parameters
    ----------
    forest : Forest
        Two labels; the scores of the second are log odds.
    """

    forest: Forest

    @classmethod
    def out_of_fold(
        cls,
        candidates: Candidates,
        log_odds: DoubleArray,
        advantages: DoubleArray,
        phi: BoolArray,
        fold: LongArray,
    ) -> tuple[Self | None, DoubleArray]:
        """Fit trees, and correct the log odds of each fold by trees that have not seen it.

        Parameters
        ----------
        candidates : Candidates
            Of a whole table.
        log_odds : float64 array, shape (n_candidates,)
        advantages : float64 array, shape (n_candidates, 1 + n_systems)
        phi : bool array, shape (n_candidates,)
            Whether each is PHI.
        fold : int64 array, shape (n_candidates,)

        Returns
        -------
        UncertainOdds or None
            None if trees do not lower the log loss, as where there is little to learn from.
        float64 array, shape (n_candidates,)
            The log odds, corrected out of fold if there are trees.
        """
        unsure = _uncertain(log_odds)
        columns = _columns(unsure, candidates, log_odds, advantages)
        known, own = phi[unsure], fold[unsure]
        corrected = log_odds.copy()
        for k in np.unique(own):
            held = own == k
            trees = cls._trained(columns[~held], known[~held])
            corrected[unsure[held]] = trees._log_odds(columns[held], compiled=True)
        if _log_loss(corrected[unsure], known) >= _log_loss(log_odds[unsure], known):
            return None, log_odds
        return cls._trained(columns, known), corrected

    @classmethod
    def _trained(cls, columns: FloatArray, phi: BoolArray) -> Self:
        weights = np.ones(len(phi), dtype=np.float32)
        return cls(_BOOSTER.train(columns, phi.astype(np.int32), weights, 2))

    def corrected(
        self,
        candidates: Candidates,
        log_odds: DoubleArray,
        advantages: DoubleArray,
        *,
        compiled: bool,
    ) -> DoubleArray:
        """Return the log odds of candidates, those of uncertain ones by the trees.

        Parameters
        ----------
        candidates, log_odds, advantages
            As for `out_of_fold`; candidates may be of a part of a table.
        compiled : bool
            Whether to use compiled loops.
        """
        unsure = _uncertain(log_odds)
        if not len(unsure):
            return log_odds
        columns = _columns(unsure, candidates, log_odds, advantages)
        found = log_odds.copy()
        found[unsure] = self._log_odds(columns, compiled=compiled)
        return found

    def _log_odds(self, columns: FloatArray, *, compiled: bool) -> DoubleArray:
        scores = self.forest.scores(columns, compiled=compiled)
        found: DoubleArray = np.clip(scores[:, 1] - scores[:, 0], -UNCERTAIN, UNCERTAIN)
        return found

    def save(self, folder: Path, name: str) -> None:
        """Write the trees."""
        self.forest.save(folder, name)

    @classmethod
    def load(cls, folder: Path, name: str, n_systems: int) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If the file is missing or damaged, or is of another number of systems.
        """
        n_columns = 1 + n_systems + len(OFFSETS) + N_COLUMNS
        return cls(Forest.load(folder, name, n_columns=n_columns, n_labels=2))


def _uncertain(log_odds: DoubleArray) -> LongArray:
    return np.flatnonzero(np.abs(log_odds) < UNCERTAIN)


def _columns(
    unsure: LongArray, candidates: Candidates, log_odds: DoubleArray, advantages: DoubleArray
) -> FloatArray:
    """Return the columns of the trees for some of the candidates, float32."""
    assert candidates.forms is not None
    around = np.full(len(candidates.document), -_FAR, dtype=np.float32)
    around[candidates.rows] = np.clip(log_odds, -_FAR, _FAR)
    rows = candidates.rows[unsure]
    near = [shift(around, candidates.document, offset, -_FAR)[rows] for offset in OFFSETS]
    own = np.clip(advantages[unsure], -_FAR, _FAR).astype(np.float32)
    forms = candidates.forms.columns(rows + candidates.first)
    return np.concatenate([own, np.stack(near, axis=1), forms], axis=1)


def _log_loss(log_odds: DoubleArray, phi: BoolArray) -> float:
    return float(np.logaddexp(0, np.where(phi, -log_odds, log_odds)).mean()) if len(phi) else 0.0
