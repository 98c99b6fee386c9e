"""The labels of a network that is used as it is, as BIO tags."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from multideid.arrays import BoolArray, IntArray
from multideid.text.bio import OUTSIDE, TokenLabels, bio_names

_PREFIX = re.compile(r"([BILESU])-(.+)", re.DOTALL)
_BEGINS = "BSU"


def bio_tags(found: IntArray, labels: Sequence[str], inner: BoolArray) -> TokenLabels:
    """Return BIO tags for the label of every token.

    Parameters
    ----------
    found : int32 array, shape (n_tokens,)
        Indices into `labels`.
    labels : sequence of str
        ``"O"`` is outside; others may have the prefixes of BIO or BILOU.
    inner : bool array, shape (n_tokens,)
        Whether the token is the rest of a subtoken, whose label it shares: no span begins there.
    """
    parts = [_parts(label) for label in labels]
    classes = tuple(sorted({name for _, name in parts} - {OUTSIDE}))
    code = {name: 2 * n + 1 for n, name in enumerate(classes)}
    begin = np.array([code.get(name, 0) for _, name in parts], dtype=np.int32)[found]
    opens = np.array([prefix in _BEGINS and prefix != "" for prefix, _ in parts])[found] & ~inner
    before = np.concatenate([[0], begin[:-1]])
    inside = (begin > 0) & (begin == before) & ~opens
    return TokenLabels((begin + inside).astype(np.int32), bio_names(classes))


def _parts(label: str) -> tuple[str, str]:
    match = _PREFIX.fullmatch(label)
    return (match[1], match[2]) if match else ("", label)
