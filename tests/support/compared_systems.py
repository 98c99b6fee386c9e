"""Base systems, vote, Mega and Multi, fitted on the same documents."""

from __future__ import annotations

from collections.abc import Sequence

from multideid.document import Document
from multideid.stacking import Deidentifier, MegaDeidentifier, MultiDeidentifier
from multideid.stacking.comparison import members_alone
from multideid.stacking.systems import Systems


def fit_systems(train: Sequence[Document], systems: Systems) -> dict[str, Deidentifier]:
    """Return the fitted models by name, with two folds."""
    multi = MultiDeidentifier(systems, 2, n_jobs=1).fit(train)
    mega = MegaDeidentifier(systems, folds=2, n_jobs=1).fit(train)
    return {**members_alone(multi), "mega": mega, "multi": multi}


def compare_systems(
    train: Sequence[Document], test: Sequence[Document], systems: Systems
) -> dict[str, list[Document]]:
    """Return the test documents with the spans that each model of `fit_systems` finds."""
    return {name: model.predict(test) for name, model in fit_systems(train, systems).items()}
