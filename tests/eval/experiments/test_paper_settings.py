"""Experiments with the settings of the thesis measure what de-identifiers with them predict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from multideid.errors import UsageError
from multideid.eval.experiments import Corpus, Setup, measure
from multideid.stacking import MultiDeidentifier
from multideid.stacking.paper import PLAIN_STACKER


def test_multi_is_the_one_with_the_plain_stacker(corpus: Corpus, setup: Setup) -> None:
    measured = next(measure([corpus], replace(setup, features="paper"), ["multi"]))
    multi = MultiDeidentifier(setup.systems, setup.folds, n_jobs=1, **PLAIN_STACKER)
    expected = multi.fit(corpus.train).predict(corpus.test)
    assert [d.spans for d in measured.predictions["multi"]] == [d.spans for d in expected]


def test_base_systems_have_the_features_of_their_papers(setup: Setup) -> None:
    paper = replace(setup, systems=("mist", "dates"), features="paper")
    assert paper.tagger("mist").get_params()["features"] == "paper"
    assert paper.with_params(paper.systems) == {"mist": {"features": "paper"}, "dates": {}}


def test_the_setting_is_in_the_signature(corpus: Corpus, setup: Setup) -> None:
    from multideid.eval.experiments import oracle

    paper = oracle([corpus], replace(setup, features="paper"))
    assert "; features paper;" in str(paper.sources[0])
    assert "; features " not in str(oracle([corpus], setup).sources[0])


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(UsageError, match="features must be one of full, paper"):
        Setup(features="thesis")
