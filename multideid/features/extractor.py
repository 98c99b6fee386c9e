"""From templates to a sparse matrix, by gathering rows; no Python dict per token."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from multideid.arrays import IntArray, IntegerArray, LongArray
from multideid.csr import Csr
from multideid.errors import ModelError, UsageError
from multideid.features.packed_keys import factor_of, repacked, used_values
from multideid.features.stored_values import load_values, save_values
from multideid.features.templates import Bag, Conjunction, Template, Window
from multideid.features.views import SetColumn, SetView, View, definition, shift
from multideid.persistence.array_rules import ArrayRule, check_order
from multideid.persistence.files import load_arrays, save_arrays
from multideid.persistence.strings import load_strings, save_strings
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from scipy import sparse

_UNKNOWN = -1
_EDGE = 0


class FeatureExtractor:
    """Learns which values of its templates occur, and assigns each a column.

    Parameters
    ----------
    templates : sequence of Template
        Columns are ordered by template.
    min_count : int, default 1
        Values seen on fewer tokens of the training data get no column.

    Attributes
    ----------
    n_features_ : int
    keys_ : list of int64 arrays
        For each template, the sorted packed values that have a column.
    vocabularies_ : dict of str to dict
        For each view, the index of each value seen in training, from 1.

    Raises
    ------
    UsageError
        If two different views have the same name.
    """

    def __init__(self, templates: Sequence[Template], min_count: int = 1) -> None:
        self.templates = tuple(dict.fromkeys(templates))
        self.min_count = min_count
        self._views = _views_by_name(self.templates)

    def fit(self, table: TokenTable) -> Self:
        """Learn the columns from a table."""
        self.vocabularies_: dict[str, dict[str, int]] = {
            name: _seen_values(view, table) for name, view in self._views.items()
        }
        mapped = _Mapped(self.vocabularies_, table)
        self.keys_: list[LongArray] = [
            _frequent(self._packed(template, mapped), self.min_count) for template in self.templates
        ]
        self._drop_values()
        self._number_columns()
        return self

    def transform(self, table: TokenTable) -> sparse.csr_matrix:
        """Return the binary features of every token.

        Returns
        -------
        float32 CSR matrix with int32 indices, shape (n_tokens, n_features_)
        """
        return self.rows(table).matrix()

    def rows(self, table: TokenTable) -> Csr:
        """Return what `transform` does, without scipy."""
        return _side_by_side(self._blocks(table), len(table), self.n_features_)

    def fit_transform(self, table: TokenTable) -> sparse.csr_matrix:
        """Fit, then transform the same table."""
        return self.fit(table).transform(table)

    def keep(self, columns: LongArray) -> Self:
        """Keep some columns, renumbered, and drop the values that only the others used.

        Parameters
        ----------
        columns : int64 array
            Sorted.
        """
        bounds = np.searchsorted(columns, self.first_)
        for n, keys in enumerate(self.keys_):
            self.keys_[n] = keys[columns[bounds[n] : bounds[n + 1]] - self.first_[n]]
        self._drop_values()
        self._number_columns()
        return self

    def _drop_values(self) -> None:
        """Drop the values of views that no column uses, and renumber the others in order."""
        used = used_values(self.templates, self.keys_, self.vocabularies_)
        self.keys_ = [
            repacked(template, keys, self.vocabularies_, used)
            for template, keys in zip(self.templates, self.keys_, strict=True)
        ]
        for view, vocabulary in self.vocabularies_.items():
            values = list(vocabulary)
            kept = enumerate(used[view][1:].tolist(), 1)
            self.vocabularies_[view] = {values[v - 1]: n for n, v in kept}

    def groups(self) -> dict[str, LongArray]:
        """Return the column numbers of every feature class."""
        found: dict[str, list[LongArray]] = {}
        for n, template in enumerate(self.templates):
            columns = np.arange(self.first_[n], self.first_[n + 1])
            found.setdefault(template.group, []).append(columns)
        return {group: np.concatenate(parts) for group, parts in found.items()}

    def save(self, folder: Path, name: str = "features") -> None:
        """Write the templates' names and the columns as ``<name>-*`` into `folder`."""
        save_strings(folder, f"{name}-templates", [t.name for t in self.templates])
        arrays = {f"keys_{n}": keys for n, keys in enumerate(self.keys_)}
        save_arrays(folder, f"{name}-keys", **arrays)
        save_values(folder, name, self.vocabularies_)

    def load(self, folder: Path, name: str = "features") -> Self:
        """Read what `save` wrote for an extractor of the same templates.

        Raises
        ------
        ModelError
            If a file is missing or damaged, or the templates were others.
        """
        self._check_templates(folder, f"{name}-templates")
        self.vocabularies_ = load_values(folder, name, self._views)
        rules = {f"keys_{n}": self._rule(n, t) for n, t in enumerate(self.templates)}
        self.keys_ = list(load_arrays(folder, f"{name}-keys", rules).values())
        self._check_unknown(folder / f"{name}-keys.npz")
        self._number_columns()
        return self

    def _rule(self, number: int, template: Template) -> ArrayRule:
        """Return the rule of a template's keys, which are any number for joined values."""
        shape = (f"n_keys_{number}",)
        if len(template.views) > 1:
            return ArrayRule("int64", shape, ascending=True)
        below = len(self.vocabularies_[template.views[0].name]) + 1
        return ArrayRule("int64", shape, low=0, below=below, ascending=True)

    def _check_unknown(self, path: Path) -> None:
        for n, keys in enumerate(self.keys_):
            check_order(path, f"keys_{n}", keys != _UNKNOWN)

    def _number_columns(self) -> None:
        sizes = [len(keys) for keys in self.keys_]
        self.first_ = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.n_features_ = int(self.first_[-1])

    def _check_templates(self, folder: Path, name: str) -> None:
        saved = load_strings(folder, name)
        for before, now in zip_longest(saved, (t.name for t in self.templates)):
            if before != now:
                raise ModelError(
                    folder / f"{name}.npz",
                    f"was trained with the feature template {before!r} where this version has "
                    f"{now!r}; train the model again",
                )

    def _packed(self, template: Template, mapped: _Mapped) -> LongArray:
        """Return the packed values of all tokens, unknown ones excluded."""
        if isinstance(template, Conjunction):
            keys = mapped.conjunction(template)
        elif isinstance(template, Window):
            keys = np.concatenate(mapped.window(template)).astype(np.int64)
            keys = keys[keys != _EDGE]
        else:
            _, sets = mapped.bag(template.view)
            keys = sets[mapped.bag_rows(template)].indices.astype(np.int64)
        return np.asarray(keys[keys != _UNKNOWN])

    def _blocks(self, table: TokenTable) -> list[_Block]:
        mapped = _Mapped(self.vocabularies_, table)
        return [self._block(n, template, mapped) for n, template in enumerate(self.templates)]

    def _block(self, n: int, template: Template, mapped: _Mapped) -> _Block:
        keys, first = self.keys_[n], int(self.first_[n])
        if isinstance(template, Bag):
            _, sets = mapped.bag(template.view)
            return _gathered(_renumbered(sets, keys, first), mapped.bag_rows(template))
        if isinstance(template, Conjunction):
            values = [mapped.conjunction(template)]
        else:
            values = [v.astype(np.int64) for v in mapped.window(template)]
        return _Block.of_columns([_look_up(v, keys, first) for v in values])


def _views_by_name(templates: Iterable[Template]) -> dict[str, View | SetView]:
    views: dict[str, View | SetView] = {}
    for view in (view for template in templates for view in template.views):
        known = views.setdefault(view.name, view)
        if known != view:
            raise UsageError(
                f"two different views are named {view.name!r}: one computes {definition(known)}, "
                f"the other {definition(view)}; rename one, or define the view only once"
            )
    return views


class _Mapped:
    """A table's views as indices into the vocabularies of training."""

    def __init__(self, vocabularies: dict[str, dict[str, int]], table: TokenTable) -> None:
        self._vocabularies = vocabularies
        self._table = table
        self._columns: dict[str, IntArray] = {}
        self._sets: dict[str, tuple[IntArray, Csr]] = {}

    def values(self, view: View, offset: int) -> IntArray:
        if view.name not in self._columns:
            column = view.column(self._table)
            known = self._known(view.name, column.names)
            self._columns[view.name] = known[column.codes]
        return shift(self._columns[view.name], self._table.document, offset, _EDGE)

    def conjunction(self, template: Conjunction) -> LongArray:
        """Pack the parts into one integer per token, -1 where a value is unknown."""
        packed = np.zeros(len(self._table), dtype=np.int64)
        unknown = np.zeros(len(self._table), dtype=np.bool_)
        for view, offset in template.parts:
            values = self.values(view, offset)
            packed = packed * factor_of(self._vocabularies[view.name]) + values
            unknown |= values == _UNKNOWN
        packed[unknown] = _UNKNOWN
        return packed

    def window(self, template: Window) -> list[IntArray]:
        """Return one column per offset, with repeated values masked."""
        columns = [self.values(template.view, offset).copy() for offset in template.offsets]
        for n, column in enumerate(columns):
            for earlier in columns[:n]:
                column[column == earlier] = _UNKNOWN
        return columns

    def bag(self, view: SetView) -> tuple[IntArray, Csr]:
        """Return each token's row, and a matrix with the indices of the values of each set."""
        if view.name not in self._sets:
            column = view.column(self._table)
            known = self._known(view.name, column.names)
            self._sets[view.name] = (column.rows, _known_sets(column, known))
        return self._sets[view.name]

    def bag_rows(self, template: Bag) -> IntArray:
        """Return the row of each token's neighbour, the last (empty) row outside the document."""
        rows, sets = self.bag(template.view)
        return shift(rows, self._table.document, template.offset, sets.shape[0] - 1)

    def _known(self, view: str, names: Sequence[str]) -> IntArray:
        known = map(self._vocabularies[view].get, names, repeat(_UNKNOWN))
        return np.fromiter(known, dtype=np.int32, count=len(names))


class _Block:
    """A block of columns of the matrix: the number of features per token, and their columns."""

    def __init__(self, counts: IntegerArray, indices: IntArray) -> None:
        self.counts = counts
        self.indices = indices

    @classmethod
    def of_columns(cls, columns: list[IntArray]) -> _Block:
        """Make a block from arrays of column numbers, -1 where there is no feature."""
        stacked = np.stack(columns, axis=1)
        present = stacked != _UNKNOWN
        return cls(present.sum(axis=1, dtype=np.min_scalar_type(len(columns))), stacked[present])


def _seen_values(view: View | SetView, table: TokenTable) -> dict[str, int]:
    column = view.column(table)
    if isinstance(column, SetColumn):
        used = np.zeros(len(column.indptr) - 1, dtype=np.bool_)
        used[column.rows] = True
        seen = np.unique(column.indices[np.repeat(used, np.diff(column.indptr))])
    else:
        seen = np.unique(column.codes)
    # Neighbours in a sorted vocabulary have much in common, so that it is stored in few bytes.
    return {value: n for n, value in enumerate(sorted(column.names[c] for c in seen.tolist()), 1)}


def _known_sets(column: SetColumn, known: IntArray) -> Csr:
    values = known[column.indices]
    keep = values != _UNKNOWN
    kept_before = np.concatenate([[0], np.cumsum(keep)])
    indptr = np.append(kept_before[column.indptr], kept_before[-1])
    return _csr(values[keep], indptr, int(known.max(initial=0)) + 1)


def _renumbered(sets: Csr, keys: LongArray, first: int) -> Csr:
    columns = _look_up(sets.indices.astype(np.int64), keys, first)
    keep = columns != _UNKNOWN
    kept_before = np.concatenate([[0], np.cumsum(keep)])
    return _csr(columns[keep], kept_before[sets.indptr], first + len(keys) + 1)


def _gathered(sets: Csr, rows: IntArray) -> _Block:
    gathered = sets[rows]
    return _Block(np.diff(gathered.indptr).astype(np.int32), gathered.indices)


def _frequent(keys: LongArray, min_count: int) -> LongArray:
    values, counts = np.unique(keys, return_counts=True)
    return values[counts >= min_count]


def _look_up(values: LongArray, keys: LongArray, first: int) -> IntArray:
    """Return the column of each packed value, -1 if it has none."""
    if not len(keys):
        return np.full(len(values), _UNKNOWN, dtype=np.int32)
    place = np.searchsorted(keys, values)
    place[place == len(keys)] = 0
    return np.where(keys[place] == values, place + first, _UNKNOWN).astype(np.int32)


def _side_by_side(blocks: list[_Block], n_tokens: int, n_features: int) -> Csr:
    """Interleave the blocks' rows into one CSR matrix.

    The list is emptied, so that the blocks of a training corpus and the matrix are not all
    in memory at the end.
    """
    counts = np.zeros(n_tokens, dtype=np.int64)
    for block in blocks:
        counts += block.counts
    indptr = np.concatenate([[0], np.cumsum(counts)])
    indices = np.empty(int(indptr[-1]), dtype=np.int32)
    cursor = indptr[:-1].copy()
    blocks.reverse()
    while blocks:
        block = blocks.pop()
        before = np.cumsum(block.counts, dtype=np.int64) - block.counts
        places = np.repeat(cursor - before, block.counts) + np.arange(len(block.indices))
        indices[places] = block.indices
        cursor += block.counts
    return _csr(indices, indptr, n_features)


def _csr(indices: IntArray, indptr: LongArray, n_columns: int) -> Csr:
    return Csr.of_ones(indices, indptr.astype(np.int32), n_columns)
