"""What the stacker decided of a candidate's words where they are repeated in the document."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from multideid.arrays import AnyArray, IntArray, LongArray, ULongArray
from multideid.features.views import LOWER
from multideid.stacking.span_candidates import SpanCandidates
from multideid.stacking.span_forms import Column
from multideid.text.bio import tag_runs
from multideid.text.table import TokenTable

_N_VALUES = 5
_NOWHERE, _SAME, _OTHER, _MOSTLY_SAME, _MOSTLY_OTHER = range(_N_VALUES)
N_REPEAT_COLUMNS = 3 * _N_VALUES
_FACTOR = 0x9E3779B97F4A7C15
_INVERSE = pow(_FACTOR, -1, 1 << 64)
_OF_DOCUMENT = np.uint64(0xC2B2AE3D27D4EB4F)


class _Spans(NamedTuple):
    """Spans by the key of their words, the row that identifies them, and their label."""

    key: ULongArray
    place: LongArray
    label: LongArray


def repeat_columns(tokens: TokenTable, candidates: SpanCandidates, tags: IntArray) -> list[Column]:
    """Return how spans elsewhere in the document are labelled that share the words.

    One column each for spans of the same words, of the same last and of the same first
    word. There are none; all have the candidate's label; all have others; at least half
    of them have its label; fewer have.

    Parameters
    ----------
    tokens : TokenTable
    candidates : SpanCandidates
    tags : int32 array, shape (n_tokens,)
        The stacker's.
    """
    word = LOWER.column(tokens).codes.astype(np.uint64) + np.uint64(1)
    # Keys are only equal within a document.
    document = _OF_DOCUMENT * tokens.document.astype(np.uint64)
    decided = [column.astype(np.int64) for column in tag_runs(tokens.document, tags)]
    pairs = [
        [
            _Spans(_texts(word, first, last) + document[first], first, label),
            _Spans(word[last] + document[last], last, label),
            _Spans(word[first] + document[first], first, label),
        ]
        for first, last, label in (decided, candidates[:3])
    ]
    return [(_said(known, asked), _N_VALUES) for known, asked in zip(*pairs, strict=True)]


def _texts(word: ULongArray, first: LongArray, last: LongArray) -> ULongArray:
    """Return a key of the words of each span: the value of a polynomial, modulo 2**64.

    It is ``sum(word[first + n] * _FACTOR**n)``, from sums over all words before a row.
    """
    up, down = (_powers(base, len(word)) for base in (_FACTOR, _INVERSE))
    total = np.append(np.uint64(0), np.cumsum(word * up))
    return np.asarray((total[last + 1] - total[first]) * down[first])


def _powers(base: int, n: int) -> ULongArray:
    """Return ``base**0`` to ``base**(n - 1)`` modulo 2**64."""
    powers = np.full(n, base, dtype=np.uint64)
    powers[:1] = 1
    return np.cumprod(powers)


def _said(known: _Spans, asked: _Spans) -> LongArray:
    keys, group = np.unique(np.append(known.key, asked.key), return_inverse=True)
    of_known, of_asked = group[: len(known.key)], group[len(known.key) :]
    n_labels = int(max(known.label.max(initial=0), asked.label.max(initial=0))) + 1
    counts = np.bincount(of_known * n_labels + known.label, minlength=len(keys) * n_labels)
    counted: AnyArray = counts.reshape(len(keys), n_labels)[of_asked]
    _leave_out_own(counted, known, asked)
    same = counted[np.arange(len(counted)), asked.label]
    other = counted.sum(axis=1) - same
    rules = [same + other == 0, other == 0, same == 0, same >= other]
    return np.select(rules, [_NOWHERE, _SAME, _OTHER, _MOSTLY_SAME], _MOSTLY_OTHER)


def _leave_out_own(counted: AnyArray, known: _Spans, asked: _Spans) -> None:
    """Take the decided span at a candidate's own place from its counts."""
    if not len(known.place):
        return
    at = np.minimum(np.searchsorted(known.place, asked.place), len(known.place) - 1)
    own = np.flatnonzero((known.place[at] == asked.place) & (known.key[at] == asked.key))
    counted[own, known.label[at[own]]] -= 1
