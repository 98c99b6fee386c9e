"""Parameters without effect are refused before anything is fitted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.eval.experiments import (
    ablation,
    ambiguity,
    features,
    hypotheses,
    kernels,
    learning_curve,
    operating_points,
    out_of_dictionary,
    systems,
)
from multideid.eval.experiments.setup import check_params, check_params_used
from multideid.taggers import registry

ALL = ("stat-deid", "rule")


class Rule:
    name, summary = "rule", "The first letters."

    def __init__(self, letters: int = 1) -> None:
        self.letters = letters

    def tag(self, document: Document) -> list[Span]:
        return [Span(0, self.letters, "NAME")]


@pytest.fixture(autouse=True)
def rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._SESSION, "rule", Rule)


@pytest.mark.parametrize(
    ("experiment", "own"),
    [
        (ablation, {"systems": ["multi"]}),
        (ambiguity, {}),
        (features, {"systems": ["mega"]}),
        (hypotheses, {}),
        (kernels, {}),
        (learning_curve, {"systems": ["titles"]}),
        (operating_points, {}),
        (out_of_dictionary, {}),
        (systems, {"add": ["phones"]}),
    ],
)
def test_parameters_of_a_system_that_is_not_used_are_refused(
    corpus, setup, fitted, experiment, own
) -> None:
    asked = replace(setup, params={"small": {"min_count": 3}})
    with pytest.raises(UsageError, match="given for system 'small', which is not used; used are"):
        experiment([corpus], asked, **own)
    assert not fitted


@pytest.mark.parametrize("idle", ["c", "min_count", "seed"])
@pytest.mark.parametrize(
    "measured",
    [(ablation, "mega"), (features, "mega"), (features, "stat-deid"), (learning_curve, "mega")],
)
def test_parameters_that_features_are_not_made_of_are_refused(
    corpus, setup, fitted, measured, idle
) -> None:
    experiment, name = measured
    asked = replace(setup, systems=ALL, params={"stat-deid": {idle: 3}})
    with pytest.raises(UsageError, match=f"system 'stat-deid': {idle} has no effect"):
        experiment([corpus], asked, systems=[name])
    assert not fitted


@pytest.mark.parametrize(
    ("names", "params"),
    [
        (["mega"], {"stat-deid": {"mesh": False, "syntax": "none", "pos_tagger": "lexicon"}}),
        (["mega"], {"rule": {"letters": 2}}),
        (["mega", "vote"], {"stat-deid": {"c": 0.3}}),
        (["mega", "stat-deid"], {"stat-deid": {"c": 0.3}}),
        (["mega"], {"small": {}}),
    ],
)
def test_parameters_with_an_effect_are_accepted(setup, names, params) -> None:
    check_params(replace(setup, systems=ALL, params=params), names)


def test_rules_have_no_effect_on_features(setup) -> None:
    asked = replace(setup, systems=ALL, params={"rule": {"letters": 2}})
    with pytest.raises(UsageError, match="system 'rule': letters has no effect"):
        check_params_used(asked, features=ALL)
