"""Inference of the tags of a sentence from token scores and relations between entities."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, LongArray
from multideid.base_systems.snow.relations import Relations
from multideid.learners.chain import MAX_LOG_ODDS

# Practically impossible, while ``exp(-2 * _NEVER)`` is still finite.
_NEVER = -300.0
# Log odds are summed over tags before they are clipped at `MAX_LOG_ODDS`.
_FARTHEST = 18.0


@dataclass(frozen=True, slots=True)
class Inference:
    """A chain with states that include the last entity, which makes inference exact.

    The first states are the tags, where "O" means outside before any entity. They are
    followed by the states "outside, and the last entity had label k".

    Parameters
    ----------
    first : float64 array, shape (n_states,)
        Score of a state at the start of a sentence.
    steps : float64 array, shape (n_states, n_states)
        Score of the transition from the row's state to the column's.
    tag : int64 array, shape (n_states,)
        The tag of each state.
    """

    first: DoubleArray = field(repr=False)
    steps: DoubleArray = field(repr=False)
    tag: LongArray = field(repr=False)

    @classmethod
    def under(cls, relations: Relations, seen: BoolArray) -> Self:
        """Return the chain of valid BIO sequences of seen tags, scored by relations.

        Parameters
        ----------
        relations : Relations
        seen : bool array, shape (n_tags,)
            Whether training had an example of the tag.
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
            The logarithm of each tag's probability, up to a constant per token.
        starts : int64 array
            First rows of the sentences, which cover all tokens.

        Returns
        -------
        float32 array, shape (n_tokens, n_tags)
            Log odds of the posterior, clipped to `MAX_LOG_ODDS`; the tag of the best
            sequence is raised to the maximum of its row.
        """
        from multideid.scoring.posterior import log_odds, raise_labels
        from multideid.scoring.viterbi import viterbi

        emissions = activations[:, self.tag]
        emissions[starts] += self.first
        best = self.tag[viterbi(emissions, self.steps, starts)].astype(np.int32)
        odds = log_odds(emissions, self.steps, starts, _FARTHEST)[:, : activations.shape[1]]
        odds[:, 0] = _log_odds_of_none(odds[:, 1:])
        scores = np.clip(odds, -MAX_LOG_ODDS, MAX_LOG_ODDS)
        raise_labels(scores, best)
        return scores


def _steps(relations: Relations) -> DoubleArray:
    """Return the transition scores, regardless of the tags seen."""
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
    """Return the log odds that none of several mutually exclusive events occurs."""
    some = (1 / (1 + np.exp(-odds.astype(np.float64)))).sum(axis=1)
    some = np.clip(some, 1e-9, 1 - 1e-9)
    return np.asarray(np.log1p(-some) - np.log(some), dtype=np.float32)
