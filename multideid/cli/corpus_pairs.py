"""Corpora in two parts, or in one to divide into folds, as given on the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from multideid.cli.values import read_test, read_training
from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.document import Document


@dataclass(frozen=True, slots=True)
class CorpusPair:
    """The paths of the parts of a corpus to train and to measure on, and its name in tables.

    Without a part to measure on, the other one is divided into folds.
    """

    name: str
    train: Path
    test: Path | None

    @property
    def paths(self) -> list[Path]:
        """The paths of all parts."""
        return [self.train] if self.test is None else [self.train, self.test]


def corpus_pairs(
    train: Sequence[Path], test: Sequence[Path], names: Sequence[str] | None = None
) -> list[CorpusPair]:
    """Pair the parts in the order in which they were given.

    Raises
    ------
    UsageError
        If the numbers of parts or names differ, or a name is empty or repeated.
    """
    if len(train) != len(test):
        raise UsageError(
            f"--train is given {len(train)} times and --test {len(test)} times; "
            "each corpus to train on needs one to measure on"
        )
    called = _checked(names, len(train)) or corpus_names(train, test)
    return [CorpusPair(*parts) for parts in zip(called, train, test, strict=True)]


def whole_corpora(paths: Sequence[Path], names: Sequence[str] | None = None) -> list[CorpusPair]:
    """Return corpora that are to be divided into folds, in the given order.

    Raises
    ------
    UsageError
        If the number of names differs, or a name is empty or repeated.
    """
    called = _checked(names, len(paths)) or corpus_names(paths, paths)
    return [CorpusPair(name, path, None) for name, path in zip(called, paths, strict=True)]


def read_pair(pair: CorpusPair, format: str | None, labels: str | None) -> list[list[Document]]:
    """Read the parts of a corpus, with the choice of labels of ``--labels``."""
    learned = read_training(pair.train, format, labels)
    return [learned] if pair.test is None else [learned, read_test(pair.test, format, labels)]


def _checked(names: Sequence[str] | None, n: int) -> Sequence[str]:
    if names and len(names) != n:
        raise UsageError(f"--name is given {len(names)} times for {n} corpora")
    if names and (len(set(names)) < len(names) or not all(map(str.strip, names))):
        raise UsageError("names of --name must not be empty or repeated")
    return names or ()


def corpus_names(train: Sequence[Path], test: Sequence[Path]) -> list[str]:
    """Name corpora by the part of their paths that differs.

    That is the folder of the part to measure on, else the part itself without or
    with its suffix, else both parts; if these are equal too, a number is added.

    Examples
    --------
    >>> corpus_names([Path("a/train"), Path("b/train")], [Path("a/dev.xml"), Path("b/dev.xml")])
    ['a', 'b']
    """
    tests = [path.resolve() for path in test]
    candidates = (
        [path.parent.name for path in tests],
        [path.stem for path in tests],
        [path.name for path in tests],
        [f"{a.stem} to {b.stem}" for a, b in zip(train, test, strict=True)],
    )
    for names in candidates:
        if len(set(names)) == len(names) and all(names):
            return names
    return _numbered(candidates[-1])


def _numbered(names: Sequence[str]) -> list[str]:
    seen: Counter[str] = Counter()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(f"{name} ({seen[name]})")
    return numbered
