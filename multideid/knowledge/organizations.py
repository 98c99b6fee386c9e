"""Names of real organisations, regions and holidays of English-speaking countries.

One packed table, made by ``scripts/lexicons``; `docs/reference/lexicons.md` says from what.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import numpy as np

from multideid.arrays import UIntArray
from multideid.text.phrases import PhraseSet
from multideid.text.table import TokenTable

KINDS = (
    "hospital",
    "hospital acronym",
    "pharmacy",
    "insurer",
    "company",
    "public safety",
    "school",
    "association",
    "region",
    "holiday",
)
"""The kinds of names; "hospital" holds all places and services of care."""

PATH = Path(__file__).parent / "data" / "organizations.npz"


def match_organizations(table: TokenTable) -> UIntArray:
    """Return the kinds of names that contain each token, as bits, once per table.

    Case and white space are ignored, as by `multideid.knowledge.lexicons.match_lists`.

    Parameters
    ----------
    table : TokenTable

    Returns
    -------
    uint32 array, shape (n_tokens,)
        Bit ``k`` is set for a name of one word of ``KINDS[k]``, bit ``k + len(KINDS)``
        for one of several words, which is seldom anything else.
    """
    return table.cached("organizations", lambda table: _phrases().match(table))


def build_phrases(names: Mapping[str, Iterable[str]]) -> PhraseSet:
    """Return the phrases of the names of each of `KINDS`."""
    listed = [list(names[kind]) for kind in KINDS]
    single = [[name for name in each if name.isalnum()] for each in listed]
    several = [[name for name in each if not name.isalnum()] for each in listed]
    return PhraseSet.build(*single, *several)


@cache
def _phrases() -> PhraseSet:
    with np.load(PATH, allow_pickle=False) as packed:
        return PhraseSet.of_arrays(packed)
