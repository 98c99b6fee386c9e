"""Label scores of several linear models over the same tokens, computed together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from multideid.arrays import DoubleArray, FloatingArray, IntArray
from multideid.features.document_context import DocumentContext
from multideid.features.templates import Bag, Conjunction, Window
from multideid.features.views import SetView, View
from multideid.fork_locks import ForkLock
from multideid.scoring.cell_rows import ContextSource, SetSource, StringSource
from multideid.scoring.conjunction_sums import scatter_conjunctions
from multideid.scoring.conjunctions import (
    ConjunctionTable,
    RepeatedWindowValues,
    joined_tables,
)
from multideid.scoring.exactness import Exactness
from multideid.scoring.gather import GatherPlan, gather
from multideid.scoring.linear_part import (
    LinearPart,
    TemplateUse,
    follows_from_a_string,
    source_of,
    uses_of,
)
from multideid.scoring.padded_tokens import PaddedTokens
from multideid.scoring.row_arena import ZERO_ROW, Layout, RowArena
from multideid.scoring.scatter_add import Block, RowTable, collect, scatter_rows
from multideid.scoring.strings import SetRows, StringRows
from multideid.text.table import TokenTable

_TILE = 8192
"""Tokens scored at once, so that their scores stay in the processor's cache."""

_MAX_STRINGS = 20_000
_LONG_ROW = 128
"""Rows with more scores are added as a whole, as memory is read fastest; others by segments."""


class CompiledLinear:
    """Linear models over feature templates, compiled for scoring large texts.

    The weights of all features that are determined by one string at one offset
    are summed once per distinct string. Conjunctions are looked up by integer
    keys; those that differ only by a shift share a look-up. All parts share the
    look-ups.

    Parameters
    ----------
    parts : sequence of LinearPart

    Attributes
    ----------
    width : int
        Scores per token, of all parts.
    reach : int
        Largest absolute offset of a template.
    arena : RowArena
        The rows of all strings and sets.
    strings : dict of View to StringRows
    sets : list of (SetView, SetRows)
    contexts : list of (DocumentContext, StringRows)
    columns : list of (View, int)
        The views whose values are needed for each cell: key of `strings`, and
        column there.
    windows : list of RepeatedWindowValues
    conjunctions : JoinedTables or None
        None if there are none.
    scattered : dict of int to (int64 array, int64 array)
        Targets and lengths of the segments of the sources with long rows.
        Sources are numbered: strings, then sets.
    plan : GatherPlan
        For the other sources.
    """

    def __init__(self, parts: Sequence[LinearPart]) -> None:
        self.parts = list(parts)
        self.width = sum(part.n_labels for part in self.parts)
        uses = uses_of(self.parts)
        self.reach = max([1, *(abs(o) for use in uses for o in use.template.offsets)])
        # Scoring adds strings, which only one thread may do at a time.
        self.lock = ForkLock()
        self._exactness = Exactness(self.parts, uses)
        self._compile(uses, np.float32 if self._exactness.holds() else np.float64, 0)

    def _compile(self, uses: list[TemplateUse], dtype: npt.DTypeLike, generation: int) -> None:
        self.columns: list[tuple[View, int]] = []
        self.arena = RowArena(Layout.of(uses).length, dtype, generation)
        self._compile_strings([u for u in uses if follows_from_a_string(u.template)])
        windows = [u for u in uses if isinstance(u.template, Window)]
        self.windows = [RepeatedWindowValues(use, self._column_of, dtype) for use in windows]
        rest = [u for u in uses if not follows_from_a_string(u.template)]
        self._compile_sets([u for u in rest if isinstance(u.template, Bag)])
        groups = _grouped((u for u in rest if isinstance(u.template, Conjunction)), self._shape)
        tables = [ConjunctionTable(g, self.width, self._column_of, dtype) for g in groups]
        self.conjunctions = joined_tables(tables)
        layouts = [known.layout for known in self._added_once()]
        long = {n: layout for n, layout in enumerate(layouts) if layout.length > _LONG_ROW}
        self.scattered = {n: layout.targets(self.width) for n, layout in long.items()}
        self.plan = GatherPlan.of([() if n in long else x.segments for n, x in enumerate(layouts)])
        self.arena.keep()
        self._clear_rows()

    def open(self, table: TokenTable) -> TableSums:
        """Return the scores of a table's tokens, computed on demand."""
        return TableSums(self, table)

    def clear_if_full(self) -> None:
        """Drop all cached rows if there are too many strings."""
        if max((len(known) for known in self._cached_rows()), default=0) > _MAX_STRINGS:
            self.arena.clear()
            self._clear_rows()

    def is_exact(self) -> bool:
        """Return whether no sum of the present rows can round."""
        contexts = [rows for _, rows in self.contexts]
        is_wide = self.arena.scores.dtype == np.float64
        return is_wide or self._exactness.holds(self._added_once(), contexts)

    def widen(self) -> None:
        """Compile again with sums in float64."""
        self._compile(uses_of(self.parts), np.float64, self.arena.generation + 1)

    def _added_once(self) -> list[StringRows | SetRows]:
        return [*self.strings.values(), *(rows for _, rows in self.sets)]

    def _cached_rows(self) -> list[StringRows | SetRows]:
        return [*self._added_once(), *(rows for _, rows in self.contexts)]

    def _clear_rows(self) -> None:
        for known in self._cached_rows():
            known.clear()

    def _compile_strings(self, uses: list[TemplateUse]) -> None:
        self.strings: dict[View, StringRows] = {}
        for group in _grouped(uses, _source):
            self.strings[_source(group[0])] = StringRows(group, self.arena)

    def _compile_sets(self, uses: list[TemplateUse]) -> None:
        self.sets: list[tuple[SetView, SetRows]] = []
        self.contexts: list[tuple[DocumentContext, StringRows]] = []
        for group in _grouped(uses, lambda use: use.template.views[0]):
            view, rows = group[0].template.views[0], StringRows(group, self.arena)
            if isinstance(view, DocumentContext):
                self.contexts.append((view, rows))
            else:
                assert isinstance(view, SetView)
                self.sets.append((view, SetRows(rows, self.arena)))

    def _shape(self, use: TemplateUse) -> tuple[tuple[int, int], ...]:
        """Return the views of a conjunction with their distances from the leftmost."""
        assert isinstance(use.template, Conjunction)
        lowest = min(use.template.offsets)
        return tuple(
            (self._column_of(view, use.part.vocabulary(view)), offset - lowest)
            for view, offset in use.template.parts
        )

    def _column_of(self, view: View, vocabulary: dict[str, int]) -> int:
        """Return the index in `columns` of a view's values."""
        source = source_of(view)
        rows = self.strings.setdefault(source, StringRows([], self.arena))
        column = (source, rows.column_of(view, vocabulary))
        if column not in self.columns:
            self.columns.append(column)
        return self.columns.index(column)


class TableSums:
    """The sums of feature weights of one table's tokens."""

    def __init__(self, model: CompiledLinear, table: TokenTable) -> None:
        self._model, self._table = model, table
        self._buffer: FloatingArray = np.zeros(0)
        self._padded = PaddedTokens.of(table, model.reach)
        with model.lock:
            self._make_sources()

    def _make_sources(self) -> None:
        model, table = self._model, self._table
        self._generation = model.arena.generation
        self._strings = {
            view: StringSource(rows, view, table) for view, rows in model.strings.items()
        }
        self._sets = [SetSource(rows, view, table) for view, rows in model.sets]
        self._contexts = [
            ContextSource(rows, view, table, model.width) for view, rows in model.contexts
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
        self._model.clear_if_full()
        self._prepare_rows(first, stop)
        if not self._model.is_exact():
            self._model.widen()
            self._prepare_rows(first, stop)

    def _prepare_rows(self, first: int, stop: int) -> None:
        if self._generation != self._model.arena.generation:
            self._make_sources()
        reach = 4 * self._model.reach
        for source in self._strings.values():
            source.prepare(max(first - reach, 0), stop + reach)

    def _collect(self, first: int, stop: int, found: list[DoubleArray]) -> None:
        cells, width = self._padded.cells(first, stop), self._model.width
        start, end = int(cells[0]), int(cells[-1]) + 1
        base = start - 2 * self._model.reach
        scores = self._scored(Block(start, end, base, width))
        begin = 0
        for part in found:
            collect(scores, (cells - base) * width + begin, part)
            begin += part.shape[1]

    def _scored(self, block: Block) -> FloatingArray:
        """Return the scores of a block's cells, surrounded by incomplete scores."""
        model, reach = self._model, self._model.reach
        scores = self._zeros((block.stop + 2 * reach - block.base) * model.width)
        near = block._replace(start=block.start - reach, stop=block.stop + reach)
        tokens = self._padded.tokens[near.start : near.stop + 2 * reach]
        inside = tokens[: near.stop - near.start]
        codes = self._codes(tokens)
        for context in self._contexts:
            context.scatter(inside, model.arena, near, scores)
        if model.conjunctions is not None:
            scatter_conjunctions(codes, model.conjunctions, near, scores)
        around = block._replace(base=near.start)
        for window in model.windows:
            window.subtract(codes[window.column], around, scores[reach * model.width :])
        offsets = self._row_offsets(inside)
        for n, targets in model.scattered.items():
            scatter_rows(offsets[n], RowTable(model.arena.scores, *targets), near, scores)
        gather(offsets, reach, model.plan, model.arena.scores, block, scores)
        return scores

    def _zeros(self, size: int) -> FloatingArray:
        """Return a reused buffer; allocating one takes as long as the sums."""
        dtype = self._model.arena.scores.dtype
        if len(self._buffer) < size or self._buffer.dtype != dtype:
            self._buffer = np.empty(size, dtype)
        self._buffer[:size] = 0
        return self._buffer[:size]

    def _codes(self, tokens: IntArray) -> IntArray:
        codes = np.empty((len(self._model.columns), len(tokens)), dtype=np.int32)
        rows: dict[View, IntArray] = {}
        for n, (view, column) in enumerate(self._model.columns):
            if view not in rows:
                rows[view] = self._strings[view].rows_at(tokens)
            self._strings[view].fill_codes(column, rows[view], codes[n])
        return codes

    def _row_offsets(self, tokens: IntArray) -> IntArray:
        """Return the row offsets of all gathered sources, and of a row of zeros."""
        sources: list[StringSource | SetSource] = [*self._strings.values(), *self._sets]
        offsets = np.empty((len(sources) + 1, len(tokens)), dtype=np.int32)
        for source, found in zip(sources, offsets, strict=False):
            source.fill_row_offsets(tokens, found)
        offsets[-1] = ZERO_ROW
        return offsets


def _source(use: TemplateUse) -> View:
    return source_of(use.template.views[0])


def _grouped(
    uses: Iterable[TemplateUse], key: Callable[[TemplateUse], object]
) -> list[list[TemplateUse]]:
    groups: dict[object, list[TemplateUse]] = {}
    for use in uses:
        groups.setdefault(key(use), []).append(use)
    return list(groups.values())
