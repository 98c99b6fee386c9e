"""The training notes of the bundled model, and its pruning."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from template_notes import sample_corpus

from multideid.corpora import write_corpus
from multideid.document import Document
from multideid.errors import UsageError
from multideid.stacking import MultiDeidentifier, SingleDeidentifier, load_folder
from multideid.text.table import TokenTable
from pruning import prune, rounded
from recipe import FLAVOURS, training_notes


def _write(folder: Path, numbers: dict[str, int]) -> Path:
    for flavour, n in numbers.items():
        notes = [Document(f"{flavour}-{k}", "Ann", ((0, 3, "PATIENT"),)) for k in range(n)]
        (folder / flavour).mkdir(parents=True)
        write_corpus(notes, folder / flavour / "train.xml", "i2b2-2006")
    return folder


def test_each_note_of_the_flavours_is_taken_once_in_alternating_flavours(tmp_path: Path) -> None:
    corpora = _write(tmp_path, dict.fromkeys(FLAVOURS, 6))
    notes = [d.id for d in training_notes(corpora, samples=0).documents]
    assert notes == [
        "realistic-0", "shuffled-1", "ambiguous-2", "random-3", "realistic-4", "shuffled-5"
    ]  # fmt: skip


def test_a_flavour_that_is_left_out_is_not_read(tmp_path: Path) -> None:
    corpora = _write(tmp_path, dict.fromkeys(FLAVOURS[1:], 3))
    notes = training_notes(corpora, FLAVOURS[1:], samples=0).documents
    assert [d.id for d in notes] == ["shuffled-0", "ambiguous-1", "random-2"]


def test_flavours_of_different_notes_are_refused(tmp_path: Path) -> None:
    corpora = _write(tmp_path, {**dict.fromkeys(FLAVOURS, 3), "random": 2})
    with pytest.raises(UsageError, match="numbers differ"):
        training_notes(corpora, samples=0)


def test_copies_of_a_sample_note_have_other_phi_and_its_group() -> None:
    documents, groups = training_notes(None, copies=("realistic",), samples=2)
    assert [d.id for d in documents[2:]] == [f"{d.id}-copy-0" for d in documents[:2]]
    assert groups[:2] == groups[2:]
    first, copy = documents[0], documents[2]
    assert [s.label for s in copy.spans] == [s.label for s in first.spans]
    assert [copy.span_text(s) for s in copy.spans] != [first.span_text(s) for s in first.spans]


def test_weights_are_rounded_to_multiples_of_the_step() -> None:
    weights = sparse.csr_matrix(np.array([[0.1, -0.5], [0.15, 0.0], [1.0001, 0.4]], np.float32))
    kept = rounded(weights, 0.25)
    assert kept.dtype == np.float32
    assert kept.toarray().tolist() == [[0, -0.5], [0.25, 0], [1, 0.5]]
    assert kept.nnz == 4
    assert weights.nnz == 5


@pytest.mark.parametrize(("system", "step"), [("mist", 0.25), ("lbj", 2.0), ("stat-deid", 1 / 32)])
def test_a_pruned_system_is_smaller_and_finds_much_the_same(
    system: str, step: float, tmp_path: Path
) -> None:
    model = SingleDeidentifier(system).fit(sample_corpus(6))
    tagger, notes = model.taggers_[system], sample_corpus(3, seed=5)
    before, features = model.predict(notes), tagger.extractor_.n_features_
    prune(model, {system: step})
    assert tagger.extractor_.n_features_ < features
    after = model.predict(notes)
    same = sum(len({*a.spans} & {*b.spans}) for a, b in zip(before, after, strict=True))
    assert same > 0.8 * sum(len(d.spans) for d in before)
    model.save(tmp_path / "model")
    assert load_folder(tmp_path / "model").predict(notes) == after


def test_both_stages_of_a_two_stage_system_are_pruned(tmp_path: Path) -> None:
    params = {"consistency": True, "epochs": 2, "folds": 2}
    model = SingleDeidentifier("stanford", params).fit(sample_corpus(4))
    tagger, notes = model.taggers_["stanford"], sample_corpus(2, seed=5)
    tokens, features = TokenTable.from_documents(notes), tagger.extractor_.n_features_
    before = tagger.predict_scores(tokens)
    prune(model, {"stanford": 2.0**-12})
    assert tagger.predict_scores(tokens) == pytest.approx(before, rel=0.01, abs=0.05)
    prune(model, {"stanford": 0.5})
    assert tagger.extractor_.n_features_ < 0.9 * features
    assert tagger.first_.weights.shape[0] == tagger.extractor_.n_features_
    after = model.predict(notes)
    model.save(tmp_path / "model")
    assert load_folder(tmp_path / "model").predict(notes) == after


def test_embeddings_are_rounded_to_few_values_and_stay_so_when_saved(tmp_path: Path) -> None:
    params = {"epochs": 1, "embedding": 8, "hidden": 8}
    model = SingleDeidentifier("convnet", params).fit(sample_corpus(3))
    prune(model)
    embeddings = model.taggers_["convnet"].network_.embeddings
    assert max(len(np.unique(np.abs(row))) for row in embeddings) <= 3
    model.save(tmp_path / "model")
    loaded = load_folder(tmp_path / "model").taggers_["convnet"].network_
    np.testing.assert_array_equal(loaded.embeddings, embeddings)


def test_rules_stay_as_they_are() -> None:
    model = MultiDeidentifier(["mimic"], folds=2, n_jobs=1).fit(sample_corpus(2))
    found = model.predict(sample_corpus(1, seed=1))
    prune(model)
    assert model.predict(sample_corpus(1, seed=1)) == found
