"""Every array of every system's model is checked when it is loaded, and no other one is indexed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from multideid.errors import ModelError
from multideid.persistence import (
    load_arrays,
    load_json,
    load_strings,
    save_arrays,
    save_json,
    save_strings,
)
from multideid.samples import sample_corpus
from multideid.stacking import MegaDeidentifier, MultiDeidentifier, SingleDeidentifier, load_folder

SYSTEMS: dict[str, dict[str, Any]] = {
    "identifinder": {},
    "lbj": {"epochs": 1},
    "convnet": {"epochs": 1, "embedding_dim": 8, "hidden_dim": 8, "transitions": True},
    "majority": {},
    "mist": {"epochs": 1},
    "snow": {"epochs": 1},
    "stanford": {"epochs": 1, "consistency": True},
    "stat-deid": {},
    "svm-kernel": {"kernel": "gaussian"},
    "szarvas": {"rounds": 2},
    "tree": {},
}
COMBINED = {
    "multi": lambda: MultiDeidentifier(["mist", "mimic"], folds=2, augmentation=False, n_jobs=1),
    "mega": lambda: MegaDeidentifier(["mist", "mimic"]),
}


@pytest.fixture(scope="module", params=[*SYSTEMS, *COMBINED])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved model, whose checksums are not looked at."""
    name = request.param
    made = COMBINED[name]() if name in COMBINED else SingleDeidentifier(name, SYSTEMS[name])
    folder = tmp_path_factory.mktemp("models") / name
    made.fit(sample_corpus(2)).save(folder)
    return folder


@pytest.fixture(autouse=True)
def _checksums_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("multideid.persistence.manifest._check_files", lambda *_: None)


def _arrays(model: Path) -> Iterator[tuple[Path, str, np.ndarray]]:
    for path in sorted(model.rglob("*.npz")):
        # The many arrays of features and values are all read alike.
        if "-strings" not in path.name and "templates" not in path.name:
            for name, array in load_arrays(path).items():
                if not name.startswith(("keys_", "values_")) or name.endswith("_0"):
                    yield path, name, array


def _accepted(model: Path, path: Path, name: str, changed: np.ndarray) -> bool:
    """Whether the model loads with another array, put back afterwards; refusals name the file."""
    before = path.read_bytes()
    save_arrays(path.parent, path.stem, **{**load_arrays(path), name: changed})
    try:
        load_folder(model)
    except ModelError as error:
        refusal = str(error)
    else:
        return True
    finally:
        path.write_bytes(before)
    assert path.name in refusal
    return False


def _flat(array: np.ndarray, value: Any) -> np.ndarray:
    changed = array.copy()
    changed.reshape(-1)[-1] = value
    return changed


def test_floats_that_are_not_finite_are_refused(model: Path) -> None:
    for path, name, array in _arrays(model):
        for value in (np.nan, -np.inf):
            if array.dtype.kind == "f" and array.size:
                assert not _accepted(model, path, name, _flat(array, value)), (path.name, name)


def test_another_length_type_or_number_of_dimensions_is_refused(model: Path) -> None:
    for path, name, array in _arrays(model):
        other = np.float32 if array.dtype == np.float16 else np.float16
        changes = [array[None], np.zeros(array.shape, other)]
        # A feature fewer disagrees with the weights only; any number of trees, and of columns
        # for these, is possible.
        if array.ndim and len(array) and name not in {"keys_0", "values_0", "roots", "columns"}:
            changes.append(array[:-1])
        for changed in changes:
            assert not _accepted(model, path, name, changed), (path.name, name, changed.shape)


def test_a_feature_fewer_is_refused_with_the_name_of_the_weights(model: Path) -> None:
    for path, name, array in _arrays(model):
        if name.startswith("keys_") and len(array):
            save_arrays(path.parent, path.stem, **{**load_arrays(path), name: array[:-1]})
            with pytest.raises(ModelError):
                load_folder(model)
            save_arrays(path.parent, path.stem, **{**load_arrays(path), name: array})
            load_folder(model)
            return


def _any_number(name: str) -> bool:
    """Whether an array of whole numbers is bounded on one side only, or not at all."""
    return name.startswith("keys_") or name.endswith("counts") or name == "embeddings"


@pytest.mark.parametrize("value", [-2, 2**31 - 1])
def test_whole_numbers_out_of_bounds_are_refused(model: Path, value: int) -> None:
    for path, name, array in _arrays(model):
        if array.dtype.kind == "i" and array.size and not _any_number(name):
            inner = _inner_nodes(path, name)
            changed = array.copy()
            changed.reshape(-1)[inner[-1] if inner is not None else -1] = (
                value if array.dtype != np.int16 else np.clip(value, -2, 2**15 - 1)
            )
            assert not _accepted(model, path, name, changed), (path.name, name)


def _inner_nodes(path: Path, name: str) -> np.ndarray | None:
    """Return the nodes of a tree that have next ones, if the array holds these."""
    if name not in {"left", "right", "absent", "present"}:
        return None
    return np.flatnonzero(load_arrays(path)["feature"] >= 0)


@pytest.mark.parametrize("name", ["tree", "szarvas"])
def test_trees_without_end_are_refused(name: str, tmp_path: Path) -> None:
    SingleDeidentifier(name, SYSTEMS[name]).fit(sample_corpus(5)).save(tmp_path / "model")
    for path, part, array in _arrays(tmp_path / "model"):
        inner = _inner_nodes(path, part)
        if inner is not None and len(inner):
            changed = array.copy()
            changed[inner[-1]] = inner[0]
            assert not _accepted(tmp_path / "model", path, part, changed)


def test_sparse_weights_with_bounds_that_fall_are_refused(model: Path) -> None:
    for path, name, array in _arrays(model):
        if name == "indptr" and len(array) > 2 and array[-1]:
            for changed in (_flat(array, 0), np.sort(array)[::-1], array + 1):
                assert not _accepted(model, path, name, changed), path.name


def test_two_equal_values_of_views_are_refused(model: Path) -> None:
    path = next(iter(sorted(model.rglob("*-strings.npz"))), None)
    if path is None:
        pytest.skip("it has no vocabularies")
    before = path.read_bytes()
    values = load_strings(path)
    save_strings(path.parent, path.stem, [*values, values[0]])
    with pytest.raises(ModelError, match=path.name):
        load_folder(model)
    path.write_bytes(before)


@pytest.mark.parametrize(
    ("file", "place", "value"),
    [
        ("multi", ("offsets", 0), None),
        ("multi", ("offsets",), None),
        ("multi", ("offsets", 0), -1),
        ("multi", ("operating_points", "high"), [0.5]),
        ("multi", ("operating_points", "high", 0), "1"),
        ("multi", ("trust", 0), []),
        ("multi", ("trust",), []),
        ("stacker", ("normalisations", 0), [1, 1]),
        ("stacker", ("normalisations", 0), [None, 1]),
        ("stacker", ("normalisations",), []),
        ("systems/mist/tagger", ("labels", 0), None),
        ("systems/mist/tagger", ("labels",), "O"),
        ("systems/mist/tagger", ("params", "epochs"), None),
        ("systems/mist/tagger", ("params", "min_count"), -1),
        ("systems/mimic/mimic", ("mapping", "labels"), None),
    ],
)
def test_json_of_the_wrong_kind_is_refused_by_file(
    saved_multi: Path, file: str, place: tuple[Any, ...], value: Any
) -> None:
    values = load_json(saved_multi, file)
    holder = values
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    save_json(saved_multi, file, values)
    with pytest.raises(ModelError, match=rf"{file}\.json"):
        load_folder(saved_multi)


@pytest.fixture(scope="module")
def trained() -> MultiDeidentifier:
    return COMBINED["multi"]().fit(sample_corpus(2))  # type: ignore[return-value]


@pytest.fixture
def saved_multi(trained: MultiDeidentifier, tmp_path: Path) -> Path:
    trained.save(tmp_path / "model")
    return tmp_path / "model"


def test_a_system_with_other_labels_than_the_model_is_refused(saved_multi: Path) -> None:
    values = load_json(saved_multi, "systems/mimic/mimic")
    values["mapping"]["labels"].append("ZZZ")
    save_json(saved_multi, "systems/mimic/mimic", values)
    with pytest.raises(ModelError, match=r"system 'mimic' has .* tags"):
        load_folder(saved_multi)
