"""Probabilities of a network, and their log odds, which the stacker compares."""

from __future__ import annotations

import numpy as np

from multideid.arrays import FloatArray, LongArray

MAX_NETWORK_LOG_ODDS = np.float32(12.0)
_LEAST_PROBABILITY = np.float32(1e-6)


def softmax(scores: FloatArray) -> FloatArray:
    """Return the probabilities of the tags, shape of `scores`."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def log_odds(scores: FloatArray) -> FloatArray:
    """Return ``log(p / (1 - p))`` of the softmax, float32, from -12 to 12."""
    p = np.clip(softmax(scores), _LEAST_PROBABILITY, 1 - _LEAST_PROBABILITY)
    odds = np.clip(np.log(p) - np.log1p(-p), -MAX_NETWORK_LOG_ODDS, MAX_NETWORK_LOG_ODDS)
    return np.asarray(odds, dtype=np.float32)


def chain_log_odds(scores: FloatArray, transitions: FloatArray, starts: LongArray) -> FloatArray:
    """Return the log odds of the posterior of a chain, float32, from -12 to 12.

    The tag of the best sequence is raised to the maximum of its row.

    Parameters
    ----------
    scores : float32 array, shape (n_tokens, n_labels)
    transitions : float32 array, shape (n_labels, n_labels)
        Score of the transition from the row's tag to the column's.
    starts : int64 array
        First rows of the sequences, which cover all tokens.
    """
    # Imports numba, which a first note without transitions does not need.
    from multideid.scoring.posterior import decoded_log_odds

    emissions, steps = scores.astype(np.float64), transitions.astype(np.float64)
    return decoded_log_odds(emissions, steps, starts, float(MAX_NETWORK_LOG_ODDS))
