"""Feature classes are added in the order of their use, and judged in training alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from multideid.errors import UsageError
from multideid.eval import evaluate
from multideid.eval.experiments import Corpus, Setup, greedy_features
from multideid.eval.experiments.specs import restricted
from multideid.stacking.mega import feature_classes_of
from multideid.taggers.registry import make_system


def test_every_class_is_added_once_and_the_last_row_is_the_whole_system(
    corpus: Corpus, setup: Setup
) -> None:
    from multideid.stacking import SingleDeidentifier

    rows = greedy_features([corpus], setup, systems=["small"])["rows"]
    assert [row.n for row in rows] == [1, 2]
    assert {row.added for row in rows} == {"word", "length"}
    alone = SingleDeidentifier("small").fit(corpus.train)
    expected = evaluate(corpus.test, alone.predict(corpus.test)).tokens
    assert rows[-1].phi_classes == expected.phi_classes()


def test_the_order_does_not_depend_on_the_test_documents(corpus: Corpus, setup: Setup) -> None:
    other = replace(corpus, test=corpus.test[:1])
    orders = [
        [
            (row.added, row.chosen_by)
            for row in greedy_features([c], setup, systems=["small"])["rows"]
        ]
        for c in (corpus, other)
    ]
    assert orders[0] == orders[1]
    assert orders[0][0][1] > 0


def test_boosted_trees_learn_from_any_one_class(corpus: Corpus) -> None:
    from multideid.text.bio import encode_bio
    from multideid.text.table import TokenTable

    tokens = TokenTable.from_documents(corpus.train[:2])
    labels = encode_bio(tokens, corpus.train[:2])
    tagger = make_system("szarvas", rounds=1, triggers="token", iterations=0)
    for name in feature_classes_of({"szarvas": tagger}):
        fitted = restricted(tagger, [name]).fit(tokens, labels)
        assert fitted.predict_scores(tokens).shape == (len(tokens), len(labels.names)), name


def test_systems_without_feature_classes_are_refused(corpus: Corpus, setup: Setup) -> None:
    with pytest.raises(UsageError, match="dates has no feature classes to add"):
        greedy_features([corpus], setup, systems=["dates"])
