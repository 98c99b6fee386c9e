"""Arrays, records, strings and JSON are restored exactly, and damaged files are refused."""

from __future__ import annotations

import os
import pickle
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.errors import ModelError
from multideid.persistence import (
    ArrayRecord,
    load_arrays,
    load_json,
    load_strings,
    save_arrays,
    save_json,
    save_strings,
)


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
    with pytest.raises(ModelError, match="contains no strings"):
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
def test_json_refuses_values_that_it_cannot_represent(tmp_path: Path, value: object) -> None:
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
