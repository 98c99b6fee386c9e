"""Find the words that recur in their document."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from multideid.features.evidence import same_word_groups
from multideid.learners.compiled.pushing import Recurring
from multideid.text.table import TokenTable

IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]


def recurring(table: TokenTable, beside: IntArray) -> Recurring:
    """Return the words of a table that recur, with what stands beside each token."""
    if "recurring" not in table.memo:
        table.memo["recurring"] = _groups(table)
    group, begins, members = table.memo["recurring"]
    return Recurring(group, begins, members, beside)


def _groups(table: TokenTable) -> tuple[IntArray, LongArray, LongArray]:
    members, number = same_word_groups(table)
    begins = np.flatnonzero(np.diff(number, prepend=-1))
    group = np.full(len(table), -1, dtype=np.int32)
    group[members] = np.repeat(np.arange(len(begins)), np.diff(np.append(begins, len(members))))
    return group, np.append(begins, len(members)), members
