"""Corpora in two parts, one to train on and one to measure on, as given on the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from multideid.errors import UsageError

Train = Annotated[
    list[Path],
    typer.Option(
        "--train", metavar="CORPUS", help="A corpus to train on. Can be given several times."
    ),
]
Test = Annotated[
    list[Path],
    typer.Option(
        "--test", metavar="CORPUS", help="The corpus to measure on: one for each --train."
    ),
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--name",
        metavar="NAME",
        help="What tables call a corpus: one for each --train. Default: made from the paths.",
    ),
]


@dataclass(frozen=True, slots=True)
class CorpusPair:
    """Where the two parts of a corpus are, and what tables call it."""

    name: str
    train: Path
    test: Path


def corpus_pairs(
    train: Sequence[Path], test: Sequence[Path], names: Sequence[str] | None = None
) -> list[CorpusPair]:
    """Put the parts together in the order in which they were given.

    Raises
    ------
    UsageError
        If there are not as many of each, or a name is empty or there twice.
    """
    if len(train) != len(test):
        raise UsageError(
            f"--train is given {len(train)} times and --test {len(test)} times; "
            "each corpus to train on needs one to measure on"
        )
    if names and len(names) != len(train):
        raise UsageError(f"--name is given {len(names)} times for {len(train)} corpora")
    if names and (len(set(names)) < len(names) or not all(map(str.strip, names))):
        raise UsageError("each --name must say something, and be there once")
    called = names or corpus_names(train, test)
    return [CorpusPair(*parts) for parts in zip(called, train, test, strict=True)]


def corpus_names(train: Sequence[Path], test: Sequence[Path]) -> list[str]:
    """Name corpora after what tells their paths apart.

    The folder of the part to measure on, else the part itself, else both
    parts; and if that is not enough, a number.

    Examples
    --------
    >>> corpus_names([Path("a/train"), Path("b/train")], [Path("a/dev.xml"), Path("b/dev.xml")])
    ['a', 'b']
    """
    tests = [path.resolve() for path in test]
    ways = (
        [path.parent.name for path in tests],
        [path.stem for path in tests],
        [f"{a.stem} to {b.stem}" for a, b in zip(train, test, strict=True)],
    )
    for names in ways:
        if len(set(names)) == len(names) and all(names):
            return names
    return _numbered(ways[-1])


def _numbered(names: Sequence[str]) -> list[str]:
    seen: Counter[str] = Counter()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(f"{name} ({seen[name]})")
    return numbered
