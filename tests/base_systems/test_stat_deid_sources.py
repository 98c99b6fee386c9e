"""Stat-Deid with knowledge sources: used when asked for, refused when they are not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from multideid.base_systems.stat_deid import StatDeidTagger
from multideid.document import Document
from multideid.errors import DocumentError, ModelError, UsageError
from multideid.knowledge.resources import remove_resource
from multideid.scoring import scorer
from multideid.scoring.linear_part import LinearPart
from multideid.stacking import SingleDeidentifier, load_folder
from multideid.text.bio import corpus_labels, encode_bio
from multideid.text.table import TokenTable

HEART, CARDIAC = ("Heart Failure", "C14.280"), ("Cardiac Failure", "C14.280")


@pytest.fixture
def saved(add_mesh: Callable[..., str], tmp_path: Path, notes: list[Document]) -> Path:
    """Return a model that was trained with MeSH."""
    add_mesh(HEART)
    SingleDeidentifier("stat-deid", {"mesh": True}).fit(notes).save(tmp_path / "model")
    return tmp_path / "model"


def fitted(notes: list[Document], **params: Any) -> StatDeidTagger:
    tokens = TokenTable.from_documents(notes)
    labels = encode_bio(tokens, notes, corpus_labels(notes))
    return StatDeidTagger(**params).fit(tokens, labels)


def groups(tagger: StatDeidTagger) -> dict[str, int]:
    return {group: len(columns) for group, columns in tagger.extractor_.groups().items()}


def weigh_all(tagger: StatDeidTagger) -> None:
    """Give every feature a weight, so that a difference of any of them shows."""
    rng = np.random.default_rng(0)
    weights = tagger.model_.weights
    weights.data[:] = rng.normal(size=len(weights.data))


def test_no_source_is_used_unless_asked_for() -> None:
    assert StatDeidTagger().get_params() | {"syntax": "none", "mesh": False} == (
        StatDeidTagger().get_params()
    )
    assert {"mesh", "syntactic bigram"}.isdisjoint(t.group for t in StatDeidTagger().templates())


def test_mesh_headings_are_features(add_mesh: Callable[..., str], notes: list[Document]) -> None:
    add_mesh(HEART)
    assert groups(fitted(notes, mesh=True))["mesh"] > 0


@pytest.mark.usefixtures("link_grammar")
def test_syntactic_bigrams_are_features(notes: list[Document]) -> None:
    assert groups(fitted(notes, syntax="link-grammar"))["syntactic bigram"] > 0


@pytest.mark.usefixtures("link_grammar")
def test_compiled_scores_are_those_of_the_features(
    add_mesh: Callable[..., str], monkeypatch: pytest.MonkeyPatch, notes: list[Document]
) -> None:
    add_mesh(HEART)
    tagger = fitted(notes, syntax="link-grammar", mesh=True)
    weigh_all(tagger)
    tokens = TokenTable.from_texts([d.text for d in notes] + ["", "He had heart failure."])
    wanted = tagger.score_by_features(tokens)
    monkeypatch.setattr(scorer, "COMPILE_AFTER", 0)
    part = tagger.linear_part()
    assert isinstance(part, LinearPart)
    assert tagger.predict_scores(tokens) == pytest.approx(wanted, abs=1e-5)


def test_a_model_with_mesh_comes_back_the_same(saved: Path, notes: list[Document]) -> None:
    model = load_folder(saved)
    assert model.predict(notes) == notes
    tagger = model.taggers_["stat-deid"]
    assert isinstance(tagger, StatDeidTagger)
    assert set(tagger.sources_) == {"mesh"}


def test_a_model_without_its_mesh_names_the_command(saved: Path, notes: list[Document]) -> None:
    model = load_folder(saved)
    remove_resource("mesh")
    with pytest.raises(ModelError, match="multideid resources add mesh FILE"):
        load_folder(saved)
    with pytest.raises(UsageError, match="multideid resources add mesh FILE"):
        model.taggers_["stat-deid"].predict_scores(TokenTable.from_documents(notes))
    with pytest.raises(DocumentError, match="document 'n0': failed"):
        model.predict(notes)


def test_a_model_with_another_mesh_is_refused(
    saved: Path, add_mesh: Callable[..., str], notes: list[Document]
) -> None:
    model = load_folder(saved)
    add_mesh(CARDIAC)
    with pytest.raises(ModelError, match="trained with another source: mesh has fingerprint"):
        load_folder(saved)
    with pytest.raises(UsageError, match="add the same files"):
        model.taggers_["stat-deid"].predict_scores(TokenTable.from_documents(notes))


def test_training_without_the_source_is_refused(
    add_mesh: Callable[..., str], monkeypatch: pytest.MonkeyPatch, notes: list[Document]
) -> None:
    with pytest.raises(UsageError, match="multideid resources add mesh FILE"):
        fitted(notes, mesh=True)
    with pytest.raises(UsageError, match="syntax must be one of none, link-grammar; got 'penn'"):
        fitted(notes, syntax="penn")


def test_a_wrong_value_is_told_before_any_source_is_asked_for(notes: list[Document]) -> None:
    tagger = fitted(notes)
    tagger.mesh = "yes"  # type: ignore[assignment]
    tokens = TokenTable.from_documents(notes)
    with pytest.raises(UsageError, match="mesh must be true or false; got 'yes'"):
        tagger.fit(tokens, encode_bio(tokens, notes, corpus_labels(notes)))
    assert tagger.sources_ == {}
