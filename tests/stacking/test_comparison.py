"""Models in a comparison predict the same as if fitted separately."""

from __future__ import annotations

from compared_systems import compare_systems, fit_systems

from multideid.document import Document
from multideid.stacking import (
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
)

CHEAP = ("mimic", "stat-deid")


def test_each_model_predicts_the_same_as_if_fitted_separately(corpus: list[Document]) -> None:
    train, test = corpus[:5], corpus[8:]
    found = compare_systems(train, test, CHEAP)
    alone = {
        "mimic": SingleDeidentifier("mimic"),
        "stat-deid": SingleDeidentifier("stat-deid"),
        "vote": VoteDeidentifier(CHEAP, n_jobs=1),
        "mega": MegaDeidentifier(CHEAP),
        "multi": MultiDeidentifier(CHEAP, 2, n_jobs=1),
    }
    assert list(found) == list(alone)
    for name, model in alone.items():
        assert found[name] == model.fit(train).predict(test)


def test_models_of_a_comparison_are_complete(corpus: list[Document]) -> None:
    models = fit_systems(corpus[:5], ("mimic",))
    assert list(models) == ["mimic", "vote", "mega", "multi"]
    assert list(models["multi"].trust_.columns) == ["mimic"]
