"""A plug-in takes its place in an ensemble, and its faults stay its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from multideid import registry
from multideid.document import Document, Span
from multideid.errors import ModelError
from multideid.registry import register
from multideid.samples import sample_corpus
from multideid.stacking import (
    CommitteeDeidentifier,
    Deidentifier,
    FailedDocument,
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    load,
)


class Gate:
    """Badge numbers such as B-1234."""

    name = "gate"

    def tag(self, document: Document) -> list[Span]:
        if "CRASH" in document.text:
            raise ValueError(document.text)
        return [Span(*m.span(), "BADGE") for m in re.finditer(r"B-[0-9]{4}", document.text)]


TEXT = "Opened with B-7777 by the guard."


def make(kind: str) -> Deidentifier:
    return {
        "single": SingleDeidentifier("gate"),
        "vote": CommitteeDeidentifier(["mimic", "gate"], rule="any", n_jobs=1),
        "mega": MegaDeidentifier(["mimic", "gate"]),
        "multi": MultiDeidentifier(["mimic", "gate"], folds=3, n_jobs=1),
        "two processes": MultiDeidentifier(["mimic", "gate"], folds=3, n_jobs=2),
    }[kind]


@pytest.fixture(scope="module")
def badges() -> list[Document]:
    """Return notes that each name a badge, under a label of the corpus's own."""
    notes = []
    for n, document in enumerate(sample_corpus(9, seed=8)):
        text = f"{document.text}\nDoor opened with B-{1000 + 7 * n} at night.\n"
        start = text.index("B-", len(document.text))
        notes.append(Document(document.id, text, (*document.spans, Span(start, start + 6, "KEY"))))
    return notes


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    register(Gate)
    yield
    registry._SESSION.pop("gate")


@pytest.fixture(scope="module", params=["single", "vote", "mega", "multi", "two processes"])
def model(request: pytest.FixtureRequest, badges: list[Document]) -> Deidentifier:
    return make(request.param).fit(badges)


def test_its_phi_is_found_under_the_corpus_label(model: Deidentifier) -> None:
    assert [s for s in model.spans(TEXT) if s.label == "KEY"] == [Span(12, 18, "KEY")]
    assert "B-7777" not in model.deidentify(TEXT)


def test_a_loaded_model_has_it_again(model: Deidentifier, tmp_path: Path) -> None:
    model.save(tmp_path / "model")
    assert load(tmp_path / "model").spans(TEXT) == model.spans(TEXT)


def test_a_document_that_it_fails_on_fails_alone_and_closed(model: Deidentifier) -> None:
    good, bad = Document("good", TEXT), Document("bad", "CRASH says Mr. Garcia")
    found = list(model.predict_each([good, bad, good]))
    assert found[0] == found[2] == model.predict([good])[0]
    assert isinstance(found[1], FailedDocument)
    assert found[1].id == "bad"
    assert "'gate' failed with ValueError" in found[1].problem
    assert "Garcia" not in repr(found[1])


def test_a_model_says_which_system_is_not_installed(
    model: Deidentifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.save(tmp_path / "model")
    monkeypatch.delitem(registry._SESSION, "gate")
    with pytest.raises(ModelError, match="there is no system 'gate'"):
        load(tmp_path / "model")


def test_mega_of_rules_alone_learns_from_their_decisions(badges: list[Document]) -> None:
    assert MegaDeidentifier(["gate"]).fit(badges).spans(TEXT) == (Span(12, 18, "KEY"),)
