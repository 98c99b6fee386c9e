"""The bundled models by name."""

from __future__ import annotations

from pathlib import Path

import pytest

import multideid
from multideid.errors import ModelError
from multideid.models import bundled, bundled_models, find_model


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pretend that two models are bundled."""
    folder = tmp_path / "bundled"
    for name in ("xx-one", "xx-two"):
        (folder / name).mkdir(parents=True)
        (folder / name / "manifest.json").write_text("{}")
    (folder / "no-model").mkdir()
    monkeypatch.setattr(bundled, "_PLACE", folder)
    return folder


def test_models_are_folders_with_a_manifest(place: Path) -> None:
    assert [model.name for model in bundled_models()] == ["xx-one", "xx-two"]


def test_a_name_finds_its_folder(place: Path) -> None:
    assert find_model("xx-two") == place / "xx-two"


def test_card_is_next_to_its_model(place: Path) -> None:
    assert bundled_models()[0].card == place / "xx-one.md"


def test_size_is_that_of_all_files(place: Path) -> None:
    (place / "xx-one" / "more").mkdir()
    (place / "xx-one" / "more" / "a.npz").write_bytes(b"123")
    assert bundled_models()[0].size == 5


def test_a_path_is_no_name(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "xx-one").mkdir()
    assert find_model("./xx-one") == Path("xx-one")
    assert find_model(Path("xx-one")) == Path("xx-one")
    assert find_model("xx-one") == place / "xx-one"


def test_missing_model_is_refused_with_the_known_names(place: Path) -> None:
    with pytest.raises(ModelError, match=r"nor a bundled model \(there are: xx-one, xx-two\)"):
        find_model("xx-three")


def test_load_reads_names_and_paths_and_checks_both(place: Path) -> None:
    for model in ("xx-one", place / "xx-one"):
        with pytest.raises(ModelError, match="not a multideid model"):
            multideid.load(model)
