"""Find the words that recur in their document."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.features.document_context import same_word_groups
from multideid.text.table import TokenTable


class Groups(NamedTuple):
    """Words that recur, as the first fields of `multideid.scoring.scatter_add.Recurring`."""

    group: IntArray
    begins: LongArray
    members: LongArray


def recurring(table: TokenTable) -> Groups:
    """Return the words of a table that recur."""
    return table.cached("recurring", _groups)


def _groups(table: TokenTable) -> Groups:
    members, number = same_word_groups(table)
    begins = np.flatnonzero(np.diff(number, prepend=-1))
    group = np.full(len(table), -1, dtype=np.int32)
    group[members] = np.repeat(np.arange(len(begins)), np.diff(np.append(begins, len(members))))
    return Groups(group, np.append(begins, len(members)), members)
