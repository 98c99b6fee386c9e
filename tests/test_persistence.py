"""Model folders: exact, deterministic, atomic, and refused when anything is off."""

from __future__ import annotations

import json
import os
import pickle
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.errors import ModelError, UsageError
from multideid.persistence import (
    FORMAT_VERSION,
    ArrayRecord,
    ModelInfo,
    ModelWriter,
    SystemRecord,
    check_manifest,
    check_output,
    load_arrays,
    load_json,
    load_strings,
    save_arrays,
    save_json,
    save_strings,
    write_manifest,
)
from multideid.persistence.manifest import _checksum

INFO = ModelInfo(
    kind="multi",
    labels=("DATE", "DOCTOR"),
    systems=(SystemRecord("mist", {"c1": 0.05}),),
    params={"folds": 5, "window": (-1, 1)},
    corpus="abc123",
)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    with ModelWriter(tmp_path / "model", INFO) as folder:
        save_arrays(folder, "weights", coef=np.arange(6, dtype=np.float32).reshape(2, 3))
        (folder / "mist").mkdir()
        save_json(folder / "mist", "settings", {"window": 2})
    return tmp_path / "model"


@pytest.mark.parametrize(
    "array",
    [
        np.arange(4, dtype=np.int32),
        np.zeros((0, 3), dtype=np.float32),
        np.array(2.5),
        np.array(["a", "ñandú"]),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    ],
)
def test_arrays_come_back_with_dtype_and_shape(tmp_path: Path, array: np.ndarray) -> None:
    save_arrays(tmp_path, "x", value=array)
    back = load_arrays(tmp_path, "x")["value"]
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    np.testing.assert_array_equal(back, array)


def test_arrays_load_by_path_too(tmp_path: Path) -> None:
    path = save_arrays(tmp_path, "x", value=np.ones(2))
    assert load_arrays(path)["value"].tolist() == [1.0, 1.0]


def test_array_of_objects_is_refused_when_saved(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="'value' holds Python objects"):
        save_arrays(tmp_path, "x", value=np.array([{}], dtype=object))


@dataclass(frozen=True)
class Pair(ArrayRecord):
    """Two arrays, not in the order of the alphabet."""

    right: np.ndarray
    left: np.ndarray


def test_a_record_of_arrays_comes_back_from_one_file_in_the_order_of_its_fields(
    tmp_path: Path,
) -> None:
    Pair(np.arange(3), np.array([0.5])).save(tmp_path, "pair")
    assert list(load_arrays(tmp_path, "pair")) == ["right", "left"]
    again = Pair.load(tmp_path, "pair")
    assert again.right.tolist() == [0, 1, 2]
    assert again.left.tolist() == [0.5]


def test_equal_arrays_give_equal_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = save_arrays(tmp_path, "a", value=np.arange(9)).read_bytes()
    monkeypatch.setattr("time.localtime", lambda *_: (2031, 5, 6, 7, 8, 9, 0, 0, 0))
    assert save_arrays(tmp_path, "b", value=np.arange(9)).read_bytes() == first


class _Trap:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (os.mkdir, ("sprung",))


def test_pickle_inside_an_npz_is_refused_and_never_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    np.savez(tmp_path / "x.npz", value=np.array([_Trap()], dtype=object))
    with pytest.raises(ModelError, match=r"x\.npz"):
        load_arrays(tmp_path, "x")
    (tmp_path / "y.npz").write_bytes(pickle.dumps(_Trap()))
    with pytest.raises(ModelError, match=r"y\.npz"):
        load_arrays(tmp_path, "y")
    assert not (tmp_path / "sprung").exists()


def test_every_truncation_of_an_npz_names_the_file(tmp_path: Path) -> None:
    path = save_arrays(tmp_path, "x", value=np.arange(3))
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(ModelError, match=r"x\.npz: is damaged"):
            load_arrays(path)


def test_array_header_that_asks_for_all_memory_is_refused(tmp_path: Path) -> None:
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000,)}"
    body = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("value.npy", body)
    with pytest.raises(ModelError, match=r"x\.npz"):
        load_arrays(tmp_path, "x")


@given(st.lists(st.text(st.characters(exclude_categories=()))))
def test_strings_come_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, strings: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("strings")
    save_strings(folder, "vocabulary", strings)
    assert load_strings(folder, "vocabulary") == tuple(strings)


def test_strings_with_line_ends_and_split_surrogates_come_back(tmp_path: Path) -> None:
    strings = ("", "a\r\nb", "\x85\u2028", "\ud83d", "\ude00", "😀", "")
    save_strings(tmp_path, "v", strings)
    assert load_strings(tmp_path, "v") == strings


def test_strings_are_not_read_from_another_kind_of_file(tmp_path: Path) -> None:
    save_arrays(tmp_path, "v", coef=np.ones(2))
    with pytest.raises(ModelError, match="holds no strings"):
        load_strings(tmp_path, "v")


def test_strings_whose_lengths_disagree_are_refused(tmp_path: Path) -> None:
    utf8 = np.frombuffer(b"abc", dtype=np.uint8)
    save_arrays(tmp_path, "v", utf8=utf8, lengths=np.array([1, 1]))
    with pytest.raises(ModelError, match=r"v\.npz"):
        load_strings(tmp_path, "v")


def test_json_writes_numpy_numbers_and_lone_surrogates(tmp_path: Path) -> None:
    save_json(tmp_path, "x", {"n": np.int64(3), "a": np.arange(2), "s": "\ud83d"})
    assert load_json(tmp_path, "x") == {"n": 3, "a": [0, 1], "s": "\ud83d"}


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()])
def test_json_refuses_what_it_cannot_express(tmp_path: Path, value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        save_json(tmp_path, "x", value)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\xff"])
def test_damaged_json_names_the_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(ModelError, match=r"x\.json: is damaged"):
        load_json(tmp_path, "x")


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"x\.npz: is missing"):
        load_arrays(tmp_path, "x")


def test_manifest_tells_what_was_written(model: Path) -> None:
    manifest = check_manifest(model)
    assert manifest.info.labels == INFO.labels
    assert manifest.info.systems == INFO.systems
    assert manifest.info.params == {"folds": 5, "window": [-1, 1]}
    assert set(manifest.files) == {"weights.npz", "mist/settings.json"}
    assert {"python", "multideid", "numpy"} <= manifest.versions.keys()


def test_same_model_written_twice_has_the_same_manifest(model: Path, tmp_path: Path) -> None:
    with ModelWriter(tmp_path / "again", INFO) as folder:
        save_arrays(folder, "weights", coef=np.arange(6, dtype=np.float32).reshape(2, 3))
        (folder / "mist").mkdir()
        save_json(folder / "mist", "settings", {"window": 2})
    texts = [(m / "manifest.json").read_bytes() for m in (model, tmp_path / "again")]
    assert texts[0] == texts[1]


def test_missing_model_file_is_refused_by_name(model: Path) -> None:
    (model / "weights.npz").unlink()
    with pytest.raises(ModelError, match=r"weights\.npz: is missing"):
        check_manifest(model)


def test_foreign_file_in_a_model_is_refused_by_name(model: Path) -> None:
    (model / "mist" / "notes.txt").write_text("x")
    with pytest.raises(ModelError, match=r"notes\.txt: does not belong"):
        check_manifest(model)


def test_one_changed_byte_is_refused_by_name(model: Path) -> None:
    path = model / "weights.npz"
    content = bytearray(path.read_bytes())
    content[-30] ^= 1
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"weights\.npz: is damaged"):
        check_manifest(model)


def test_link_in_a_model_is_refused(model: Path, tmp_path: Path) -> None:
    settings = model / "mist" / "settings.json"
    (tmp_path / "elsewhere.json").write_bytes(settings.read_bytes())
    settings.unlink()
    settings.symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(ModelError, match=r"settings\.json: is a link"):
        check_manifest(model)


def test_changed_manifest_is_refused(model: Path) -> None:
    path = model / "manifest.json"
    path.write_text(path.read_text().replace("DOCTOR", "HOSPITAL"))
    with pytest.raises(ModelError, match=r"manifest\.json: is damaged"):
        check_manifest(model)


def _rewrite(model: Path, **changes: object) -> None:
    path = model / "manifest.json"
    content = {**json.loads(path.read_text()), **changes}
    del content["checksum"]
    path.write_text(json.dumps({**content, "checksum": _checksum(content)}))


def test_newer_format_says_to_upgrade(model: Path) -> None:
    _rewrite(model, format_version=FORMAT_VERSION + 1)
    with pytest.raises(ModelError, match=r"newer multideid .*pip install --upgrade"):
        check_manifest(model)


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/../../b", "C:\\x", "a//b"])
def test_path_that_leaves_the_model_is_refused(model: Path, name: str) -> None:
    _rewrite(model, files={name: "0" * 64})
    with pytest.raises(ModelError, match="no path inside the model"):
        check_manifest(model)


@pytest.mark.parametrize("changes", [{"labels": None}, {"systems": [1]}, {"files": 3}])
def test_manifest_with_wrong_fields_is_refused(model: Path, changes: dict[str, object]) -> None:
    _rewrite(model, **changes)
    with pytest.raises(ModelError, match="not complete"):
        check_manifest(model)


def test_foreign_folder_is_said_to_be_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is no multideid model"):
        check_manifest(tmp_path)
    (tmp_path / "manifest.json").write_text('{"name": "my web app"}')
    with pytest.raises(ModelError, match="is no multideid model"):
        check_manifest(tmp_path)
    with pytest.raises(ModelError, match="no such model folder"):
        check_manifest(tmp_path / "nowhere")


def test_model_cannot_be_written_with_a_name_that_would_be_refused(tmp_path: Path) -> None:
    (tmp_path / "a:b").write_text("x")
    with pytest.raises(ModelError, match="a:b"):
        write_manifest(tmp_path, INFO)


def test_failure_while_writing_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), ModelWriter(tmp_path / "m", INFO) as folder:
        save_json(folder, "x", 1)
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_existing_model_is_replaced_only_when_asked(model: Path) -> None:
    with pytest.raises(UsageError, match="exists"), ModelWriter(model, INFO):
        pass
    with ModelWriter(model, INFO, overwrite=True) as folder:
        save_json(folder, "new", 1)
    assert set(check_manifest(model).files) == {"new.json"}
    assert [p.name for p in model.parent.iterdir()] == ["model"]


def test_failed_overwrite_keeps_the_old_model(model: Path) -> None:
    before = check_manifest(model)
    with pytest.raises(RuntimeError), ModelWriter(model, INFO, overwrite=True) as folder:
        save_json(folder, "new", 1)
        raise RuntimeError
    assert check_manifest(model) == before


def test_failed_move_puts_the_old_model_back(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = check_manifest(model)
    move = Path.replace

    def refuse_new(self: Path, target: Path) -> Path:
        if self.suffix == ".tmp":
            raise OSError(28, "No space left on device")
        return move(self, target)

    monkeypatch.setattr(Path, "replace", refuse_new)
    writer = ModelWriter(model, INFO, overwrite=True)
    with pytest.raises(UsageError, match="No space left"), writer as folder:
        save_json(folder, "new", 1)
    assert check_manifest(model) == before
    assert [p.name for p in model.parent.iterdir()] == ["model"]


def test_folder_that_is_no_model_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(UsageError, match="no multideid model"):
        check_output(tmp_path, overwrite=True)
    assert (tmp_path / "thesis.tex").exists()


def test_empty_folder_is_a_fine_output(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    with ModelWriter(tmp_path / "m", INFO):
        pass
    assert check_manifest(tmp_path / "m").info.kind == "multi"


def test_output_below_a_file_is_refused_before_training(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="cannot write"):
        check_output(tmp_path / "file" / "model")


def test_disk_that_refuses_while_saving_is_a_usage_error(tmp_path: Path) -> None:
    writer = ModelWriter(tmp_path / "m", INFO)
    with pytest.raises(UsageError, match=r"cannot write .*No space left"), writer:
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []
