"""Comparing fits each system once and changes nothing of what it finds."""

from __future__ import annotations

from multideid.document import Document
from multideid.stacking import (
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
    compare_systems,
    fit_systems,
)

CHEAP = ("mimic", "stat-deid")


def test_each_way_predicts_what_it_would_alone(corpus: list[Document]) -> None:
    train, test = corpus[:5], corpus[8:]
    found = compare_systems(train, test, CHEAP, 2, n_jobs=1)
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


def test_models_behind_the_comparison_can_be_looked_at(corpus: list[Document]) -> None:
    models = fit_systems(corpus[:5], ("mimic",), 2, n_jobs=1)
    assert list(models) == ["mimic", "vote", "mega", "multi"]
    assert list(models["multi"].trust_.columns) == ["mimic"]
