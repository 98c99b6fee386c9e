"""Label scores of several linear models over the same tokens, all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import Lock

import numpy as np
import numpy.typing as npt

from multideid.arrays import DoubleArray, FloatingArray, IntArray
from multideid.features.document_context import DocumentContext
from multideid.features.templates import Bag, Conjunction, Window
from multideid.features.views import SetView, View
from multideid.scoring.cell_rows import ElsewhereSource, SetSource, StringSource
from multideid.scoring.conjunctions import EntryFamily, RowFamily, family
from multideid.scoring.exactness import Exactness
from multideid.scoring.gather import Plan, gather
from multideid.scoring.linear_part import (
    LinearPart,
    Use,
    follows_from_a_string,
    source_of,
    uses_of,
)
from multideid.scoring.padded_tokens import Tape
from multideid.scoring.row_arena import NOTHING, Layout, Pool
from multideid.scoring.scatter_add import Block, RowTable, collect, push_rows
from multideid.scoring.strings import SetRows, StringRows
from multideid.scoring.window_sets import WindowRepeats
from multideid.text.table import TokenTable

_TILE = 8192
"""Tokens scored at once: their scores should stay in the processor's cache."""

_MOST_STRINGS = 20_000
_LONG = 128
"""A row of more scores is read in one go, which memory is fast at; a shorter one piece by piece."""


class CompiledLinear:
    """Linear models over feature templates, made ready to score much text.

    What follows from one string at one offset is summed once for each distinct
    string; conjunctions are looked up by integer keys, those that differ by a
    shift only once. All parts share the look-ups.

    Parameters
    ----------
    parts : sequence of LinearPart

    Attributes
    ----------
    width : int
        Scores a token, of all parts.
    reach : int
        How far from a token the farthest template looks.
    pool : Pool
        The rows of all that is gathered.
    strings : dict of View to StringRows
    sets : list of (SetView, SetRows)
    elsewhere : list of (DocumentContext, StringRows)
    columns : list of (View, int)
        The values of views needed for each cell: source in `strings`, and column there.
    windows : list of WindowRepeats
    row_families : list of RowFamily
    entry_families : list of EntryFamily
    pushed : dict of int to (int64 array, int64 array)
        The sources with long rows, and where their pieces go. Sources are
        numbered: strings, then sets, then families.
    plan : Plan
        How the rows of the others are gathered.
    """

    def __init__(self, parts: Sequence[LinearPart]) -> None:
        self.parts = list(parts)
        self.width = sum(part.n_labels for part in self.parts)
        uses = uses_of(self.parts)
        self.reach = max([1, *(abs(o) for use in uses for o in use.template.offsets)])
        # Strings are added while text is scored, so that only one thread may do so at a time.
        self.lock = Lock()
        self._exactness = Exactness(self.parts, uses)
        self._compile(uses, np.float32 if self._exactness.holds() else np.float64, 0)

    def _compile(self, uses: list[Use], dtype: npt.DTypeLike, age: int) -> None:
        self.columns: list[tuple[View, int]] = []
        self.pool = Pool(Layout.of(uses).length, dtype, age)
        self._compile_strings([u for u in uses if follows_from_a_string(u.template)])
        windows = [u for u in uses if isinstance(u.template, Window)]
        self.windows = [WindowRepeats(use, self._column_of, dtype) for use in windows]
        rest = [u for u in uses if not follows_from_a_string(u.template)]
        self._compile_sets([u for u in rest if isinstance(u.template, Bag)])
        self._compile_families([u for u in rest if isinstance(u.template, Conjunction)])
        layouts = [known.layout for known in [*self._added_once(), *self.row_families]]
        long = {n: layout for n, layout in enumerate(layouts) if layout.length > _LONG}
        self.pushed = {n: layout.targets(self.width) for n, layout in long.items()}
        self.plan = Plan.of([() if n in long else x.pieces for n, x in enumerate(layouts)])
        self.pool.keep()
        self._begin()

    def open(self, table: TokenTable) -> TableSums:
        """Return the scores of a table's tokens, to be asked for by and by."""
        return TableSums(self, table)

    def forget_if_full(self) -> None:
        """Begin anew where too many strings are known."""
        if max((len(known) for known in self._growing()), default=0) > _MOST_STRINGS:
            self.pool.forget()
            self._begin()

    def is_exact(self) -> bool:
        """Tell whether no sum of the rows there are may round."""
        several = [rows for _, rows in self.elsewhere]
        is_wide = self.pool.scores.dtype == np.float64
        return is_wide or self._exactness.holds(self._added_once(), several)

    def widen(self) -> None:
        """Take sums of float64 from now on, and begin anew."""
        self._compile(uses_of(self.parts), np.float64, self.pool.age + 1)

    def _added_once(self) -> list[StringRows | SetRows]:
        return [*self.strings.values(), *(rows for _, rows in self.sets)]

    def _begin(self) -> None:
        for known in self._growing():
            known.begin()

    def _growing(self) -> list[StringRows | SetRows]:
        return [*self._added_once(), *(rows for _, rows in self.elsewhere)]

    def _compile_strings(self, uses: list[Use]) -> None:
        self.strings: dict[View, StringRows] = {}
        for group in _grouped(uses, _source):
            self.strings[_source(group[0])] = StringRows(group, self.pool)

    def _compile_sets(self, uses: list[Use]) -> None:
        self.sets: list[tuple[SetView, SetRows]] = []
        self.elsewhere: list[tuple[DocumentContext, StringRows]] = []
        for group in _grouped(uses, lambda use: use.template.views[0]):
            view, rows = group[0].template.views[0], StringRows(group, self.pool)
            if isinstance(view, DocumentContext):
                self.elsewhere.append((view, rows))
            else:
                assert isinstance(view, SetView)
                self.sets.append((view, SetRows(rows, self.pool)))

    def _compile_families(self, uses: list[Use]) -> None:
        groups = _grouped(uses, self._shape)
        found = [family(group, self.width, self._column_of, self.pool) for group in groups]
        self.row_families = [f for f in found if isinstance(f, RowFamily)]
        self.entry_families = [f for f in found if isinstance(f, EntryFamily)]

    def _shape(self, use: Use) -> tuple[tuple[int, int], ...]:
        """Return the views of a conjunction with their distances from the leftmost."""
        assert isinstance(use.template, Conjunction)
        lowest = min(use.template.offsets)
        return tuple(
            (self._column_of(view, use.part.vocabulary(view)), offset - lowest)
            for view, offset in use.template.parts
        )

    def _column_of(self, view: View, vocabulary: dict[str, int]) -> int:
        """Return the number of a view's values among all that are wanted for each cell."""
        source = source_of(view)
        rows = self.strings.setdefault(source, StringRows([], self.pool))
        place = (source, rows.column_of(view, vocabulary))
        if place not in self.columns:
            self.columns.append(place)
        return self.columns.index(place)


class TableSums:
    """A table whose tokens are being scored."""

    def __init__(self, model: CompiledLinear, table: TokenTable) -> None:
        self._model, self._table = model, table
        self._room: FloatingArray = np.zeros(0)
        self._tape = Tape.of(table, model.reach)
        with model.lock:
            self._open_sources()

    def _open_sources(self) -> None:
        model, table = self._model, self._table
        self._age = model.pool.age
        self._strings = {
            source: StringSource(rows, source, table) for source, rows in model.strings.items()
        }
        self._sets = [SetSource(rows, view, table) for view, rows in model.sets]
        self._elsewhere = [
            ElsewhereSource(rows, view, table, model.width) for view, rows in model.elsewhere
        ]

    def scores(self, first: int, stop: int) -> list[DoubleArray]:
        """Return the label scores of tokens ``first:stop`` by every part.

        Returns
        -------
        list of float64 arrays, shape (stop - first, n_labels)
        """
        found = [np.empty((stop - first, part.n_labels)) for part in self._model.parts]
        with self._model.lock:
            self._prepare(first, stop)
            for at in range(first, stop, _TILE):
                end = min(at + _TILE, stop)
                self._collect(at, end, [f[at - first : end - first] for f in found])
        return found

    def _prepare(self, first: int, stop: int) -> None:
        self._model.forget_if_full()
        self._have_rows(first, stop)
        if not self._model.is_exact():
            self._model.widen()
            self._have_rows(first, stop)

    def _have_rows(self, first: int, stop: int) -> None:
        if self._age != self._model.pool.age:
            self._open_sources()
        reach = 4 * self._model.reach
        for source in self._strings.values():
            source.prepare(max(first - reach, 0), stop + reach)

    def _collect(self, first: int, stop: int, found: list[DoubleArray]) -> None:
        cells, width = self._tape.cells(first, stop), self._model.width
        start, end = int(cells[0]), int(cells[-1]) + 1
        base = start - 2 * self._model.reach
        scores = self._scored(Block(start, end, base, width))
        begin = 0
        for part in found:
            collect(scores, (cells - base) * width + begin, part)
            begin += part.shape[1]

    def _scored(self, block: Block) -> FloatingArray:
        """Return the scores of a block's cells; those of cells around it are not complete."""
        model, reach = self._model, self._model.reach
        scores = self._zeros((block.stop + 2 * reach - block.base) * model.width)
        near = block._replace(start=block.start - reach, stop=block.stop + reach)
        tokens = self._tape.tokens[near.start : near.stop + 2 * reach]
        inside = tokens[: near.stop - near.start]
        codes = self._codes(tokens)
        for source in self._elsewhere:
            source.push(inside, model.pool, near, scores)
        for entries in model.entry_families:
            entries.push(codes, near, scores)
        around = block._replace(base=near.start)
        for window in model.windows:
            window.take_back(codes[window.column], around, scores[reach * model.width :])
        places = self._places(inside, codes)
        for n, targets in model.pushed.items():
            push_rows(places[n], RowTable(model.pool.scores, *targets), near, scores)
        gather(places, reach, model.plan, model.pool.scores, block, scores)
        return scores

    def _zeros(self, size: int) -> FloatingArray:
        """Return memory that is used again and again: new memory costs as much as the sums."""
        dtype = self._model.pool.scores.dtype
        if len(self._room) < size or self._room.dtype != dtype:
            self._room = np.empty(size, dtype)
        self._room[:size] = 0
        return self._room[:size]

    def _codes(self, tokens: IntArray) -> IntArray:
        codes = np.empty((len(self._model.columns), len(tokens)), dtype=np.int32)
        rows: dict[View, IntArray] = {}
        for n, (source, column) in enumerate(self._model.columns):
            if source not in rows:
                rows[source] = self._strings[source].rows_at(tokens)
            self._strings[source].codes_at(column, rows[source], codes[n])
        return codes

    def _places(self, tokens: IntArray, codes: IntArray) -> IntArray:
        """Return the places of the rows of all that is gathered, and of nothing."""
        sources: list[StringSource | SetSource] = [*self._strings.values(), *self._sets]
        families = self._model.row_families
        places = np.empty((len(sources) + len(families) + 1, len(tokens)), dtype=np.int32)
        for source, found in zip(sources, places, strict=False):
            source.places_at(tokens, found)
        for conjunctions, found in zip(families, places[len(sources) :], strict=False):
            conjunctions.places_at(codes, found)
        places[-1] = NOTHING
        return places


def _source(use: Use) -> View:
    return source_of(use.template.views[0])


def _grouped(uses: Iterable[Use], key: Callable[[Use], object]) -> list[list[Use]]:
    groups: dict[object, list[Use]] = {}
    for use in uses:
        groups.setdefault(key(use), []).append(use)
    return list(groups.values())
