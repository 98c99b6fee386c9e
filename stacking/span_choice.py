"""The choice of spans: borders and labels of disputed PHI are decided for whole spans.

The stacker decides token by token, and so can break a border that a system got right. Here,
a logistic regression learns out of fold which of the `SpanCandidates` are gold spans; then
each cluster gets the candidates with the greatest sum of ``probability - PRICE``. Every token
that the stacker took for PHI stays PHI.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, IntArray, LongArray
from multideid.persistence.array_rules import ArrayRule
from multideid.persistence.files import ArrayRecord
from multideid.stacking.flip_evidence import with_evidence
from multideid.stacking.meta_features import ScoreNormalisation
from multideid.stacking.span_candidates import SpanCandidates
from multideid.stacking.span_covers import best_covers
from multideid.stacking.span_features import SpanFeatures, n_columns
from multideid.stacking.thresholds import OPERATING_POINTS, USUAL, DecisionThresholds, decide
from multideid.text.bio import TokenLabels, tag_runs
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from scipy import sparse

PRICE = 0.4
"""The cost of a span: at F1 = 0.8, one of lesser probability lowers the expected F1."""
C = 0.1
"""Inverse of the regularisation strength."""
_EXTREME = 500.0


@dataclass(frozen=True, slots=True)
class SpanChoice(ArrayRecord):
    """Logistic regression of gold spans.

    Parameters
    ----------
    active : float32 array, shape (n_labels, width)
        Weights of the one-hot columns of `SpanFeatures`, for each PHI label.
    scores : float32 array, shape (n_score_columns,)
        Weights of scores.
    intercept : float32 array, shape (n_labels,)
    """

    rules: ClassVar[Mapping[str, ArrayRule]] = {
        "active": ArrayRule("float32", ("n_labels", "width")),
        "scores": ArrayRule("float32", ("n_scores",)),
        "intercept": ArrayRule("float32", ("n_labels",)),
    }

    active: FloatArray
    scores: FloatArray
    intercept: FloatArray

    @classmethod
    def of_margins(  # noqa: PLR0913 (the last one by name)
        cls,
        tokens: TokenTable,
        labels: TokenLabels,
        margins: FloatArray,
        scores: Sequence[FloatArray],
        normalisations: Sequence[ScoreNormalisation],
        *,
        cost_ratio: float = OPERATING_POINTS[USUAL],
    ) -> Self | None:
        """Fit the regression to decisions from the stacker's out-of-fold margins.

        Parameters
        ----------
        margins : float32 array, shape (n_tokens, n_labels)
        tokens, labels, scores, normalisations
            As for `of`.
        cost_ratio : float, default 1.5
            Of the model's usual operating point: the cost of a missed token in false alarms.
        """
        offsets = DecisionThresholds.of(margins, labels).at_cost_ratio(cost_ratio)
        tags = with_evidence(tokens, decide(tokens, margins, offsets), scores, words=False)
        return cls.of(tokens, labels, tags, scores, normalisations)

    @classmethod
    def of(
        cls,
        tokens: TokenTable,
        labels: TokenLabels,
        tags: IntArray,
        scores: Sequence[FloatArray],
        normalisations: Sequence[ScoreNormalisation],
    ) -> Self | None:
        """Fit the regression to out-of-fold decisions and scores.

        Parameters
        ----------
        tokens : TokenTable
        labels : TokenLabels
            Gold tags.
        tags : int32 array, shape (n_tokens,)
            The stacker's.
        scores : sequence of float32 arrays, shape (n_tokens, n_labels)
            One per system.
        normalisations : sequence of ScoreNormalisation
            One per system.

        Returns
        -------
        SpanChoice or None
            None if all candidates are gold spans, or none is.
        """
        candidates, features = _disputed(tokens, tags, scores, normalisations)
        right = _are_gold(tokens, candidates, labels)
        if right.all() or not right.any():
            return None
        return cls._fitted(features, right, len(labels.names) // 2)

    @classmethod
    def _fitted(cls, features: SpanFeatures, right: BoolArray, n_labels: int) -> Self:
        from sklearn.linear_model import LogisticRegression

        # Without random choices, and fast on many rows of few columns.
        model = LogisticRegression(C=C, solver="liblinear", random_state=0)
        model.fit(_matrix(features, n_labels), right)
        bounds = np.cumsum([features.width, features.width * n_labels, n_labels])
        shared, own, of_label, weights = np.split(model.coef_[0].astype(np.float32), bounds)
        active = shared + own.reshape(n_labels, features.width)
        return cls(active, weights, of_label + np.float32(model.intercept_[0]))

    @classmethod
    def read(cls, folder: Path, name: str, n_systems: int, n_labels: int) -> Self:
        """Read the regression of a model with so many systems and PHI labels.

        Raises
        ------
        ModelError
            If the file is missing or damaged, or is of other systems or labels.
        """
        width, n_scores = n_columns(n_systems)
        return cls.load(folder, name, n_labels=n_labels, width=width, n_scores=n_scores)

    def probabilities(self, features: SpanFeatures) -> DoubleArray:
        """Return how probable it is that each candidate is a gold span."""
        odds = self.active[features.label[:, None], features.active].sum(axis=1, dtype=np.float64)
        # Not a matrix product: its sums would depend on the other candidates.
        odds += (features.scores * self.scores).sum(axis=1) + self.intercept[features.label]
        return np.asarray(1 / (1 + np.exp(-odds.clip(-_EXTREME, _EXTREME))))

    def chosen(
        self,
        tokens: TokenTable,
        tags: IntArray,
        scores: Sequence[FloatArray],
        normalisations: Sequence[ScoreNormalisation],
    ) -> IntArray:
        """Return the tags with the chosen spans; parameters as for `of`."""
        candidates, features = _disputed(tokens, tags, scores, normalisations)
        values = self.probabilities(features) - PRICE
        return _with_spans(tokens, tags, candidates, best_covers(candidates, values, tags > 0))


def _disputed(
    tokens: TokenTable,
    tags: IntArray,
    scores: Sequence[FloatArray],
    normalisations: Sequence[ScoreNormalisation],
) -> tuple[SpanCandidates, SpanFeatures]:
    decided = [*_decisions(scores), tags]
    candidates = SpanCandidates.of(tokens, decided)
    return candidates, SpanFeatures.of(tokens, candidates, decided, scores, normalisations)


def _matrix(features: SpanFeatures, n_labels: int) -> sparse.csr_matrix:
    """Return one-hot columns shared by all labels, those of each label, labels, and scores."""
    from scipy import sparse

    label = features.label[:, None]
    groups = [
        (features.active, features.width),
        (features.active + features.width * label, features.width * n_labels),
        (label, n_labels),
    ]
    parts = [_one_hot(active, width) for active, width in groups]
    parts.append(sparse.csr_matrix(features.scores))
    return sparse.csr_matrix(sparse.hstack(parts, format="csr"))


def _one_hot(active: LongArray, width: int) -> sparse.csr_matrix:
    from scipy import sparse

    n, k = active.shape
    bounds = np.arange(n + 1) * k
    return sparse.csr_matrix((np.ones(n * k), active.ravel(), bounds), shape=(n, width))


def _decisions(scores: Sequence[FloatArray]) -> list[IntArray]:
    return [s.argmax(axis=1).astype(np.int32) for s in scores]


def _are_gold(tokens: TokenTable, candidates: SpanCandidates, labels: TokenLabels) -> BoolArray:
    runs = tag_runs(tokens.document, labels.ids)
    gold = set(zip(*(column.tolist() for column in runs), strict=True))
    own = zip(*(column.tolist() for column in candidates[:3]), strict=True)
    return np.fromiter((span in gold for span in own), np.bool_, len(candidates.first))


def _with_spans(
    tokens: TokenTable, tags: IntArray, candidates: SpanCandidates, chosen: LongArray
) -> IntArray:
    """Return the tags with the chosen candidates instead of all that is in their clusters."""
    found = tags.copy()
    # A span that begins with an "inside" tag must not join a chosen span before it.
    first, _, label = tag_runs(tokens.document, tags)
    found[first] = 2 * label + 1
    found[candidates.rows] = 0
    spans = candidates.take(chosen)
    found[spans.rows] = np.repeat(2 * spans.label + 2, spans.lengths)
    found[spans.first] -= 1
    return found
