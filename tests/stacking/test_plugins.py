"""A plug-in works in every de-identifier, and its errors affect its document only."""

from __future__ import annotations

from pathlib import Path

import pytest

from multideid.document import Document, Span
from multideid.errors import ModelError
from multideid.stacking import (
    Deidentifier,
    FailedDocument,
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
    load_folder,
)
from multideid.taggers import registry

pytestmark = pytest.mark.usefixtures("gate")

TEXT = "Opened with B-7777 by the guard."


def make(kind: str) -> Deidentifier:
    return {
        "single": SingleDeidentifier("gate"),
        "vote": VoteDeidentifier(["mimic", "gate"], rule="any", n_jobs=1),
        "mega": MegaDeidentifier(["mimic", "gate"]),
        "multi": MultiDeidentifier(["mimic", "gate"], folds=3, n_jobs=1),
    }[kind]


@pytest.fixture(scope="module", params=["single", "vote", "mega", "multi"])
def model(request: pytest.FixtureRequest, gate: str, badges: list[Document]) -> Deidentifier:
    return make(request.param).fit(badges)


def test_phi_of_a_plug_in_is_found_under_the_label_of_the_corpus(model: Deidentifier) -> None:
    assert [s for s in model.spans(TEXT) if s.label == "KEY"] == [Span(12, 18, "KEY")]
    assert "B-7777" not in model.deidentify(TEXT)


def test_a_loaded_model_uses_the_plug_in(model: Deidentifier, tmp_path: Path) -> None:
    model.save(tmp_path / "model")
    assert load_folder(tmp_path / "model").spans(TEXT) == model.spans(TEXT)


def test_a_document_on_which_the_plug_in_fails_fails_alone_and_without_its_text(
    model: Deidentifier,
) -> None:
    good, bad = Document("good", TEXT), Document("bad", "CRASH says Mr. Garcia")
    found = list(model.predict_each([good, bad, good]))
    assert found[0] == found[2] == model.predict([good])[0]
    assert isinstance(found[1], FailedDocument)
    assert found[1].id == "bad"
    assert "'gate' failed with ValueError" in found[1].problem
    assert "Garcia" not in repr(found[1])


def test_loading_names_the_system_that_is_not_installed(
    model: Deidentifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.save(tmp_path / "model")
    monkeypatch.delitem(registry._SESSION, "gate")
    with pytest.raises(ModelError, match=r"there is no system 'gate'.*register it before") as error:
        load_folder(tmp_path / "model")
    assert "stanford" not in str(error.value)


def test_mega_of_rule_systems_only_learns_from_their_decisions(badges: list[Document]) -> None:
    assert MegaDeidentifier(["gate"]).fit(badges).spans(TEXT) == (Span(12, 18, "KEY"),)
