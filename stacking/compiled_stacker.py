"""The stacker in compiled loops, which compute the margins of candidate tokens only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, IntArray, LongArray
from multideid.learners.svm import LinearModel
from multideid.scoring.jit import kernel
from multideid.scoring.viterbi import viterbi
from multideid.stacking.decode import bio_transitions
from multideid.stacking.meta_features import (
    MAX_SCORE,
    MIN_SCORE,
    OFFSETS,
    SLACK,
    ScoreNormalisation,
    near,
)
from multideid.stacking.odds import Odds
from multideid.stacking.thresholds import Decisions, with_flipped
from multideid.stacking.token_forms import TokenForms
from multideid.stacking.uncertain_odds import Candidates
from multideid.text.lines import line_blocks, line_starts, lines_around
from multideid.text.table import TokenTable

_REACH = max(map(abs, OFFSETS))
_CENTRE = OFFSETS.index(0)
_BLOCK = 16_384
_CONTEXT = 3 * _REACH
"""Tokens on each side on which a decision depends: by odds, meta-features, and candidates."""


class LineBlock(NamedTuple):
    """Consecutive tokens of a table, whole lines.

    Parameters
    ----------
    document : int32 array
        The document of each token.
    starts : int64 array
        Indices, within the block, of the first tokens of the lines.
    first : int
        Index of the block's first token.
    forms : TokenForms, optional
        Of the whole table, as `Odds.forms_of` returns them.
    """

    document: IntArray
    starts: LongArray
    first: int = 0
    forms: TokenForms | None = None


class CompiledStacker:
    """Computes the tags of `Stacker.margins` and `decide` with small dense products.

    Parameters
    ----------
    model : LinearModel
        The stacker's SVM over `MetaFeatures`.
    normalisations : sequence of ScoreNormalisation
        One per system.
    offsets : float32 array, shape (n_classes,)
        Decision thresholds, as `DecisionThresholds` returns them.
    odds : Odds, optional
        Those of the stacker.
    """

    def __init__(
        self,
        model: LinearModel,
        normalisations: Sequence[ScoreNormalisation],
        offsets: FloatArray,
        odds: Odds | None = None,
    ) -> None:
        n_labels, n_systems = len(model.bias), len(normalisations)
        weights = model.weights.toarray().astype(np.float64)
        n_single = len(OFFSETS) * 2 * n_systems * n_labels
        by_offset = weights[:n_single].reshape(len(OFFSETS), -1, n_labels)
        self._weights = by_offset.transpose(1, 0, 2).reshape(-1, len(OFFSETS) * n_labels)
        self._pairs = weights[n_single:].reshape(-1, n_labels**2, n_labels)
        ranges = [(one.low, one.high - one.low) for one in normalisations]
        self._ranges = np.array(ranges, dtype=np.float32)
        self._model, self._offsets, self._odds = model, offsets, odds
        self._transitions = bio_transitions(n_labels)

    def decide_all(self, tokens: TokenTable, scores: Sequence[FloatArray]) -> Decisions:
        """Return what `decide` returns for all tokens of a table, by blocks of lines."""
        tags = np.empty(len(tokens), dtype=np.int32)
        flipped = np.empty(len(tokens), dtype=np.bool_)
        forms = self._odds.forms_of(tokens) if self._odds else None
        for first, stop in line_blocks(tokens, _BLOCK):
            low, high = lines_around(tokens, first - _CONTEXT, stop + _CONTEXT)
            starts = line_starts(tokens, low, high)
            block = LineBlock(tokens.document[low:high], starts, low, forms)
            decided = self.decide(block, [s[low:high] for s in scores])
            tags[first:stop] = decided.tags[first - low : stop - low]
            flipped[first:stop] = decided.flipped[first - low : stop - low]
        return Decisions(tags, flipped)

    def decide(self, block: LineBlock, scores: Sequence[FloatArray]) -> Decisions:
        """Return the tag of every token, and whether the offsets flipped it.

        Parameters
        ----------
        block : LineBlock
        scores : sequence of float32 arrays, shape (n_tokens, n_labels)
            One array per system.
        """
        tags = np.zeros(len(block.document), dtype=np.int32)
        plain = tags.copy()
        candidates = np.flatnonzero(self._is_candidate(block, scores))
        if len(candidates):
            margins = self._margins(candidates, block, scores)
            plain[candidates] = best = self._best(margins, candidates, block)
            if self._offsets.any():
                margins = with_flipped(margins, best, self._offsets)
                best = self._best(margins, candidates, block)
            tags[candidates] = best
        return Decisions.of(tags, plain)

    def _margins(
        self, candidates: LongArray, block: LineBlock, scores: Sequence[FloatArray]
    ) -> FloatArray:
        margins = self._model.margins(self._sums(candidates, block.document, scores))
        if self._odds is None:
            return margins
        # The last scores may be those of the context, which is no system.
        systems = [s[candidates] for s in scores[: self._odds.n_systems]]
        where = Candidates(candidates, block.document, block.forms, block.first)
        return self._odds.applied(where, margins, systems, compiled=True)

    def _best(self, margins: FloatArray, candidates: LongArray, block: LineBlock) -> IntArray:
        """Return the best tags of candidates, each run of consecutive ones decoded by itself.

        Other tokens are "O", so no candidate directly after one can be "inside".
        """
        is_start = np.zeros(len(block.document), dtype=np.bool_)
        is_start[block.starts] = True
        begins_run = is_start[candidates] | (np.diff(candidates, prepend=-2) > 1)
        after_outside = begins_run & ~is_start[candidates]
        emissions = margins.astype(np.float64)
        emissions[after_outside] += self._transitions[0]
        return viterbi(emissions, self._transitions, np.flatnonzero(begins_run))

    def _is_candidate(self, block: LineBlock, scores: Sequence[FloatArray]) -> BoolArray:
        marked = np.zeros(len(block.document), dtype=np.bool_)
        for s in scores:
            _mark_possible_phi(s, marked)
        return near(block.document, marked)

    def _sums(
        self, candidates: LongArray, document: IntArray, scores: Sequence[FloatArray]
    ) -> DoubleArray:
        """Return the summed weights of the meta-features of candidates."""
        used = np.flatnonzero(_within_reach(candidates, len(document)))
        index = np.full(len(document), -1, dtype=np.int64)
        index[used] = np.arange(len(used))
        parts = np.zeros((len(used), self._weights.shape[1]))
        used_scores = np.stack([s[used] for s in scores], axis=1)
        _sum_weights(used_scores, self._ranges, self._weights, self._pairs, parts)
        sums = np.zeros((len(candidates), self._pairs.shape[2]))
        for n, offset in enumerate(OFFSETS):
            _gather(parts, n, index, candidates, offset, document, sums)
        return sums


def _within_reach(candidates: LongArray, n_tokens: int) -> BoolArray:
    """Mark candidates and their neighbours, of any document."""
    padded = np.zeros(n_tokens + 2 * _REACH, dtype=np.bool_)
    for offset in OFFSETS:
        padded[candidates + _REACH + offset] = True
    return padded[_REACH : _REACH + n_tokens]


@kernel
def _sum_weights(
    scores: FloatArray,
    ranges: FloatArray,
    weights: DoubleArray,
    pairs: DoubleArray,
    parts: DoubleArray,
) -> None:
    """Sum the weights of each token's own decisions and scores, for tokens at all offsets.

    Parameters
    ----------
    scores : float32 array, shape (n_tokens, n_systems, n_labels)
    ranges : float32 array, shape (n_systems, 2)
        ``low`` and ``high - low`` of each `ScoreNormalisation`.
    weights : float64 array, shape (n_systems * 2 * n_labels, n_offsets * n_labels)
        Those of decisions and normalised scores; a row holds all offsets.
    pairs : float64 array, shape (n_pairs, n_labels ** 2, n_labels)
    parts : float64 array, shape (n_tokens, n_offsets * n_labels)
        The sums are added to it.
    """
    n_systems, n_labels = scores.shape[1:]
    decided = np.empty(n_systems, dtype=np.int64)
    rows = np.zeros(n_systems * (n_labels + 1) + 4, dtype=np.int64)
    values = np.empty(len(rows))
    centre = _CENTRE * n_labels
    for n in range(len(scores)):
        count = 0
        for s in range(n_systems):
            decided[s] = _argmax(scores[n, s])
            count = _append_features(scores[n, s], ranges[s], decided[s], s, count, rows, values)
        # Rows are added four at a time; those that fill up the last four have the value 0.
        values[count : count + 4] = 0
        for c in range(0, count, 4):
            _add_four(weights, rows[c : c + 4], values[c : c + 4], parts[n])
        _add_pairs(pairs, decided, parts[n, centre : centre + n_labels])


@kernel
def _argmax(values: FloatArray) -> int:
    best = 0
    for k in range(1, len(values)):
        if values[k] > values[best]:
            best = k
    return best


@kernel
def _append_features(  # noqa: PLR0913, PLR0917
    scores: FloatArray,
    low_and_width: FloatArray,
    decided: int,
    system: int,
    count: int,
    rows: LongArray,
    values: DoubleArray,
) -> int:
    """Append a system's decision and its normalised scores that are not 0.

    Returns
    -------
    int
        The new number of features in `rows` (of the weights) and `values`.
    """
    first = 2 * system * len(scores)
    rows[count], values[count] = first + decided, 1.0
    count += 1
    for k in range(len(scores)):
        normalised = (scores[k] - low_and_width[0]) / low_and_width[1]
        # Always written, and overwritten if not counted: a branch would be mispredicted.
        rows[count], values[count] = first + len(scores) + k, min(normalised, np.float32(MAX_SCORE))
        count += normalised >= np.float32(MIN_SCORE)
    return count


@kernel
def _add_four(
    weights: DoubleArray, rows: LongArray, values: DoubleArray, sums: DoubleArray
) -> None:
    a, b, c, d = (weights[rows[0]], weights[rows[1]], weights[rows[2]], weights[rows[3]])
    for k in range(len(sums)):
        sums[k] += values[0] * a[k] + values[1] * b[k] + values[2] * c[k] + values[3] * d[k]


@kernel
def _add_pairs(pairs: DoubleArray, decided: LongArray, sums: DoubleArray) -> None:
    table = 0
    for left in range(len(decided)):
        for right in range(left + 1, len(decided)):
            row = pairs[table, decided[left] * len(sums) + decided[right]]
            for k in range(len(sums)):
                sums[k] += row[k]
            table += 1


@kernel
def _gather(  # noqa: PLR0913, PLR0917
    parts: DoubleArray,
    part: int,
    index: LongArray,
    candidates: LongArray,
    offset: int,
    document: IntArray,
    sums: DoubleArray,
) -> None:
    """Add the part of each candidate's neighbour at an offset, if in the same document."""
    n_labels = sums.shape[1]
    for n in range(len(candidates)):
        neighbour = candidates[n] + offset
        if 0 <= neighbour < len(document) and document[neighbour] == document[candidates[n]]:
            row = parts[index[neighbour], part * n_labels : (part + 1) * n_labels]
            for k in range(n_labels):
                sums[n, k] += row[k]


@kernel
def _mark_possible_phi(scores: FloatArray, marked: BoolArray) -> None:
    """Mark the tokens that may be PHI, as `candidate_tokens` defines it."""
    for n in range(len(scores)):
        row = scores[n]
        greatest = np.float32(-np.inf)
        for k in range(1, len(row)):
            greatest = max(greatest, row[k])
        if greatest > row[0] - np.float32(SLACK) * abs(row[0]):
            marked[n] = True
