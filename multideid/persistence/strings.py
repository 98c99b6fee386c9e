"""Save strings; what a string shares with the one before is stored once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from multideid.arrays import AnyArray
from multideid.errors import ModelError
from multideid.persistence.array_rules import ArrayRule, check_order
from multideid.persistence.files import load_arrays, model_file, save_arrays

_MOST_SHARED = 31
"""Characters; a bound on how much longer strings are than their file."""
_RULES = {
    "utf8": ArrayRule("uint8", ("n_bytes",)),
    "lengths": ArrayRule("int64", ("n_strings",), low=0, below=2**31),
    "shared": ArrayRule("int64", ("n_strings",), low=0, below=_MOST_SHARED + 1),
}


def save_strings(folder: Path, name: str, strings: Iterable[str]) -> Path:
    """Write any strings into ``folder/name.npz``; sorted ones take the least space.

    Returns
    -------
    Path
        The path of the file: for each string, the number of characters that it shares with
        the beginning of the one before, and the number of others, which are in a UTF-8 buffer.
    """
    items = list(strings)
    shared = [_n_shared(before, string) for before, string in pairwise(["", *items])]
    own = [string[n:] for string, n in zip(items, shared, strict=True)]
    utf8 = np.frombuffer("".join(own).encode("utf-8", "surrogatepass"), dtype=np.uint8)
    lengths = np.array([len(string) for string in own], dtype=np.int64)
    return save_arrays(
        folder, name, utf8=utf8, lengths=lengths, shared=np.array(shared, dtype=np.int64)
    )


def _n_shared(before: str, string: str) -> int:
    n, most = 0, min(len(before), len(string), _MOST_SHARED)
    while n < most and before[n] == string[n]:
        n += 1
    return n


def load_strings(folder: Path, name: str | None = None) -> tuple[str, ...]:
    """Read a file written by `save_strings`.

    Parameters
    ----------
    folder : Path
        The folder, or the ``.npz`` file if `name` is omitted.
    name : str, optional
        The file's name without ``.npz``.

    Raises
    ------
    ModelError
        If the file is missing or damaged, or contains something else.
    """
    path = model_file(folder, name, "npz")
    arrays = load_arrays(path, None, _RULES)
    lengths, shared = arrays["lengths"], arrays["shared"]
    # A slice beyond the end of the string before would silently be shorter.
    check_order(path, "shared", shared <= np.append(0, shared + lengths)[:-1])
    try:
        text = arrays["utf8"].tobytes().decode("utf-8", "surrogatepass")
        own = _split(text, lengths)
    except ValueError:
        raise ModelError(path, "contains no strings; it is another kind of file") from None
    return _joined(shared.tolist(), own)


def _joined(shared: Sequence[int], own: Sequence[str]) -> tuple[str, ...]:
    string = ""
    return tuple([(string := string[:n] + rest) for n, rest in zip(shared, own, strict=True)])


def _split(text: str, lengths: AnyArray) -> list[str]:
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    if total != len(text):
        raise ValueError("lengths and text disagree")
    slices = map(slice, (ends - lengths).tolist(), ends.tolist())
    return list(map(text.__getitem__, slices))
