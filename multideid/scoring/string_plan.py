"""What the templates of one source make of new strings, prepared so that little is left to do.

A note of new words brings a few strings to each of many templates, where the calls of numpy for
each template would take longer than their work.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from multideid.arrays import DoubleArray, IntArray, LongArray
from multideid.features.templates import Bag, Conjunction
from multideid.features.views import SetView, View
from multideid.scoring.csr_weights import CsrWeights, add_known
from multideid.scoring.linear_part import TemplateUse
from multideid.scoring.row_arena import Layout, blocks_of

_UNKNOWN = -1
_NOTHING = np.zeros(1, dtype=np.int64)

Vocabulary = dict[str, int]


class _Addition(NamedTuple):
    """The weights that a template adds for the packed values of one packing."""

    packing: int
    pads: bool
    keys: LongArray
    first: int
    weights: CsrWeights
    starts: LongArray

    def add(self, owner: LongArray, packed: LongArray, sums: DoubleArray) -> None:
        add_known(owner, packed, self.keys, self.first, self.weights, self.starts, sums)


class StringPlan:
    """The functions, vocabularies and weights of the templates of one source.

    Templates share what they have in common: a view is computed once for all, its values are
    looked up once in each vocabulary, and values are packed once for all offsets.

    Parameters
    ----------
    uses : sequence of TemplateUse
        Templates determined by one string at one offset.
    layout : Layout
        Of their rows.
    coded : iterable of (View, dict)
        Views whose values are asked for by `StringValues.codes`, with their vocabularies.
    """

    def __init__(
        self,
        uses: Sequence[TemplateUse],
        layout: Layout,
        coded: Iterable[tuple[View, Vocabulary]],
    ) -> None:
        self.views: list[View | SetView] = []
        self.columns: list[tuple[int, Vocabulary]] = []
        self.packings: list[tuple[tuple[int, int], ...]] = []
        self._numbers: dict[Hashable, int] = {}
        self.coded = [self._column(view, vocabulary) for view, vocabulary in coded]
        self.additions = [self._addition(use, layout) for use in uses]

    def _addition(self, use: TemplateUse, layout: Layout) -> _Addition:
        part = use.part
        packing = tuple(
            (self._column(view, part.vocabulary(view)), _factor(use, view))
            for view in use.template.views
        )
        starts = [layout.start[block] for block in blocks_of(use)]
        return _Addition(
            self._number("packing", packing, self.packings, packing),
            isinstance(use.template, Conjunction),
            use.keys,
            int(part.extractor.first_[use.number]),
            CsrWeights.of(part.weights),
            np.array(starts, dtype=np.int64),
        )

    def _column(self, view: View | SetView, vocabulary: Vocabulary) -> int:
        number = self._number("view", view, self.views, view)
        return self._number("column", (number, id(vocabulary)), self.columns, (number, vocabulary))

    def _number(self, kind: str, key: Hashable, known: list[Any], value: object) -> int:
        number = self._numbers.setdefault((kind, key), len(known))
        if number == len(known):
            known.append(value)
        return number

    def add_padding(self, sums: DoubleArray) -> None:
        """Add the weights of the features of padding to its row, shape (1, length of a row)."""
        for addition in self.additions:
            if addition.pads:
                addition.add(_NOTHING, _NOTHING, sums)


class StringValues:
    """What a plan makes of some strings.

    Parameters
    ----------
    plan : StringPlan
    strings : sequence of str
        Distinct.
    """

    def __init__(self, plan: StringPlan, strings: Sequence[str]) -> None:
        self._plan = plan
        self._each = np.arange(len(strings))
        found = [self._of_view(view, strings) for view in plan.views]
        self._owners = [owner for owner, _ in found]
        self._columns = [_numbers(found[n][1], words) for n, words in plan.columns]

    def _of_view(self, view: View | SetView, strings: Sequence[str]) -> tuple[LongArray, list[str]]:
        """Return the index of each value's string, and the values."""
        function: Callable[[str], Any] = view.function
        if isinstance(view, View):
            return self._each, list(map(function, strings))
        sets = [dict.fromkeys(function(s)) for s in strings]
        sizes = np.fromiter(map(len, sets), dtype=np.int64, count=len(sets))
        return np.repeat(self._each, sizes), [member for s in sets for member in s]

    def codes(self, number: int) -> IntArray:
        """Return the values of one of the coded views, as indices into its vocabulary."""
        return self._columns[self._plan.coded[number]]

    def add_to(self, sums: DoubleArray) -> None:
        """Add the weights of all features to the strings' rows, shape (n_strings, length)."""
        packed = [self._packed(packing) for packing in self._plan.packings]
        for addition in self._plan.additions:
            owner, values = packed[addition.packing]
            # Most new words are unknown to all that was learned from words.
            if len(values):
                addition.add(owner, values, sums)

    def _packed(self, packing: tuple[tuple[int, int], ...]) -> tuple[LongArray, LongArray]:
        """Return the packed values that are known, and the index of each value's string."""
        (first, _), *rest = packing
        codes = self._columns[first]
        known = codes != _UNKNOWN
        packed = codes.astype(np.int64)
        for column, factor in rest:
            codes = self._columns[column]
            packed = packed * factor + codes
            known &= codes != _UNKNOWN
        owner = self._owners[self._plan.columns[first][0]]
        return owner[known], packed[known]


def _factor(use: TemplateUse, view: View | SetView) -> int:
    return 1 if isinstance(use.template, Bag) else use.part.factor(view)  # type: ignore[arg-type]


def _numbers(values: Sequence[str], vocabulary: Vocabulary) -> IntArray:
    pairs = map(vocabulary.get, values, repeat(_UNKNOWN))
    return np.fromiter(pairs, dtype=np.int32, count=len(values))
