"""Systems outside the default set work in Multi and Mega."""

from __future__ import annotations

from pathlib import Path

import pytest
from template_notes import sample_corpus

import multideid
from multideid.document import Document
from multideid.stacking.out_of_fold import DEFAULT_SYSTEMS

OTHERS = (
    "heuristic-dictionary", "identifinder", "majority", "presidio", "snow", "szarvas", "tree",
)  # fmt: skip


@pytest.fixture(scope="module")
def corpus() -> list[Document]:
    return sample_corpus(5)


def test_other_systems_are_not_in_the_default_set() -> None:
    assert not set(OTHERS) & set(DEFAULT_SYSTEMS)


def test_multi_of_other_systems_predicts_the_same_after_loading(
    corpus: list[Document], tmp_path: Path
) -> None:
    # Three fits of Szarvas's trees take longer than all others; other tests cover them.
    systems = [name for name in OTHERS if name != "szarvas"]
    model = multideid.MultiDeidentifier(systems=systems, folds=2, n_jobs=1).fit(corpus)
    assert list(model.trust_.columns) == systems
    assert_same_after_loading(model, corpus, tmp_path / "model")


def test_mega_of_other_systems_predicts_the_same_after_loading(
    corpus: list[Document], tmp_path: Path
) -> None:
    model = multideid.MegaDeidentifier(systems=OTHERS).fit(corpus)
    assert_same_after_loading(model, corpus, tmp_path / "model")


def assert_same_after_loading(
    model: multideid.MultiDeidentifier | multideid.MegaDeidentifier,
    corpus: list[Document],
    folder: Path,
) -> None:
    model.save(folder)
    loaded = multideid.load(folder)
    texts = [document.text for document in corpus[:3]]
    found = [model.spans(text) for text in texts]
    assert all(found)
    assert [loaded.spans(text) for text in texts] == found
