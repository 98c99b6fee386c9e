"""The best tags of a sentence as a whole: what words say, and what entities say of each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, LongArray
from multideid.base_systems.snow.relations import Relations
from multideid.learners.chain import MAX_LOG_ODDS

# As good as never, and yet the exponential of twice its opposite is a number.
_NEVER = -300.0
_RAISED = 1e-3
# Log odds are summed up over tags before they are cut at `MAX_LOG_ODDS`.
_FARTHEST = 18.0


@dataclass(frozen=True, slots=True)
class Inference:
    """A chain whose states know the last entity: it finds the best assignment exactly.

    The first states are the tags, of which "O" is that before any entity. Then
    come the states "outside, and the last entity was of label k".

    Parameters
    ----------
    first : float64 array, shape (n_states,)
        What is added where a sentence begins with the state.
    steps : float64 array, shape (n_states, n_states)
        What is added for going from the row's state to the column's.
    tag : int64 array, shape (n_states,)
        The tag that a state gives.
    """

    first: DoubleArray = field(repr=False)
    steps: DoubleArray = field(repr=False)
    tag: LongArray = field(repr=False)

    @classmethod
    def under(cls, relations: Relations, seen: BoolArray) -> Self:
        """Make the chain whose entities are valid BIO, of seen tags, and have their relations.

        Parameters
        ----------
        relations : Relations
        seen : bool array, shape (n_tags,)
            Whether a tag may be given.
        """
        n = len(relations.apart)
        tag = np.append(np.arange(2 * n + 1), np.zeros(n, dtype=np.int64))
        steps = _steps(relations)
        steps[:, ~seen[tag]] = _NEVER
        return cls(steps[0].copy(), steps, tag)

    def scores(self, activations: DoubleArray, starts: LongArray) -> FloatArray:
        """Score every tag of every token.

        Parameters
        ----------
        activations : float64 array, shape (n_tokens, n_tags)
            The logarithm of each tag's probability, but for a constant a token.
        starts : int64 array
            First rows of the sentences, which together cover all tokens.

        Returns
        -------
        float32 array, shape (n_tokens, n_tags)
            Log odds of the posterior probability, within `MAX_LOG_ODDS`. The
            tag of the best assignment is raised to be the greatest of its row.
        """
        from multideid.scoring.posterior import log_odds, raise_labels
        from multideid.scoring.viterbi import viterbi

        emissions = activations[:, self.tag]
        emissions[starts] += self.first
        best = self.tag[viterbi(emissions, self.steps, starts)].astype(np.int32)
        odds = log_odds(emissions, self.steps, starts, _FARTHEST)[:, : activations.shape[1]]
        odds[:, 0] = _log_odds_of_none(odds[:, 1:])
        scores = np.clip(odds, -MAX_LOG_ODDS, MAX_LOG_ODDS)
        raise_labels(scores, best, _RAISED)
        return scores


def _steps(relations: Relations) -> DoubleArray:
    """Return what each step adds, whatever tags were seen."""
    n = len(relations.apart)
    begins, insides = np.arange(1, 2 * n, 2), np.arange(2, 2 * n + 1, 2)
    outside_after = np.arange(2 * n + 1, 3 * n + 1)
    steps = np.full((3 * n + 1, 3 * n + 1), _NEVER)
    steps[0, 0] = steps[0, begins] = 0
    for entity in (begins, insides):
        steps[entity, insides] = steps[entity, outside_after] = 0
        steps[np.ix_(entity, begins)] = relations.beside
    steps[outside_after, outside_after] = 0
    steps[np.ix_(outside_after, begins)] = relations.apart
    return steps


def _log_odds_of_none(odds: FloatArray) -> FloatArray:
    """Return the log odds that none is true of some things that exclude each other."""
    some = (1 / (1 + np.exp(-odds.astype(np.float64)))).sum(axis=1)
    some = np.clip(some, 1e-9, 1 - 1e-9)
    return np.asarray(np.log1p(-some) - np.log(some), dtype=np.float32)
