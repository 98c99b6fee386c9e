"""Train the bundled model, and the models by which it is judged fairly."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from multideid.default_model.notes import FLAVOURS, SAMPLES, training_notes
from multideid.default_model.pruning import prune
from multideid.stacking import MultiDeidentifier
from multideid.stacking.fitting import Progress

FOLDS = 3


def train(  # noqa: PLR0913 (all but two by name)
    corpora: Path,
    flavours: Sequence[str] = FLAVOURS,
    *,
    samples: int = SAMPLES,
    folds: int = FOLDS,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> MultiDeidentifier:
    """Return the bundled model, trained and pruned.

    Parameters
    ----------
    corpora : Path
        As `training_notes`.
    flavours : sequence of str
        Those to learn from; one is left out to measure on it.
    samples, folds : int
        Smaller ones are for a trial of the recipe.
    n_jobs, progress
        As `MultiDeidentifier`.
    """
    notes = training_notes(corpora, flavours, samples)
    model = MultiDeidentifier(folds=folds, n_jobs=n_jobs, progress=progress).fit(notes)
    prune(model)
    return model
