"""Szarvas's Table 1: every model, in cross-validation and on test documents."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from multideid.base_systems.szarvas import SzarvasTagger
from multideid.errors import UsageError
from multideid.eval import evaluate
from multideid.eval.experiments import Corpus, Result, Setup, iterative_learning
from multideid.eval.experiments.iterative_learning import VARIANTS, variant_tags
from multideid.stacking import SingleDeidentifier
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable

FAST = {"szarvas": {"rounds": 2}, "tree": {"n_features": 20}}


@pytest.fixture(scope="module")
def found(corpus: Corpus) -> Result:
    return iterative_learning([corpus], Setup(("dates",), folds=2, n_jobs=1, params=FAST))


def test_the_grid_is_that_of_table_1(found: Result) -> None:
    rows = found["rows"]
    assert list(dict.fromkeys(row.model for row in rows)) == [
        "baseline", "C4.5", "ITR1_BEST", "ITR1_VOTE", "ITR2_BEST", "ITR2_VOTE"
    ]  # fmt: skip
    assert [(row.documents, row.standard) for row in rows[:4]] == [
        ("2-fold", False), ("2-fold", True), ("test", False), ("test", True)
    ]  # fmt: skip
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()


def test_the_baseline_finds_nothing_and_cross_validation_covers_train(
    found: Result, corpus: Corpus
) -> None:
    crossed, _, held, _ = found["rows"][:4]
    gold = [evaluate(d, d).tokens.phi_classes().gold for d in (corpus.train, corpus.test)]
    assert [crossed.phi_classes.gold, held.phi_classes.gold] == gold
    assert (crossed.phi_classes.predicted, held.phi_classes.f1) == (0, 0.0)
    assert held.all_classes.f1 > 0.5


@pytest.mark.parametrize(("iterations", "standard"), [(1, False), (2, True)])
def test_the_vote_is_the_system_itself(
    found: Result, corpus: Corpus, iterations: int, standard: bool
) -> None:
    params = {"rounds": 2, "iterations": iterations, "standard_tags": standard}
    alone = SingleDeidentifier("szarvas", params).fit(corpus.train)
    expected = evaluate(corpus.test, alone.predict(corpus.test)).tokens
    wanted = (f"ITR{iterations}_VOTE", "test", standard)
    (row,) = [r for r in found["rows"] if (r.model, r.documents, r.standard) == wanted]
    assert row.phi_classes == expected.phi_classes()
    assert row.all_classes == expected.all_classes()


def test_a_variant_alone_is_the_system_with_these_triggers(corpus: Corpus) -> None:
    learned, held = map(TokenTable.from_documents, (corpus.train, corpus.test))
    labels = encode_bio(learned, corpus.train)
    tags = dict(variant_tags(SzarvasTagger(rounds=2).fit(learned, labels), held))
    assert list(tags) == list(VARIANTS)
    alone = SzarvasTagger(rounds=2, triggers="token", standard_tags=False).fit(learned, labels)
    expected = alone.predict_scores(held).argmax(axis=1)
    assert tags["token", 2].tolist() == expected.tolist()


def test_parameters_of_other_systems_are_refused(corpus: Corpus, setup: Setup) -> None:
    odd = replace(setup, params={"stat-deid": {"c": 1.0}})
    with pytest.raises(UsageError, match="stat-deid"):
        iterative_learning([corpus], odd)
