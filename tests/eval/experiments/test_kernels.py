"""SVMs with three kernels on some documents."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.svm import SVC

from multideid.errors import UsageError
from multideid.eval.experiments import Setup, kernels
from multideid.eval.experiments.corpora import Data
from multideid.eval.experiments.kernels import KernelSpec
from multideid.features.extractor import FeatureExtractor
from multideid.taggers.registry import make_system


def test_every_kernel_is_measured_on_all_test_documents(corpus, setup) -> None:
    small = replace(corpus, test=corpus.test[:1])
    found = kernels([small], setup, documents=1)
    assert [s.kernel for s in found["scores"]] == ["linear", "quadratic", "gaussian"]
    assert {s.documents for s in found["scores"]} == {1}
    assert len({s.phi.gold for s in found["scores"]}) == 1
    for score in found["scores"]:
        assert score.phi.f1 > 0.5
        assert score.support_vectors > 0
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()
    assert str(found.sources[0]) in found.to_text()


def test_quadratic_kernel_is_libsvms_of_degree_two(corpus) -> None:
    data = Data.of(corpus.train[:1], corpus.test[:1])
    tokens, labels = data.part(data.train)
    held = data.tokens.select(data.test)
    tagger = make_system("stat-deid")
    found = KernelSpec(tagger, "quadratic", 1.0).run(tokens, labels, held)
    extractor = FeatureExtractor(tagger.templates(), min_count=2).fit(tokens)
    svm = SVC(kernel="poly", degree=2, coef0=1.0).fit(extractor.transform(tokens), labels.ids > 0)
    assert np.array_equal(found["phi"], svm.predict(extractor.transform(held)))


def test_drawn_documents_without_phi_are_noted(corpus, setup) -> None:
    bare = tuple(d.with_spans([]) for d in corpus.train[:4])
    odd = replace(corpus, train=(*bare, corpus.train[4]), test=corpus.test[:1])
    seed = next(s for s in range(20) if np.random.default_rng(s).permutation(5)[0] != 4)
    found = kernels([odd], replace(setup, seed=seed), documents=1)
    assert {s.phi.predicted for s in found["scores"]} == {0}
    assert any("no PHI" in note for note in found.notes)


def test_parameters_of_the_features_change_the_figures_and_signature(corpus, setup) -> None:
    small = replace(corpus, train=corpus.train[:1], test=corpus.test[:1])
    given = [{}, {"stat-deid": {"min_count": 2}}, {"stat-deid": {"min_count": 30}}]
    bare, default, other = (
        kernels([small], replace(setup, params=params), documents=1) for params in given
    )
    assert other.sources[0].signature.params == given[-1]
    figures = [[(s.phi, s.support_vectors) for s in x["scores"]] for x in (bare, default, other)]
    assert figures[0] == figures[1]
    assert all(one != another for one, another in zip(figures[0], figures[2], strict=True))


@pytest.mark.parametrize("idle", ["c", "seed"])
def test_parameter_that_would_change_nothing_is_refused(corpus, setup, idle) -> None:
    asked = replace(setup, params={"stat-deid": {"min_count": 3, idle: 3}})
    with pytest.raises(UsageError, match=f"system 'stat-deid': {idle} has no effect"):
        kernels([corpus], asked, documents=1)


@pytest.mark.parametrize("wrong", [{"documents": 0}, {"c": 0.0}, {"c": float("nan")}])
def test_invalid_numbers_are_refused(corpus, setup, wrong) -> None:
    with pytest.raises(UsageError, match="above 0"):
        kernels([corpus], setup, **wrong)


def test_plugin_without_features_of_the_systems_name_is_refused(corpus, setup, monkeypatch) -> None:
    monkeypatch.setattr(Setup, "tagger", lambda *_: make_system("dates"))
    with pytest.raises(UsageError, match="features of stat-deid; the system of that name here has"):
        kernels([corpus], setup, documents=1)
