"""The inner loop of CRF training: compiled, and imported only to train."""

from __future__ import annotations

import numpy as np
from numba import njit

# A token whose posterior is this close to its gold label teaches nothing; most
# tokens soon are, and passing over them is most of the speed.
_NEGLIGIBLE = np.float32(1e-4)
_STABILISER = np.float32(1e-6)


@njit(cache=True)  # type: ignore[untyped-decorator]
def seed(number):  # type: ignore[no-untyped-def]
    """Seed the generator that dropout draws from, which is not numpy's own."""
    np.random.seed(number)  # noqa: NPY002


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def train_epoch(indptr, indices, labels, starts, ends, order, model, rate, l1, l2, dropout):  # type: ignore[no-untyped-def]
    """Go once through the sequences in `order`, updating the weights in place.

    AdaGrad with a proximal step on every weight that is touched (Duchi,
    Hazan and Singer 2011), on the conditional likelihood of a linear-chain CRF
    (Lafferty, McCallum and Pereira 2001).

    Parameters
    ----------
    indptr, indices : int arrays
        CSR rows of binary features.
    labels : int32 array, shape (n_tokens,)
    starts, ends, order : int64 arrays
        Half-open rows of the sequences and the order to take them in.
    model : tuple of float32 arrays
        Weights and squared gradients of features ``(n_features, n_labels)``,
        then those of transitions ``(n_labels, n_labels)``.
    rate, l1, l2 : float32
        Step size, and strengths of the L1 and L2 penalties.
    dropout : float32
        Chance that a feature of a token is passed over in this epoch, so that
        no single one is relied upon. The others count for more in its stead.

    Returns
    -------
    float
        Summed negative log-likelihood of the gold labels along the way.
    """
    weights, squares, transitions, transition_squares = model
    n_labels = transitions.shape[0]
    longest = 0
    for s in range(len(starts)):
        longest = max(longest, ends[s] - starts[s])
    local = np.empty((longest, n_labels), np.float32)
    forward = np.empty((longest, n_labels), np.float32)
    backward = np.empty((longest, n_labels), np.float32)
    scale = np.empty(longest, np.float32)
    pair = np.empty((n_labels, n_labels), np.float32)
    most = 0
    for s in range(len(starts)):
        most = max(most, indptr[ends[s]] - indptr[starts[s]])
    kept = np.empty(most, indices.dtype)
    kept_until = np.empty(longest + 1, np.int64)
    value = np.float32(1.0) / (np.float32(1.0) - dropout)
    loss = 0.0
    for s in order:
        first, length = starts[s], ends[s] - starts[s]
        step = np.exp(transitions)
        _keep_some(indptr, indices, first, length, dropout, kept, kept_until)
        loss += _emissions(kept_until, kept, weights, value, first, length, labels, local)
        loss += _forward_backward(local, step, length, forward, backward, scale)
        loss -= _transition_score(transitions, labels, first, length)
        _expected_pairs(local, step, length, forward, backward, scale, pair)
        for t in range(1, length):
            pair[labels[first + t - 1], labels[first + t]] -= 1.0
        if length > 1:
            for i in range(n_labels):
                _update(transitions[i], transition_squares[i], pair[i], rate, np.float32(0.0), l2)
        for t in range(length):
            _posterior(forward[t], backward[t], labels[first + t])
            if np.abs(forward[t]).max() > _NEGLIGIBLE:
                forward[t] *= value
                for k in range(kept_until[t], kept_until[t + 1]):
                    f = kept[k]
                    _update(weights[f], squares[f], forward[t], rate, l1, l2)
    return loss


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _keep_some(indptr, indices, first, length, dropout, kept, kept_until):  # type: ignore[no-untyped-def]
    """Copy the features of a sequence's tokens, some of them dropped."""
    count = 0
    kept_until[0] = 0
    for t in range(length):
        for k in range(indptr[first + t], indptr[first + t + 1]):
            if dropout == 0.0 or np.random.random() >= dropout:  # noqa: NPY002
                kept[count] = indices[k]
                count += 1
        kept_until[t + 1] = count


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _emissions(kept_until, kept, weights, value, first, length, labels, local):  # type: ignore[no-untyped-def]
    """Fill exp(score - greatest score); return the part of the loss that this shifts."""
    loss = 0.0
    for t in range(length):
        row = local[t]
        row[:] = 0.0
        for k in range(kept_until[t], kept_until[t + 1]):
            row += weights[kept[k]]
        row *= value
        greatest = row.max()
        loss += greatest - row[labels[first + t]]
        for i in range(len(row)):
            row[i] = np.exp(row[i] - greatest)
    return loss


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _forward_backward(local, step, length, forward, backward, scale):  # type: ignore[no-untyped-def]
    """Fill scaled forward and backward rows; return the log of the partition sum."""
    n_labels = step.shape[0]
    log_sum = 0.0
    for t in range(length):
        forward[t] = local[t]
        if t > 0:
            for j in range(n_labels):
                backward[t, j] = 0.0
            for i in range(n_labels):
                backward[t] += forward[t - 1, i] * step[i]
            forward[t] *= backward[t]
        scale[t] = max(forward[t].sum(), np.float32(1e-30))
        forward[t] /= scale[t]
        log_sum += np.log(scale[t])
    backward[length - 1] = 1.0
    for t in range(length - 2, -1, -1):
        ahead = backward[t + 1] * local[t + 1] / scale[t + 1]
        for i in range(n_labels):
            backward[t, i] = (step[i] * ahead).sum()
    return log_sum


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _expected_pairs(local, step, length, forward, backward, scale, pair):  # type: ignore[no-untyped-def]
    n_labels = step.shape[0]
    pair[:] = 0.0
    for t in range(1, length):
        ahead = backward[t] * local[t] / scale[t]
        for i in range(n_labels):
            pair[i] += forward[t - 1, i] * ahead
    pair *= step


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _transition_score(transitions, labels, first, length):  # type: ignore[no-untyped-def]
    score = 0.0
    for t in range(1, length):
        score += transitions[labels[first + t - 1], labels[first + t]]
    return score


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _posterior(forward, backward, gold):  # type: ignore[no-untyped-def]
    """Turn a forward row into the gradient: posterior less one at the gold label."""
    forward *= backward
    forward /= max(forward.sum(), np.float32(1e-30))
    forward[gold] -= 1.0


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _update(weights, squares, gradient, rate, l1, l2):  # type: ignore[no-untyped-def]
    for i in range(len(weights)):
        g = gradient[i]
        squares[i] += g * g
        size = rate / np.sqrt(squares[i] + _STABILISER)
        w = weights[i] - size * g
        shrink = size * l1
        w = max(np.float32(0.0), w - shrink) + min(np.float32(0.0), w + shrink)
        weights[i] = w / (np.float32(1.0) + size * l2)
