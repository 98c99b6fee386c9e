"""What the templates of one source make of new strings, prepared so that little is left to do.

A note of new words brings a few strings to each of many templates, where the calls of numpy for
each template would take longer than their work.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import chain, repeat
from typing import Any

import numpy as np

from multideid.arrays import DoubleArray, IntArray, LongArray
from multideid.features.templates import Bag, Conjunction
from multideid.features.views import SetView, View
from multideid.scoring.csr_weights import CsrWeights
from multideid.scoring.linear_part import TemplateUse
from multideid.scoring.row_arena import Layout, blocks_of
from multideid.scoring.string_sums import UNKNOWN, Additions, Values, add_known

Vocabulary = dict[str, int]


class StringPlan:
    """The functions, vocabularies and weights of the templates of one source.

    Templates share what they have in common: a view is computed once for all, and its values are
    looked up once in each vocabulary.

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
        self._numbers: dict[Hashable, int] = {}
        self.coded = [self._column(view, vocabulary) for view, vocabulary in coded]
        self._layout = layout
        self.additions = self._by_part(uses)
        self._padding = self._by_part(u for u in uses if isinstance(u.template, Conjunction))

    def _by_part(self, uses: Iterable[TemplateUse]) -> list[tuple[Additions, CsrWeights]]:
        by_part: dict[int, list[TemplateUse]] = {}
        for use in uses:
            by_part.setdefault(use.begin, []).append(use)
        return [
            (self._additions(group), CsrWeights.of(group[0].part.weights))
            for group in by_part.values()
        ]

    def _additions(self, uses: Sequence[TemplateUse]) -> Additions:
        columns = [
            [self._column(view, use.part.vocabulary(view)) for view in use.template.views]
            for use in uses
        ]
        factors = [[_factor(use, view) for view in use.template.views] for use in uses]
        starts = [[self._layout.start[block] for block in blocks_of(use)] for use in uses]
        return Additions(
            *_ragged(columns),
            _ragged(factors)[1],
            *_ragged([use.keys for use in uses]),
            _integers([int(use.part.extractor.first_[use.number]) for use in uses]),
            *_ragged(starts),
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
        n_columns = len(self.columns)
        nothing = np.zeros(n_columns, dtype=np.int32)
        values = Values(np.arange(n_columns + 1), nothing, nothing.astype(np.int64))
        for additions, weights in self._padding:
            add_known(values, additions, weights, sums)


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
        begins = np.cumsum([0, *(len(found[n][1]) for n, _ in plan.columns)])
        pairs = (map(words.get, found[n][1], repeat(UNKNOWN)) for n, words in plan.columns)
        codes = np.fromiter(chain.from_iterable(pairs), dtype=np.int32, count=int(begins[-1]))
        owners = [self._each[:0], *(found[n][0] for n, _ in plan.columns)]
        self._values = Values(begins, codes, np.concatenate(owners))

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
        column = self._plan.coded[number]
        begin, stop = self._values.begins[column : column + 2].tolist()
        return self._values.codes[begin:stop]

    def add_to(self, sums: DoubleArray) -> None:
        """Add the weights of all features to the strings' rows, shape (n_strings, length)."""
        for additions, weights in self._plan.additions:
            add_known(self._values, additions, weights, sums)


def _factor(use: TemplateUse, view: View | SetView) -> int:
    return 1 if isinstance(use.template, Bag) else use.part.factor(view)  # type: ignore[arg-type]


def _ragged(rows: Sequence[Sequence[int] | LongArray]) -> tuple[LongArray, LongArray]:
    """Return the begin of each row, and the rows one after the other."""
    joined = np.concatenate([_integers([]), *map(_integers, rows)])
    return np.cumsum([0, *map(len, rows)], dtype=np.int64), joined


def _integers(numbers: Sequence[int] | LongArray) -> LongArray:
    return np.asarray(numbers, dtype=np.int64)
