"""Arrays, records, strings and JSON are restored exactly, and damaged files are refused."""

from __future__ import annotations

import io
import os
import pickle
import warnings
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.errors import ModelError
from multideid.persistence import (
    ArrayRecord,
    ArrayRule,
    load_arrays,
    load_json,
    load_strings,
    save_arrays,
    save_json,
    save_strings,
)
from multideid.persistence.npy import parse_array


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

    rules: ClassVar = {"right": ArrayRule("int64", ("n",)), "left": ArrayRule("float64", (1,))}

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
    with pytest.raises(
        ModelError, match=r"v\.npz: lacks the array 'utf8'; it is another kind of file"
    ):
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


def test_a_compressed_array_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "x.npz", value=np.zeros(10**7))
    with pytest.raises(ModelError, match=r"x\.npz: is damaged"):
        load_arrays(tmp_path, "x")


RULES = {
    "data": ArrayRule("float32 float64", ("n",)),
    "indices": ArrayRule("int32", ("n",), low=-1, below="n_columns"),
    "keys": ArrayRule("int64", ("n",), ascending=True),
    "flags": ArrayRule("bool", ("n", 2)),
    "kind": ArrayRule("str", ()),
}
GOOD: dict[str, np.ndarray] = {
    "data": np.array([1.5, -2, 0], np.float32),
    "indices": np.array([-1, 4, 0], np.int32),
    "keys": np.array([-7, 0, 2**60]),
    "flags": np.ones((3, 2), np.bool_),
    "kind": np.array("linear"),
}
BAD: list[tuple[str, np.ndarray, str]] = [
    ("data", np.array([1, np.nan, 0], np.float32), "not finite"),
    ("data", np.array([1, 0, -np.inf]), "not finite"),
    ("data", np.array([1, 0, 1e10]), "too large"),
    ("data", np.array([1, 2, 3], np.float16), "type float16 instead of float32 or float64"),
    ("data", np.array([1, 2, 3], ">f4"), "type >f4"),
    ("data", np.array([[1], [2], [3]], np.float32), r"shape \(3, 1\)"),
    ("indices", np.array([0, 5, 0], np.int32), "not below 5"),
    ("indices", np.array([0, -2, 0], np.int32), "below -1"),
    ("indices", np.array([0, 1, 0]), "type int64"),
    ("indices", np.array([0, 1], np.int32), r"shape \(2,\) instead of \(3,\)"),
    ("keys", np.array([0, 0, 1]), "not sorted"),
    ("flags", np.full((3, 2), 2, np.uint8).view(np.bool_), "neither true nor false"),
    ("flags", np.ones((3, 3), np.bool_), r"shape \(3, 3\) instead of \(3, 2\)"),
    ("kind", np.array(3), "type int64 instead of str"),
]


def test_arrays_that_keep_the_rules_are_read(tmp_path: Path) -> None:
    save_arrays(tmp_path, "x", **GOOD, more=np.zeros(2))
    arrays = load_arrays(tmp_path, "x", RULES, n_columns=5)
    assert list(arrays) == list(RULES)
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, GOOD[name])


@pytest.mark.parametrize(("name", "array", "problem"), BAD)
def test_an_array_that_breaks_a_rule_is_refused_by_file_and_name(
    tmp_path: Path, name: str, array: np.ndarray, problem: str
) -> None:
    save_arrays(tmp_path, "x", **{**GOOD, name: array})
    with pytest.raises(ModelError, match=rf"x\.npz: array '{name}' .*{problem}"):
        load_arrays(tmp_path, "x", RULES, n_columns=5)


def test_an_array_that_is_missing_is_named(tmp_path: Path) -> None:
    save_arrays(tmp_path, "x", **{n: a for n, a in GOOD.items() if n != "keys"})
    with pytest.raises(ModelError, match=r"x\.npz: lacks the array 'keys'"):
        load_arrays(tmp_path, "x", RULES, n_columns=5)


def test_arrays_with_rules_are_c_contiguous(tmp_path: Path) -> None:
    save_arrays(tmp_path, "x", value=np.asfortranarray(np.arange(6.0).reshape(2, 3)))
    (back,) = load_arrays(tmp_path, "x", {"value": ArrayRule("float64", ("n", 3))}).values()
    assert back.flags.c_contiguous
    assert back.tolist() == [[0, 1, 2], [3, 4, 5]]


PATTERN = {
    "name": str,
    "dial": [float],
    "pair": (int, bool),
    "points": {str: [float]},
    "more": dict,
}
VALUE = {
    "name": "x",
    "dial": [1, 0.5],
    "pair": [3, True],
    "points": {"high": [1]},
    "more": {},
    "new": None,
}


def test_json_of_the_pattern_is_read(tmp_path: Path) -> None:
    save_json(tmp_path, "x", VALUE)
    assert load_json(tmp_path, "x", PATTERN) == VALUE


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"name": None}, "other than a text in name"),
        ({"dial": None}, "other than a list in dial"),
        ({"dial": [1, None]}, r"other than a number in dial\[1\]"),
        ({"dial": [True]}, r"other than a number in dial\[0\]"),
        ({"dial": [10**400]}, r"other than a number in dial\[0\]"),
        ({"pair": [1, True, 2]}, "other than a list of 2 in pair"),
        ({"pair": [1.5, True]}, r"other than a whole number in pair\[0\]"),
        ({"points": {"high": 3}}, "other than a list in points.high"),
        ({"more": []}, "other than an object in more"),
    ],
)
def test_json_of_another_kind_is_refused_by_file_and_place(
    tmp_path: Path, changes: dict[str, object], problem: str
) -> None:
    save_json(tmp_path, "x", {**VALUE, **changes})
    with pytest.raises(ModelError, match=rf"x\.json: is damaged \(something {problem}\)"):
        load_json(tmp_path, "x", PATTERN)


def test_json_without_a_name_is_refused(tmp_path: Path) -> None:
    save_json(tmp_path, "x", {n: v for n, v in VALUE.items() if n != "pair"})
    with pytest.raises(ModelError, match=r"is damaged \(without pair\)"):
        load_json(tmp_path, "x", PATTERN)


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "9" * 5000])
def test_numbers_that_json_does_not_have_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(ModelError, match=r"x\.json: is damaged"):
        load_json(tmp_path, "x")


def test_values_of_float16_are_checked_without_a_warning(tmp_path: Path) -> None:
    rules = {"value": ArrayRule("float16", ("n",))}
    save_arrays(tmp_path, "x", value=np.array([1, 6e4], np.float16))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load_arrays(tmp_path, "x", rules)["value"].tolist() == [1, 60_000]
    save_arrays(tmp_path, "y", value=np.array([1, np.inf], np.float16))
    with pytest.raises(ModelError, match="not finite"):
        load_arrays(tmp_path, "y", rules)


def _npy(array: np.ndarray) -> bytes:
    content = io.BytesIO()
    np.lib.format.write_array(content, array, version=(1, 0), allow_pickle=False)
    return content.getvalue()


@pytest.mark.parametrize("dtype", ["?", "i1", "<u2", ">i8", "<f2", "<f4", ">f8", "<c8", "<U3"])
@pytest.mark.parametrize("shape", [(), (0,), (5,), (2, 3), (2, 0, 3)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_are_read_as_numpy_reads_them(
    dtype: str, shape: tuple[int, ...], order: Literal["C", "F"]
) -> None:
    array = np.asarray(np.arange(np.prod(shape)).reshape(shape).astype(dtype), order=order)
    back = parse_array(_npy(array))
    known = np.lib.format.read_array(io.BytesIO(_npy(array)), allow_pickle=False)
    assert (back.dtype, back.shape, back.flags.fnc) == (known.dtype, known.shape, known.flags.fnc)
    np.testing.assert_array_equal(back, known)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"\x93NUMPY\x01", b"\x93NUMPY\x02"),
        (b"'descr': '<i8'", b"'descr': '|O8'"),
        (b"'descr': '<i8'", b"'descr': '|V8'"),
        (b"'descr': '<i8'", b"'descr': '<i7'"),
        (b"(3,)", b"(4,)"),
        (b"(3,)", b"(2,)"),
        (b"(3,)", b"(-3,)"),
        (b"(3,)", b"(3,9"),
        (b"(3,), }", b"(3,), 'x': 1}"),
    ],
)
def test_another_header_than_that_of_the_array_is_refused(old: bytes, new: bytes) -> None:
    content = _npy(np.arange(3))
    assert old in content
    with pytest.raises((ValueError, TypeError)):
        parse_array(content.replace(old, new, 1))
    with pytest.raises(ValueError, match="disagree"):
        parse_array(content + b"0")


def test_texts_of_no_length_are_refused() -> None:
    # However many there are, they take no bytes in the file, and four each in memory.
    content = _npy(np.arange(0)).replace(b"'<i8'", b"'<U0'").replace(b"(0,)", b"(9,)")
    with pytest.raises(ValueError, match="no array"):
        parse_array(content)


def test_loaded_arrays_can_be_written_to_and_hold_no_more_than_themselves(tmp_path: Path) -> None:
    path = save_arrays(tmp_path, "x", plain=np.array([0.1, 0.3]), compact=np.arange(3))
    for array in load_arrays(path).values():
        array[0] = 7
        assert array.base is None
