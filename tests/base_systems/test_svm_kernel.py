"""The two-way SVM says whether a token is PHI, the linear one which PHI it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from template_notes import sample_corpus

import multideid
from multideid.arrays import FloatArray
from multideid.base_systems.svm_kernel import SvmKernelTagger
from multideid.base_systems.svm_kernel.kernel_svm import KernelModel
from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.learners.svm import LinearModel
from multideid.taggers.registry import make_system
from multideid.testing import check_tagger
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable

CORPUS = sample_corpus(2)
TOKENS = TokenTable.from_documents(CORPUS)
LABELS = encode_bio(TOKENS, CORPUS)
NOTES = [
    Document(f"n{n}", f"Seen by Dr. Lee\non 3/{n}.\n", (Span(12, 15, "WHO"), Span(19, 22, "WHEN")))
    for n in range(1, 7)
]


def fitted(**params: Any) -> tuple[SvmKernelTagger, FloatArray]:
    tagger = SvmKernelTagger(**{"max_tokens": 800} | params).fit(TOKENS, LABELS)
    return tagger, tagger.predict_scores(TOKENS)


@pytest.mark.parametrize("kernel", ["linear", "quadratic"])
def test_every_kernel_keeps_the_contract(kernel: str) -> None:
    check_tagger(SvmKernelTagger(kernel=kernel, n_components=30))


@pytest.mark.parametrize(
    "params", [{}, {"kernel": "gaussian"}, {"kernel": "gaussian", "n_components": 200}]
)
def test_it_learns_phi_and_its_labels(params: dict[str, Any]) -> None:
    _, scores = fitted(**params)
    assert (scores.argmax(axis=1) == LABELS.ids).mean() > 0.95


def test_the_two_way_margin_decides_between_phi_and_the_rest() -> None:
    tagger, scores = fitted(kernel="gaussian")
    features = tagger.extractor_.transform(TOKENS)
    assert isinstance(tagger.two_way_, KernelModel)
    margins = tagger.two_way_.margins(features)
    np.testing.assert_allclose(scores[:, 1:].max(axis=1), margins, atol=1e-4)
    assert (scores[:, 0] == 0).all()
    types = tagger.types_.scores(features)[:, 1:]
    assert (types.argmax(axis=1) == scores[:, 1:].argmax(axis=1)).all()


def test_it_has_the_features_of_stat_deid() -> None:
    expected = [t.name for t in make_system("stat-deid").templates()]  # type: ignore[attr-defined]
    assert [t.name for t in SvmKernelTagger().templates()] == expected


def test_few_tokens_are_kept_of_a_large_corpus() -> None:
    tagger, _ = fitted(kernel="gaussian", max_tokens=200, n_components=50)
    assert isinstance(tagger.two_way_, KernelModel)
    assert tagger.two_way_.vectors.shape[0] == 50


@pytest.mark.parametrize("kind", [multideid.MultiDeidentifier, multideid.MegaDeidentifier])
def test_it_serves_in_an_ensemble(kind: Any, tmp_path: Path) -> None:
    folds = {"folds": 2, "n_jobs": 1} if kind is multideid.MultiDeidentifier else {}
    model = kind(systems=("majority", "spacy", "svm-kernel"), **folds).fit(NOTES)
    model.save(tmp_path / "model")
    found = model.spans(NOTES[0].text)
    assert found
    assert multideid.load(tmp_path / "model").spans(NOTES[0].text) == found


def test_a_linear_kernel_keeps_weights_alone(tmp_path: Path) -> None:
    tagger, scores = fitted(kernel="linear")
    tagger.save(tmp_path)
    loaded = SvmKernelTagger.load(tmp_path)
    assert isinstance(loaded.two_way_, LinearModel)
    np.testing.assert_array_equal(loaded.predict_scores(TOKENS), scores)


def test_a_corpus_without_labels_can_be_fitted() -> None:
    none = TokenLabels(np.zeros(len(TOKENS), dtype=np.int32), ("O",))
    scores = SvmKernelTagger().fit(TOKENS, none).predict_scores(TOKENS)
    assert scores.shape == (len(TOKENS), 1)
    assert np.isfinite(scores).all()


@pytest.mark.parametrize(
    ("params", "problem"),
    [
        ({"kernel": "cubic"}, "one of linear, quadratic, gaussian; got 'cubic'"),
        ({"max_tokens": 0}, "max_tokens must be above 0; got 0"),
        ({"n_components": -1}, "n_components must be 0 or more; got -1"),
    ],
)
def test_odd_parameters_are_refused(params: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        make_system("svm-kernel", **params)
