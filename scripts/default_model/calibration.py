"""How well the probabilities of a model's scores hold on the dev notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from multideid.arrays import BoolArray, DoubleArray
from multideid.models import load
from multideid.samples import sample_corpus
from multideid.stacking import MultiDeidentifier
from multideid.stacking.calibration import Calibration
from multideid.stacking.out_of_fold import all_scores
from multideid.stacking.phi_odds import phi_advantage
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable

_BINS = 10


def reliability(
    model: str | Path, *, refit: bool = False, n_documents: int | None = None
) -> Iterator[str]:
    """Yield a table of probabilities against shares of PHI, over tokens taken for PHI.

    Parameters
    ----------
    model : str or Path
        A Multi model.
    refit : bool
        Whether to fit a curve to every second brief, and to measure it on the others.
    n_documents : int, optional
        Default: all dev notes.
    """
    loaded = load(model)
    assert isinstance(loaded, MultiDeidentifier)
    documents = sample_corpus(n_documents, split="dev")
    tokens = TokenTable.from_documents(documents)
    margins = loaded.stacker_.margins(tokens, all_scores(loaded.taggers_, tokens))
    phi = encode_bio(tokens, documents).ids > 0
    measured = phi_advantage(margins) > 0
    curve = loaded.calibration_
    if refit:
        briefs = [document.id.rpartition("-")[0] for document in documents]
        chosen = sorted(set(briefs))[::2]
        fitted = np.array([brief in chosen for brief in briefs])[tokens.document]
        curve = Calibration.of(margins[fitted], phi[fitted])
        measured &= ~fitted
    assert curve is not None
    yield f"{curve}, {int(measured.sum())} tokens"
    yield from _table(curve.probabilities(margins)[measured], phi[measured])


def _table(probabilities: DoubleArray, phi: BoolArray) -> Iterator[str]:
    yield "| score | tokens | mean score | PHI |\n|---|---|---|---|"
    bins = np.minimum((probabilities * _BINS).astype(int), _BINS - 1)
    error = 0.0
    for n in np.unique(bins).tolist():
        inside = bins == n
        mean, share = probabilities[inside].mean(), phi[inside].mean()
        error += abs(mean - share) * inside.mean()
        bounds = f"{n / _BINS:g} to {(n + 1) / _BINS:g}"
        yield f"| {bounds} | {inside.sum():,} | {mean:.3f} | {share:.3f} |"
    yield f"expected calibration error {error:.4f}"
