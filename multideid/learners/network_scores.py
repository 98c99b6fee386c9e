"""Probabilities of a network, and their log odds, which the stacker compares."""

from __future__ import annotations

import numpy as np

from multideid.arrays import FloatArray

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
