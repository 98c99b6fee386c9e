"""The odds of PHI: a regression over all candidates, and trees for the uncertain ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, LongArray
from multideid.persistence.json_rules import check_json
from multideid.stacking.phi_odds import PhiOdds, advantages_of, are_candidates
from multideid.stacking.token_forms import TokenForms
from multideid.stacking.uncertain_odds import Candidates, UncertainOdds
from multideid.text.table import TokenTable

_LINEAR, _TREES = "odds", "odds_trees"


class Odds(NamedTuple):
    """The odds of PHI against "O" of candidate tokens.

    Parameters
    ----------
    linear : PhiOdds
    trees : UncertainOdds or None
    """

    linear: PhiOdds
    trees: UncertainOdds | None = None

    @classmethod
    def out_of_fold(
        cls,
        tokens: TokenTable,
        margins: FloatArray,
        scores: Sequence[FloatArray],
        phi: BoolArray,
        fold: LongArray,
    ) -> tuple[Self | None, FloatArray]:
        """Fit the odds to out-of-fold margins and scores.

        Parameters
        ----------
        tokens : TokenTable
        margins : float32 array, shape (n_tokens, n_labels)
        scores : sequence of float32 arrays, shape (n_tokens, n_labels)
            One array per system.
        phi : bool array, shape (n_tokens,)
            Whether each token is PHI.
        fold : int64 array, shape (n_documents,)

        Returns
        -------
        Odds or None
            None if all candidates are PHI, or none is.
        float32 array, shape (n_tokens, n_labels)
            The margins, where the best PHI tag of candidates leads "O" by the log odds,
            which trees have corrected that have not seen the fold.
        """
        linear = PhiOdds.of(margins, scores, phi)
        if linear is None:
            return None, margins
        rows = np.flatnonzero(are_candidates(margins))
        advantages = advantages_of(margins[rows], [s[rows] for s in scores])
        candidates = Candidates(rows, tokens.document, TokenForms.of(tokens))
        folds = fold[tokens.document[rows]]
        trees, log_odds = UncertainOdds.out_of_fold(
            candidates, linear.log_odds(advantages), advantages, phi[rows], folds
        )
        found = margins.copy()
        found[rows] = _with_log_odds(margins[rows], log_odds)
        return cls(linear, trees), found

    @property
    def n_systems(self) -> int:
        """The number of systems."""
        return len(self.linear.weights) - 1

    def forms_of(self, tokens: TokenTable) -> TokenForms | None:
        """Return what `Candidates` need of a table."""
        return TokenForms.of(tokens) if self.trees else None

    def applied(
        self,
        candidates: Candidates,
        margins: FloatArray,
        scores: Sequence[FloatArray],
        *,
        compiled: bool = False,
    ) -> FloatArray:
        """Return margins in which that of "O" is so that PHI's best tag leads by the log odds.

        Parameters
        ----------
        candidates : Candidates
            With `forms_of` their table.
        margins : float32 array, shape (n_candidates, n_labels)
        scores : sequence of float32 arrays, shape (n_candidates, n_labels)
        compiled : bool
            Whether to use compiled loops.
        """
        if not len(margins):
            return margins
        advantages = advantages_of(margins, scores)
        log_odds = self.linear.log_odds(advantages)
        if self.trees:
            log_odds = self.trees.corrected(candidates, log_odds, advantages, compiled=compiled)
        return _with_log_odds(margins, log_odds)

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the trees, and return what goes into the stacker's JSON."""
        values: dict[str, Any] = {_LINEAR: self.linear._asdict()}
        if self.trees:
            self.trees.save(folder, _TREES)
            values[_TREES] = True
        return values

    @classmethod
    def load(cls, folder: Path, values: Mapping[str, Any], n_systems: int) -> Self | None:
        """Read what `save` wrote, with the values of the stacker's JSON; None if there are none.

        Raises
        ------
        ModelError
            If anything is missing or damaged, or is of another number of systems.
        """
        if _LINEAR not in values:
            return None
        path = folder / "stacker.json"
        linear = PhiOdds.from_json(path, values[_LINEAR], n_systems)
        has_trees = values.get(_TREES, False)
        check_json(path, has_trees, bool)
        trees = UncertainOdds.load(folder, _TREES, n_systems) if has_trees else None
        return cls(linear, trees)


def _with_log_odds(margins: FloatArray, log_odds: DoubleArray) -> FloatArray:
    found = margins.copy()
    found[:, 0] = margins[:, 1:].max(axis=1) - log_odds
    return found
