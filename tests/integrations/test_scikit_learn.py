"""De-identifiers and base taggers are estimators of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sklearn import set_config
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks, get_tags
from sklearn.utils.validation import check_is_fitted
from template_notes import sample_corpus

from multideid.document import Document
from multideid.errors import UsageError
from multideid.stacking import (
    Deidentifier,
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
)
from multideid.taggers.registry import make_system
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable

CHEAP = ["mimic", "stat-deid"]
KINDS: list[Callable[..., Deidentifier]] = [
    lambda: MultiDeidentifier(CHEAP, folds=2, n_jobs=1),
    lambda: MegaDeidentifier(CHEAP),
    lambda: VoteDeidentifier(CHEAP, n_jobs=1),
    lambda: SingleDeidentifier("stat-deid", {"c": 0.5}),
]
CHECKS = [
    estimator_checks.check_estimator_cloneable,
    estimator_checks.check_estimator_tags_renamed,
    estimator_checks.check_valid_tag_types,
    estimator_checks.check_estimator_repr,
    estimator_checks.check_no_attributes_set_in_init,
    estimator_checks.check_do_not_raise_errors_in_init_or_set_params,
    estimator_checks.check_mixin_order,
    estimator_checks.check_parameters_default_constructible,
    estimator_checks.check_get_params_invariance,
    estimator_checks.check_set_params,
]
"""The checks of scikit-learn that do not fit on arrays of numbers."""


@pytest.fixture(scope="module")
def corpus() -> list[Document]:
    return sample_corpus(9, seed=3)


@pytest.fixture(scope="module")
def single(corpus: list[Document]) -> Deidentifier:
    return SingleDeidentifier("stat-deid").fit(corpus)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("make", KINDS, ids=["multi", "mega", "vote", "single"])
def test_checks_of_scikit_learn_pass(
    make: Callable[[], Deidentifier], check: Callable[[str, Any], None]
) -> None:
    model = make()
    check(type(model).__name__, model)


@pytest.mark.parametrize("make", KINDS, ids=["multi", "mega", "vote", "single"])
def test_a_clone_has_equal_parameters_and_is_not_fitted(make: Callable[[], Deidentifier]) -> None:
    model = make().fit(sample_corpus(4))
    again = clone(model)
    assert again.get_params() == model.get_params()
    assert not hasattr(again, "labels_")
    assert hasattr(model, "labels_")


def test_parameters_of_base_systems_have_nested_names() -> None:
    model = MultiDeidentifier(CHEAP, folds=2)
    assert model.get_params()["stat-deid__c"] == make_system("stat-deid").get_params()["c"]
    assert "stat-deid__c" not in model.get_params(deep=False)
    model.set_params(folds=3, **{"stat-deid__c": 0.25})
    assert model.folds == 3
    assert model.systems == {"mimic": {}, "stat-deid": {"c": 0.25}}
    single = SingleDeidentifier("stat-deid", {"seed": 1}).set_params(**{"stat-deid__c": 0.25})
    assert single.params == {"seed": 1, "c": 0.25}


@pytest.mark.parametrize(
    ("params", "problem"),
    [
        ({"fold": 3}, "MultiDeidentifier has no parameter 'fold'; it has: systems, folds"),
        ({"mist__epochs": 3}, "there is no system 'mist' among mimic, stat-deid"),
        ({"stat-deid__cc": 3}, "system 'stat-deid' has no parameter 'cc'"),
        ({"stat-deid__c": "much"}, "c must be a number; got 'much'"),
    ],
)
def test_a_wrong_parameter_is_named_and_nothing_is_set(params: Any, problem: str) -> None:
    model = MultiDeidentifier(CHEAP, folds=2)
    with pytest.raises(UsageError, match=problem):
        model.set_params(c=9.0, **params)
    assert model.get_params(deep=False) == MultiDeidentifier(CHEAP, folds=2).get_params(deep=False)


def test_new_systems_and_their_parameters_are_set_at_once() -> None:
    model = MultiDeidentifier(CHEAP).set_params(systems=["mist", "mimic"], mist__epochs=2)
    assert model.systems == {"mist": {"epochs": 2}, "mimic": {}}


def test_repr_shows_the_parameters_that_are_not_the_defaults() -> None:
    model = MultiDeidentifier(CHEAP, folds=2, recall=0.9)
    assert repr(model) == "MultiDeidentifier(systems=['mimic', 'stat-deid'], folds=2, recall=0.9)"
    assert repr(MegaDeidentifier()) == "MegaDeidentifier()"
    assert repr(make_system("mist", epochs=3)) == "MistTagger(epochs=3)"
    # True equals 1, but is another parameter.
    assert repr(MultiDeidentifier(augmentation=1)) == "MultiDeidentifier(augmentation=1)"  # type: ignore[arg-type]


def test_notebooks_show_a_diagram_that_says_whether_it_is_fitted(single: Deidentifier) -> None:
    fitted, unfitted = single._repr_html_(), clone(single)._repr_html_()
    assert "SingleDeidentifier" in fitted
    assert "<span>Fitted</span>" in fitted
    assert "<span>Not fitted</span>" in unfitted


def test_a_pipeline_shows_its_deidentifier(single: Deidentifier) -> None:
    set_config(display="diagram")
    html = make_pipeline(FrozenEstimator(single), CountVectorizer())._repr_html_()
    assert "SingleDeidentifier" in html


def test_score_is_the_f1_of_exact_spans(corpus: list[Document], single: Deidentifier) -> None:
    predicted = single.predict(corpus)
    gold = {(d.id, s) for d in corpus for s in d.spans}
    found = {(d.id, s) for d in predicted for s in d.spans}
    assert single.score(corpus) == 2 * len(gold & found) / (len(gold) + len(found))
    assert single.score([d.text for d in corpus], [d.spans for d in corpus]) == single.score(corpus)
    assert single.score(predicted) == 1
    assert single.score(["Nothing here."]) == 1


def test_a_tagger_scores_tokens(corpus: list[Document]) -> None:
    tokens = TokenTable.from_documents(corpus)
    labels = encode_bio(tokens, corpus)
    tagger = make_system("stat-deid").fit(tokens, labels)
    assert 0.9 < tagger.score(tokens, labels) <= 1
    assert clone(tagger).get_params() == tagger.get_params()
    nothing = encode_bio(tokens, [d.with_spans(()) for d in corpus])
    assert tagger.score(tokens, nothing) == 0


def test_cross_validation_scores_each_fold(corpus: list[Document]) -> None:
    scores = cross_val_score(SingleDeidentifier("stat-deid"), corpus, cv=3)
    assert len(scores) == 3
    assert all(0 < score < 1 for score in scores)


def test_a_grid_search_finds_parameters_of_a_base_system(corpus: list[Document]) -> None:
    grid = {"stat-deid__c": [1e-5, 0.1]}
    search = GridSearchCV(VoteDeidentifier(["stat-deid"], n_jobs=1), grid, cv=2)
    search.fit([d.text for d in corpus], [d.spans for d in corpus])
    assert search.best_params_ == {"stat-deid__c": 0.1}
    assert search.best_estimator_.predict(corpus[0]).spans
    check_is_fitted(search.best_estimator_)


@pytest.mark.end_to_end
def test_a_search_in_other_processes_gets_the_models_back(corpus: list[Document]) -> None:
    search = GridSearchCV(
        SingleDeidentifier("stat-deid"), {"stat-deid__c": [1e-5, 0.1]}, cv=2, n_jobs=2
    )
    assert search.fit(corpus).best_params_ == {"stat-deid__c": 0.1}


def test_a_frozen_model_cleans_texts_in_a_pipeline(
    corpus: list[Document], single: Deidentifier
) -> None:
    counts = make_pipeline(FrozenEstimator(single), CountVectorizer(lowercase=False))
    counts.fit([document.text for document in corpus])
    words = set(counts[-1].get_feature_names_out())
    assert "DOCTOR" in words
    names = {d.span_text(s) for d in single.predict(corpus) for s in d.spans if s.label == "DOCTOR"}
    assert names
    assert words.isdisjoint(name for name in names if name.isalpha())


def test_tags_say_that_texts_are_taken(single: Deidentifier) -> None:
    tags = get_tags(single)
    assert tags.input_tags.string
    assert not tags.input_tags.two_d_array
    assert not tags.target_tags.required
