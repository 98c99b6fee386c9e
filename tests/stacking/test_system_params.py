"""Parameters of base systems are checked before any fit, passed on, and saved."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from compared_systems import fit_systems

from multideid.document import Document, Span
from multideid.errors import ModelError, UsageError
from multideid.knowledge import sources
from multideid.knowledge.resources import remove_resource
from multideid.stacking import (
    Deidentifier,
    FailedDocument,
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
    load_folder,
)
from multideid.stacking.folds import document_folds
from multideid.stacking.out_of_fold import fit_out_of_fold
from multideid.taggers import registry
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable

SYSTEMS = {"stat-deid": {"min_count": 1, "c": 0.5}, "mimic": {}}
HEART, CARDIAC = ("Heart Failure", "C14.280"), ("Cardiac Failure", "C14.280")
WITH_MESH = {"stat-deid": {"mesh": True}, "majority": {}}


def make(kind: str, systems: Mapping[str, Mapping[str, Any]]) -> Deidentifier:
    if kind == "multi":
        return MultiDeidentifier(systems, folds=2, n_jobs=1)
    if kind == "mega":
        return MegaDeidentifier(systems)
    return VoteDeidentifier(systems, rule="any", n_jobs=1)


KINDS = pytest.mark.parametrize("kind", ["multi", "mega", "vote"])


@KINDS
def test_parameters_are_passed_to_the_systems_and_saved(
    kind: str, tmp_path: Path, notes: list[Document]
) -> None:
    systems = MappingProxyType({name: MappingProxyType(p) for name, p in SYSTEMS.items()})
    model = make(kind, systems).fit(notes)
    model.save(tmp_path / "model")
    loaded = load_folder(tmp_path / "model")
    assert loaded.get_params()["systems"] == SYSTEMS
    assert list(loaded.get_params()["systems"]) == list(SYSTEMS)
    assert loaded.predict(notes) == model.predict(notes)
    if kind != "mega":
        for tagger in (model.taggers_["stat-deid"], loaded.taggers_["stat-deid"]):
            assert tagger.get_params() | SYSTEMS["stat-deid"] == tagger.get_params()


def test_a_model_with_numbers_of_numpy_is_saved(tmp_path: Path, notes: list[Document]) -> None:
    model = MultiDeidentifier(
        {"stat-deid": {"min_count": np.int64(1)}, "mimic": {}}, folds=np.int64(2),  # type: ignore[arg-type]
        c=np.float32(0.5), seed=np.int64(3), span_choice=np.True_, n_jobs=1,  # type: ignore[arg-type]
    )  # fmt: skip
    model.set_params(**{"stat-deid__c": np.float64(0.5)}).fit(notes).save(tmp_path / "model")
    loaded = load_folder(tmp_path / "model")
    assert loaded.predict(notes) == model.predict(notes)
    kept = loaded.get_params()
    assert [kept["folds"], kept["seed"], kept["span_choice"], kept["c"]] == [2, 3, True, 0.5]
    assert loaded.get_params()["systems"]["stat-deid"] == {"min_count": 1, "c": 0.5}


class Names:
    """Finds names in documents that begin with a letter from `first` on."""

    name, summary = "names", "Some names."

    def __init__(self, first: str = "Z") -> None:
        self.first = first

    def tag(self, document: Document) -> list[Span]:
        found = re.finditer(r"[A-Z][a-z]{3,}", document.text)
        return [Span(*m.span(), "NAME") for m in found if self.first <= document.text[0]]


def test_every_fold_is_fitted_with_the_parameters(
    monkeypatch: pytest.MonkeyPatch, notes: list[Document]
) -> None:
    monkeypatch.setattr(registry, "_SESSION", {"names": Names})
    tokens = TokenTable.from_documents(notes)
    labels = encode_bio(tokens, notes)
    fold = document_folds(len(notes), 3, seed=0)
    found = [
        fit_out_of_fold({"names": {"first": first}}, tokens, labels, fold, n_jobs=1)[1].scores[0]
        for first in ("A", "Z")
    ]
    assert np.array_equal(found[0].argmax(axis=1), labels.ids)
    assert not found[1].argmax(axis=1).any()


def test_names_and_names_with_empty_parameters_give_the_same_model(
    notes: list[Document],
) -> None:
    mapped = make("mega", {"stat-deid": {}}).fit(notes)
    named = MegaDeidentifier(["stat-deid"]).fit(notes)
    assert (mapped.model_.weights != named.model_.weights).nnz == 0  # type: ignore[attr-defined]


def test_the_constructor_only_stores_its_parameters() -> None:
    wrong = {"stat-deid": {"mesh": "yes"}}
    for kind in ("multi", "mega", "vote"):
        assert make(kind, wrong).get_params()["systems"] is wrong


def test_compared_systems_have_their_parameters(notes: list[Document]) -> None:
    models = fit_systems(notes, SYSTEMS)
    assert models["stat-deid"].get_params()["params"] == SYSTEMS["stat-deid"]
    assert models["mimic"].get_params()["params"] is None
    assert models["mega"].get_params()["systems"] == SYSTEMS


@KINDS
@pytest.mark.parametrize(
    ("systems", "problem"),
    [
        ({}, "at least one"),
        ({"mimic": None}, "system 'mimic': parameters must be a mapping; got None"),
        ({"mimic": ["c"]}, "system 'mimic': parameters must be a mapping"),
        ({"mimic": {1: 2}}, "system 'mimic': parameters must have names; got 1"),
        ({"mimik": {}}, "did you mean 'mimic'"),
        ({3: {}}, "must be a list of names; got 3"),
        ({"stat-deid": {"d": 1}}, "system 'stat-deid' has no parameter 'd'; it has: c, pos_tagger"),
        ({"stat-deid": {"mesh": "yes"}}, "'stat-deid': mesh must be true or false; got 'yes'"),
        ({"stat-deid": {"c": -1}}, "'stat-deid': c must be above 0; got -1"),
    ],
)
def test_invalid_systems_are_named(
    kind: str, systems: Any, problem: str, notes: list[Document]
) -> None:
    with pytest.raises(UsageError, match=problem):
        make(kind, systems).fit(notes)


@pytest.mark.usefixtures("add_mesh")
@KINDS
def test_a_missing_source_is_reported_before_any_fit(kind: str, notes: list[Document]) -> None:
    calls: list[object] = []
    model = make(kind, {"majority": {}, "stat-deid": {"mesh": True}})
    model.progress = lambda *call: calls.append(call)  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match="system 'stat-deid': mesh was not added here"):
        model.fit(notes)
    assert calls == []


@KINDS
def test_a_model_with_mesh_loads_with_the_same_mesh_only(
    kind: str, add_mesh: Callable[..., str], tmp_path: Path, notes: list[Document]
) -> None:
    add_mesh(HEART)
    model = make(kind, WITH_MESH).fit(notes)
    model.save(tmp_path / "model")
    assert load_folder(tmp_path / "model").predict(notes) == model.predict(notes)
    add_mesh(CARDIAC)
    with pytest.raises(ModelError, match="trained with another source: mesh has fingerprint"):
        load_folder(tmp_path / "model")
    remove_resource("mesh")
    with pytest.raises(ModelError, match="multideid resources add mesh FILE"):
        load_folder(tmp_path / "model")


@KINDS
def test_documents_fail_if_the_source_changes_after_loading(
    kind: str, add_mesh: Callable[..., str], notes: list[Document]
) -> None:
    add_mesh(HEART)
    model = make(kind, WITH_MESH).fit(notes)
    add_mesh(CARDIAC)
    assert all(isinstance(found, FailedDocument) for found in model.predict_each(notes))


def test_mega_needs_no_source_of_unused_feature_classes(
    add_mesh: Callable[..., str], tmp_path: Path, notes: list[Document]
) -> None:
    add_mesh(HEART)
    classes = ("word", "capitals")
    model = MegaDeidentifier({"stat-deid": {"mesh": True}}, feature_classes=classes).fit(notes)
    add_mesh(CARDIAC)
    model.save(tmp_path / "model")
    assert load_folder(tmp_path / "model").predict(notes) == model.predict(notes)


def test_another_version_of_the_parser_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources.link_grammar, "version", lambda: "5.9.9")
    with pytest.raises(UsageError, match=r"Link Grammar 5\.0\.0, but 5\.9\.9 is installed"):
        sources.check_sources({"link-grammar": "5.0.0"})


@pytest.mark.usefixtures("link_grammar")
def test_mega_records_that_it_uses_the_parser(tmp_path: Path, notes: list[Document]) -> None:
    model = MegaDeidentifier({"stat-deid": {"syntax": "link-grammar"}}).fit(notes)
    assert set(model.sources_) == {"link-grammar"}
    model.save(tmp_path / "model")
    assert load_folder(tmp_path / "model").predict(notes) == model.predict(notes)


def test_an_error_in_training_names_the_system(tmp_path: Path, notes: list[Document]) -> None:
    pipeline = f"spacy:{tmp_path / 'nowhere'}"
    with pytest.raises(UsageError, match="system 'stat-deid': "):
        make("vote", {"stat-deid": {"pos_tagger": pipeline}}).fit(notes)


def test_parameters_of_a_single_system_are_checked(notes: list[Document]) -> None:
    with pytest.raises(
        UsageError, match=r"'mist': feature_dropout must be 0 or more and below 1; got 1\.5"
    ):
        SingleDeidentifier("mist", {"feature_dropout": 1.5}).fit(notes)


def test_defaults_of_a_span_plug_in_are_shown_and_stored(
    notes: list[Document], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Par:
        def __init__(self, digits: int = 6) -> None:
            self.digits = digits

        def tag(self, document: Document) -> list[Span]:
            return []

    monkeypatch.setitem(registry._SESSION, "par", Par)
    model = VoteDeidentifier(["mimic", "par"], n_jobs=1)
    assert model.get_params()["par__digits"] == 6
    model.fit(notes).save(tmp_path / "model")
    manifest = json.loads((tmp_path / "model" / "manifest.json").read_text())
    assert {"name": "par", "params": {"digits": 6}} in manifest["systems"]
