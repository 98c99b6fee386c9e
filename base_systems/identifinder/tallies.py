"""The counts of a tagged text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from multideid.arrays import AnyArray, BoolArray, IntArray, IntegerArray, LongArray
from multideid.base_systems.identifinder.counts import CountTable
from multideid.base_systems.identifinder.symbols import BEGIN_PAIR, END, END_PAIR, word_of
from multideid.persistence.array_rules import ArrayRule, check_order
from multideid.persistence.files import load_arrays, save_arrays

_TABLES = ("bigrams", "first", "moves")


@dataclass(frozen=True, slots=True)
class TaggedText:
    """Tokens with their classes, as the model reads them.

    Parameters
    ----------
    pairs : int64 array, shape (n_tokens,)
        Encoded words and features.
    classes : int32 array, shape (n_tokens,)
        0 for outside, ``k + 1`` for the ``k``-th label.
    enters : bool array, shape (n_tokens,)
        Whether the token is the first of a segment of one class.
    line_begins : bool array, shape (n_tokens,)
        Whether the token is the first of a line; lines are the model's sentences.
    """

    pairs: LongArray
    classes: IntArray
    enters: BoolArray
    line_begins: BoolArray

    @classmethod
    def of(cls, pairs: LongArray, tags: IntArray, line_begins: BoolArray) -> Self:
        """Read BIO tags; a class is entered where it changes, at "B" and at line starts."""
        classes = (tags + 1) // 2
        changes = np.diff(classes, prepend=-1) != 0
        return cls(pairs, classes, changes | (tags % 2 == 1) | line_begins, line_begins)


@dataclass(frozen=True, slots=True)
class Tallies:
    """The counts from which all probabilities are estimated.

    Parameters
    ----------
    bigrams : CountTable
        Classes of each ``previous pair * n_pairs + pair``. `BEGIN_PAIR` precedes the
        first word of a segment, `END_PAIR` follows the last.
    first : CountTable
        Classes of each ``previous class * n_pairs + pair`` of a segment's first words.
    moves : CountTable
        The class after each ``previous class * n_words + previous word`` where a
        segment ends. The class ``n_classes`` is the boundary of a line.
    n_words, n_pairs : int
        Factors of the keys.
    """

    bigrams: CountTable
    first: CountTable
    moves: CountTable
    n_words: int
    n_pairs: int

    @classmethod
    def of(cls, text: TaggedText, n_classes: int, n_words: int, n_pairs: int) -> Self:
        """Count in a text."""
        bigrams = _count(*_bigrams(text, n_pairs), n_classes)
        first = _count(*_first(text, n_classes, n_pairs), n_classes)
        moves = _count(*_moves(text, n_classes, n_words), n_classes + 1)
        return cls(bigrams, first, moves, n_words, n_pairs)

    @property
    def n_classes(self) -> int:
        """Number of classes, outside among them."""
        return int(self.bigrams.counts.shape[1])

    def save(self, folder: Path, name: str) -> None:
        """Write ``<name>.npz`` into `folder`."""
        arrays = {"sizes": np.array([self.n_classes, self.n_words, self.n_pairs])}
        for table in _TABLES:
            counts = getattr(self, table).counts[:-1].tocoo()
            arrays[f"{table}-keys"] = getattr(self, table).keys[counts.row]
            arrays[f"{table}-classes"] = counts.col.astype(np.int16)
            arrays[f"{table}-counts"] = counts.data.astype(np.int32)
        save_arrays(folder, name, **arrays)

    @classmethod
    def load(cls, folder: Path, name: str, n_classes: int, n_words: int, n_pairs: int) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If the file is missing or damaged, or holds counts of other sizes.
        """
        largest = {
            "bigrams": (n_pairs * n_pairs, n_classes),
            "first": ((n_classes + 1) * n_pairs, n_classes),
            "moves": ((n_classes + 1) * n_words, n_classes + 1),
        }
        rules = {"sizes": ArrayRule("int64", (3,))}
        for table in _TABLES:
            rules |= _rules(table, *largest[table])
        arrays = load_arrays(folder, name, rules)
        sizes = [n_classes, n_words, n_pairs]
        check_order(folder / f"{name}.npz", "sizes", arrays["sizes"].tolist() == sizes)
        bigrams, first = (_read(arrays, table, n_classes) for table in _TABLES[:2])
        return cls(bigrams, first, _read(arrays, _TABLES[2], n_classes + 1), n_words, n_pairs)


def _rules(table: str, n_keys: int, n_classes: int) -> dict[str, ArrayRule]:
    shape = (f"n_{table}",)
    return {
        f"{table}-keys": ArrayRule("int64", shape, low=0, below=n_keys),
        f"{table}-classes": ArrayRule("int16", shape, low=0, below=n_classes),
        f"{table}-counts": ArrayRule("int32", shape, low=1),
    }


def _read(arrays: dict[str, AnyArray], table: str, n_classes: int) -> CountTable:
    keys, classes, counts = (arrays[f"{table}-{part}"] for part in ("keys", "classes", "counts"))
    return CountTable.of(keys, classes, counts, n_classes)


def _count(keys: LongArray, classes: IntegerArray, n_classes: int) -> CountTable:
    return CountTable.of(keys, classes, np.ones(len(keys), dtype=np.int64), n_classes)


def _bigrams(text: TaggedText, n_pairs: int) -> tuple[LongArray, IntArray]:
    previous = np.where(text.enters, BEGIN_PAIR, np.roll(text.pairs, 1))
    leaves = _before_each(text.enters)
    keys = (previous * n_pairs + text.pairs, text.pairs[leaves] * n_pairs + END_PAIR)
    return np.concatenate(keys), np.concatenate([text.classes, text.classes[leaves]])


def _first(text: TaggedText, n_classes: int, n_pairs: int) -> tuple[LongArray, IntArray]:
    before = _class_before(text, n_classes)[text.enters]
    return before * n_pairs + text.pairs[text.enters], text.classes[text.enters]


def _moves(text: TaggedText, n_classes: int, n_words: int) -> tuple[LongArray, LongArray]:
    words = word_of(text.pairs)
    word_before = np.where(text.line_begins, END, np.roll(words, 1))
    keys = _class_before(text, n_classes) * n_words + word_before
    ends = _before_each(text.line_begins)
    last = text.classes[ends].astype(np.int64) * n_words + words[ends]
    after = np.concatenate([text.classes[text.enters], np.full(len(last), n_classes)])
    return np.concatenate([keys[text.enters], last]), after


def _class_before(text: TaggedText, n_classes: int) -> LongArray:
    before = np.where(text.line_begins, n_classes, np.roll(text.classes, 1))
    return np.asarray(before, dtype=np.int64)


def _before_each(flags: BoolArray) -> BoolArray:
    """Mark the tokens before the marked ones, and the last of all."""
    return np.append(flags[1:], np.ones(min(len(flags), 1), dtype=np.bool_))
