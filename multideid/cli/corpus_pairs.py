"""Corpora in two parts, one to train on and one to measure on, as given on the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from multideid.errors import UsageError


@dataclass(frozen=True, slots=True)
class CorpusPair:
    """The paths of the two parts of a corpus, and its name in tables."""

    name: str
    train: Path
    test: Path


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
    if names and len(names) != len(train):
        raise UsageError(f"--name is given {len(names)} times for {len(train)} corpora")
    if names and (len(set(names)) < len(names) or not all(map(str.strip, names))):
        raise UsageError("names of --name must not be empty or repeated")
    called = names or corpus_names(train, test)
    return [CorpusPair(*parts) for parts in zip(called, train, test, strict=True)]


def corpus_names(train: Sequence[Path], test: Sequence[Path]) -> list[str]:
    """Name corpora by the part of their paths that differs.

    That is the folder of the part to measure on, else the part itself, else
    both parts; if these are equal too, a number is added.

    Examples
    --------
    >>> corpus_names([Path("a/train"), Path("b/train")], [Path("a/dev.xml"), Path("b/dev.xml")])
    ['a', 'b']
    """
    tests = [path.resolve() for path in test]
    candidates = (
        [path.parent.name for path in tests],
        [path.stem for path in tests],
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
