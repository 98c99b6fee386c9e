"""From templates to a sparse matrix, by gathering rows; no Python dict per token."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from multideid.arrays import LongArray
from multideid.csr import Csr
from multideid.errors import ModelError, UsageError
from multideid.features.feature_blocks import Block, look_up, side_by_side
from multideid.features.mapped_views import EDGE, UNKNOWN, MappedViews, seen_values
from multideid.features.packed_keys import repacked, used_values
from multideid.features.stored_values import load_values, save_values
from multideid.features.templates import Bag, Conjunction, Template, Window
from multideid.features.views import SetView, View, definition
from multideid.persistence.array_rules import ArrayRule, check_order
from multideid.persistence.files import load_arrays, save_arrays
from multideid.persistence.strings import load_strings, save_strings
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from scipy import sparse


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
            name: seen_values(view, table) for name, view in self._views.items()
        }
        mapped = MappedViews(self.vocabularies_, table)
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
        return side_by_side(self._blocks(table), len(table), self.n_features_)

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
            check_order(path, f"keys_{n}", keys != UNKNOWN)

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

    def _packed(self, template: Template, mapped: MappedViews) -> LongArray:
        """Return the packed values of all tokens, unknown ones excluded."""
        if isinstance(template, Conjunction):
            keys = mapped.conjunction(template)
        elif isinstance(template, Window):
            keys = np.concatenate(mapped.window(template)).astype(np.int64)
            keys = keys[keys != EDGE]
        else:
            _, sets = mapped.bag(template.view)
            keys = sets[mapped.bag_rows(template)].indices.astype(np.int64)
        return np.asarray(keys[keys != UNKNOWN])

    def _blocks(self, table: TokenTable) -> list[Block]:
        mapped = MappedViews(self.vocabularies_, table)
        return [self._block(n, template, mapped) for n, template in enumerate(self.templates)]

    def _block(self, n: int, template: Template, mapped: MappedViews) -> Block:
        keys, first = self.keys_[n], int(self.first_[n])
        if isinstance(template, Bag):
            _, sets = mapped.bag(template.view)
            return Block.of_sets(sets, mapped.bag_rows(template), keys, first)
        if isinstance(template, Conjunction):
            values = [mapped.conjunction(template)]
        else:
            values = [v.astype(np.int64) for v in mapped.window(template)]
        return Block.of_columns([look_up(v, keys, first) for v in values])


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


def _frequent(keys: LongArray, min_count: int) -> LongArray:
    values, counts = np.unique(keys, return_counts=True)
    return values[counts >= min_count]
