"""Evidence for the tokens that decision thresholds flip to PHI."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multideid.arrays import BoolArray, FloatArray, IntArray, LongArray
from multideid.knowledge.word_classes import bundled_word_classes, class_bits
from multideid.stacking.thresholds import Decisions
from multideid.text.table import TokenTable
from multideid.text.type_memo import TypeMemo

_MARK, _ORDINARY = 1, 2

_NAMES = class_bits("given", "family", "place")
_CLINICAL = class_bits("mesh", "clinical")
_COMMON = _CLINICAL | class_bits("common")


def _mark(token: str) -> int:
    return 0 if any(map(str.isalnum, token)) else _MARK


def _kind(token: str) -> int:
    """Return whether a token is a mark, or an ordinary word in a form that no name has."""
    if not token.isalpha() or not (token.islower() or token.istitle()):
        return _mark(token)
    classes = bundled_word_classes().bits(token.lower())
    ordinary = classes & (_COMMON if token.islower() else _CLINICAL)
    return _ORDINARY if ordinary and not classes & _NAMES else 0


_marks, _kinds = TypeMemo(_mark, np.uint8), TypeMemo(_kind, np.uint8)


def with_evidence(
    tokens: TokenTable, decisions: Decisions, scores: Sequence[FloatArray], *, words: bool
) -> IntArray:
    """Return the tags without the flips that have no evidence.

    A mark is flipped only between PHI of its line. A common word in lower case, or a
    clinical word that is not all in capitals, is flipped only if some list has it as a
    name or a place, a system found it by itself, or it is next to PHI.

    Parameters
    ----------
    tokens : TokenTable
    decisions : Decisions
    scores : sequence of float32 array, shape (n_tokens, n_labels)
        Those of each system.
    words : bool
        Whether words need evidence too, or marks only.

    Returns
    -------
    int32 array, shape (n_tokens,)
    """
    if not decisions.flipped.any():
        return decisions.tags
    kinds = (_kinds if words else _marks)(tokens.vocabulary)
    doubtful = np.where(decisions.flipped, kinds[tokens.type], 0)
    ordinary = np.flatnonzero(doubtful == _ORDINARY)
    doubtful[ordinary[_found_by_any(ordinary, scores)]] = 0
    phi = decisions.tags > 0
    while (dropped := phi & _lacks_neighbours(tokens, doubtful, phi)).any():
        phi &= ~dropped
    return _repaired(tokens, np.where(phi, decisions.tags, 0).astype(np.int32))


def _found_by_any(rows: LongArray, scores: Sequence[FloatArray]) -> BoolArray:
    found = np.zeros(len(rows), dtype=np.bool_)
    for system in scores:
        found |= system[rows].argmax(axis=1) > 0
    return found


def _lacks_neighbours(tokens: TokenTable, doubtful: IntArray, phi: BoolArray) -> BoolArray:
    same = tokens.line[1:] == tokens.line[:-1]
    neighbours = np.zeros(len(phi), dtype=np.uint8)
    neighbours[1:] += phi[:-1] & same
    neighbours[:-1] += phi[1:] & same
    needed = np.select([doubtful == _MARK, doubtful == _ORDINARY], [2, 1], 0)
    lacks: BoolArray = neighbours < needed
    return lacks


def _repaired(tokens: TokenTable, tags: IntArray) -> IntArray:
    """Return tags in which what follows a dropped token begins a span."""
    before = np.zeros_like(tags)
    before[1:] = np.where(tokens.line[1:] == tokens.line[:-1], tags[:-1], 0)
    inside = (tags > 0) & (tags % 2 == 0)
    return np.where(inside & ((before + 1) // 2 != tags // 2), tags - 1, tags)
