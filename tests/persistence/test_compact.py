"""Compact arrays come back to the bit, are small, and damaged ones are refused."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from multideid.errors import ModelError
from multideid.persistence import ArrayRule, load_arrays, load_strings, save_arrays, save_strings
from multideid.persistence.compact import compact, restore

NUMBERS = hnp.arrays(
    st.sampled_from(["int8", "int16", "int32", "int64", "uint8", "uint16", "uint64", "bool"])
    | st.sampled_from(["float16", "float32", "float64", ">i4", ">f8"]),
    hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=6),
)
MULTIPLES = st.builds(
    lambda numbers, exponent, dtype: np.ldexp(np.array(numbers, dtype), exponent).astype(dtype),
    st.lists(st.integers(-300, 300) | st.integers(-(2**30), 2**30), max_size=8),
    st.integers(-160, 60),
    st.sampled_from([np.float32, np.float64]),
)
RISING = st.lists(st.integers(0, 2**60), max_size=9).map(lambda numbers: np.array(sorted(numbers)))


@given(NUMBERS | MULTIPLES | RISING)
def test_every_array_comes_back_to_the_bit(array: np.ndarray) -> None:
    member, stored = compact("x", array)
    back = restore(member, stored)
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert back.tobytes() == array.tobytes()
    assert stored.nbytes <= array.nbytes


@pytest.mark.parametrize(
    ("array", "member", "n_bytes"),
    [
        (np.arange(0, 500, 2), "x~int64+", 1),
        (np.array([3, 255, 0]), "x~int64", 1),
        (np.array([3, -129, 0], np.int32), "x~int32", 2),
        (np.array([0.5, -63.5, 0], np.float32), "x~float32*2^-1", 1),
        (np.array([-1.0, 2**-15], np.float32), "x~float32*2^-15", 2),
        (np.zeros(3), "x~float64*2^0", 1),
    ],
)
def test_values_take_the_bytes_that_they_need(array: np.ndarray, member: str, n_bytes: int) -> None:
    name, stored = compact("x", array)
    assert name == member
    assert stored.shape == (n_bytes, len(array))


@pytest.mark.parametrize(
    "array", [np.array([0.1, 3.0]), np.array([-0.0, 1.0]), np.array([np.nan, 1]), np.zeros((0, 2))]
)
def test_what_would_not_come_back_is_stored_as_it_is(array: np.ndarray) -> None:
    assert compact("x", array)[0] == "x"


BYTES = np.zeros((2, 3), np.uint8)


@pytest.mark.parametrize(
    ("member", "stored"),
    [
        ("x~", BYTES),
        ("x~int64*2^1", BYTES),
        ("x~float32", BYTES),
        ("x~float32+", BYTES),
        ("x~float32*2^99999", BYTES),
        ("x~object", BYTES),
        ("x~int64", np.zeros((2, 3), np.int16)),
        ("x~int64", np.zeros(3, np.uint8)),
        ("x~int64", np.zeros((9, 3), np.uint8)),
        ("x~int64", np.zeros((0, 2**40), np.uint8)),
    ],
)
def test_other_forms_are_refused(tmp_path: Path, member: str, stored: np.ndarray) -> None:
    _write(tmp_path, {member: stored})
    with pytest.raises(ModelError, match=r"x\.npz: is damaged"):
        load_arrays(tmp_path, "x")


def test_two_forms_of_one_array_are_refused(tmp_path: Path) -> None:
    _write(tmp_path, {"x": np.zeros(3), "x~int64": BYTES})
    with pytest.raises(ModelError, match=r"x\.npz: is damaged"):
        load_arrays(tmp_path, "x")


@pytest.mark.parametrize("member", ["x~float32*2^9999", "x~float64*2^1100"])
def test_floats_that_overflow_are_refused_by_their_rule(tmp_path: Path, member: str) -> None:
    _write(tmp_path, {member: BYTES + np.uint8(1)})
    rule = ArrayRule("float32 float64", ("n",))
    with pytest.raises(ModelError, match=r"array 'x' has values that are not finite"):
        load_arrays(tmp_path, "x", {"x": rule})


def test_differences_that_overflow_are_refused_by_their_rule(tmp_path: Path) -> None:
    _write(tmp_path, {"x~int64+": np.full((8, 3), 127, np.uint8)})
    with pytest.raises(ModelError, match=r"array 'x' (has values below 0|is not sorted)"):
        load_arrays(tmp_path, "x", {"x": ArrayRule("int64", ("n",), low=0, ascending=True)})


def test_a_name_with_the_mark_of_forms_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no '~'"):
        save_arrays(tmp_path, "x", **{"a~b": np.zeros(1)})


def _write(folder: Path, members: dict[str, np.ndarray]) -> None:
    with zipfile.ZipFile(folder / "x.npz", "w") as archive:
        for name, array in members.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, array)
            archive.writestr(f"{name}.npy", content.getvalue())


def test_sorted_strings_store_what_they_share_once(tmp_path: Path) -> None:
    save_strings(tmp_path, "x", ["hospital", "hospitals", "host"])
    assert load_arrays(tmp_path, "x")["utf8"].tobytes() == b"hospitalst"
    assert load_strings(tmp_path, "x") == ("hospital", "hospitals", "host")


@pytest.mark.parametrize("shared", [[1, 0], [0, 3], [0, -1], [0, 32]])
def test_strings_that_share_more_than_there_is_are_refused(
    tmp_path: Path, shared: list[int]
) -> None:
    utf8, lengths = np.frombuffer(b"abcd", np.uint8), np.array([2, 2])
    save_arrays(tmp_path, "x", utf8=utf8, lengths=lengths, shared=np.array(shared))
    with pytest.raises(ModelError, match=r"x\.npz: array 'shared'"):
        load_strings(tmp_path, "x")
