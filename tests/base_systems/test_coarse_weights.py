"""Weights rounded to few values, for a small model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from template_notes import sample_corpus

from multideid.errors import UsageError
from multideid.scoring.sparse_weights import quantize
from multideid.stacking import SingleDeidentifier, load_folder

_TWO_CRFS = {"consistency": True, "epochs": 2, "folds": 2}


def test_weights_are_rounded_to_multiples_of_the_step() -> None:
    weights = sparse.csr_matrix(np.array([[0.1, -0.5], [0.15, 0.0], [1.0001, 0.4]], np.float32))
    kept = quantize(weights, step=0.25)
    assert kept.dtype == np.float32
    assert kept.toarray().tolist() == [[0, -0.5], [0.25, 0], [1, 0.5]]
    assert kept.nnz == 4
    assert weights.nnz == 5


@pytest.mark.parametrize(
    ("system", "params", "step"),
    [
        ("mist", {}, 0.25),
        ("lbj", {"epochs": 4}, 2.0),
        ("stat-deid", {}, 1 / 32),
        ("stanford", _TWO_CRFS, 1 / 8),
    ],
)
def test_a_system_with_coarse_weights_is_smaller_and_finds_much_the_same(
    system: str, params: dict[str, Any], step: float, tmp_path: Path
) -> None:
    fine = SingleDeidentifier(system, params).fit(sample_corpus(6))
    coarse = SingleDeidentifier(system, {**params, "weight_step": step}).fit(sample_corpus(6))
    features = [m.taggers_[system].extractor_.n_features_ for m in (coarse, fine)]
    assert features[0] < features[1]
    notes = sample_corpus(3, seed=5)
    before, after = fine.predict(notes), coarse.predict(notes)
    same = sum(len({*a.spans} & {*b.spans}) for a, b in zip(before, after, strict=True))
    assert same > 0.8 * sum(len(d.spans) for d in before)
    coarse.save(tmp_path / "model")
    assert load_folder(tmp_path / "model").predict(notes) == after


def test_weights_of_decisions_of_the_first_stage_stay_fine() -> None:
    params = {"epochs": 2, "weight_step": 4.0}
    tagger = SingleDeidentifier("lbj", params).fit(sample_corpus(4)).taggers_["lbj"]
    n = tagger.extractor_.n_features_
    assert not (tagger.two_.weights[:n].data % 4).any()
    assert (tagger.two_.weights[n:].data % 4).any()


def test_embeddings_have_few_values_and_stay_so_when_saved(tmp_path: Path) -> None:
    params = {"epochs": 1, "embedding_dim": 8, "hidden_dim": 8, "levels": 2}
    model = SingleDeidentifier("convnet", params).fit(sample_corpus(3))
    embeddings = model.taggers_["convnet"].network_.embeddings
    assert max(len(np.unique(np.abs(row))) for row in embeddings) <= 3
    model.save(tmp_path / "model")
    loaded = load_folder(tmp_path / "model").taggers_["convnet"].network_
    np.testing.assert_array_equal(loaded.embeddings, embeddings)


@pytest.mark.parametrize(
    ("system", "params"),
    [("mist", {"weight_step": 0.3}), ("lbj", {"weight_step": -1.0}), ("convnet", {"levels": 128})],
)
def test_steps_that_would_not_be_exact_are_refused(system: str, params: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=next(iter(params))):
        SingleDeidentifier(system, params).fit(sample_corpus(1))
