"""Probabilities of PHI from the stacker's margins, calibrated out of fold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray
from multideid.document import Document
from multideid.persistence.json_rules import check_json
from multideid.stacking.phi_odds import are_candidates, phi_advantage
from multideid.text.bio import span_rows
from multideid.text.table import TokenTable

_C = 1e3


class Calibration(NamedTuple):
    """Platt scaling of a token's advantage: ``1 / (1 + exp(-(slope * advantage + intercept)))``.

    The advantage is the margin of the best PHI tag less that of ``"O"``.

    Parameters
    ----------
    slope, intercept : float
    """

    slope: float
    intercept: float

    @classmethod
    def of(cls, margins: FloatArray, phi: BoolArray) -> Self | None:
        """Fit the curve to out-of-fold margins of candidate tokens.

        Parameters
        ----------
        margins : float32 array, shape (n_tokens, n_labels)
        phi : bool array, shape (n_tokens,)
            Whether each token is PHI.

        Returns
        -------
        Calibration or None
            None if all candidates are PHI, or none is.
        """
        from sklearn.linear_model import LogisticRegression

        candidates = are_candidates(margins)
        known = phi[candidates]
        if known.all() or not known.any():
            return None
        curve = LogisticRegression(C=_C).fit(phi_advantage(margins[candidates])[:, None], known)
        return cls(float(curve.coef_[0, 0]), float(curve.intercept_[0]))

    @classmethod
    def from_json(cls, path: Path, values: Any) -> Self | None:
        """Check what `_asdict` made, or None, read from a model's file.

        Raises
        ------
        ModelError
            If a value is missing or of another type.
        """
        if values is None:
            return None
        check_json(path, values, {"slope": float, "intercept": float})
        return cls(values["slope"], values["intercept"])

    def probabilities(self, margins: FloatArray) -> DoubleArray:
        """Return the probability of each token to be PHI, shape (n_tokens,)."""
        # exp of more would overflow; no probability differs from 0 or 1 by less.
        logit = np.clip(self.slope * phi_advantage(margins) + self.intercept, -500, 500)
        probability: DoubleArray = 1 / (1 + np.exp(-logit))
        return probability


def tokens_of_spans(documents: Sequence[Document], tokens: TokenTable) -> BoolArray:
    """Return True for the tokens that overlap a span; parameters as for `mean_over_spans`."""
    found = np.zeros(len(tokens), dtype=np.bool_)
    for n, document in enumerate(documents):
        for rows in span_rows(tokens, n, document.spans):
            found[rows] = True
    return found


def mean_over_spans(
    documents: Sequence[Document], tokens: TokenTable, values: DoubleArray
) -> list[tuple[float, ...]]:
    """Return the mean value of the tokens of each span of each document.

    Parameters
    ----------
    documents : sequence of Document
    tokens : TokenTable
        Made from `documents`.
    values : float64 array, shape (n_tokens,)
    """
    return [
        tuple(float(values[rows].mean()) if rows.stop > rows.start else 0.0 for rows in spans)
        for spans in (span_rows(tokens, n, document.spans) for n, document in enumerate(documents))
    ]
