"""Notes of one long line: processor time and memory that the bundled model takes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from multideid.samples import sample_corpus

SIZES = (500_000, 1_000_000, 2_500_000, 5_000_000)


class Cost(NamedTuple):
    """What a line cost: seconds of processor time, and megabytes above those of an empty note."""

    kind: str
    size: int
    seconds: float
    megabytes: float


def _repeated(unit: str) -> Callable[[int], str]:
    return lambda size: (unit * (size // len(unit) + 1))[:size]


def _drawn(characters: str) -> Callable[[int], str]:
    return lambda size: "".join(Random(1).choices(characters, k=size))


def _prose(size: int) -> str:
    text = " ".join(" ".join(note.text.split()) for note in sample_corpus())
    return _repeated(text + " ")(size)


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
KINDS: dict[str, Callable[[int], str]] = {
    "base64": _drawn(_LETTERS + "0123456789+/"),
    "prose": _prose,
    "digits": _drawn("0123456789"),
    "letters": _drawn(_LETTERS.lower()),
    "spaces": _repeated(" "),
    "commas": _repeated(","),
    "<!--": _repeated("<!--"),
    "short words": _drawn("ab1 "),
}


def costs(kinds: Sequence[str], sizes: Sequence[int]) -> Iterator[Cost]:
    """Yield the cost of each kind and size, each measured in a process of its own."""
    for kind in kinds:
        for size in sizes:
            command = [sys.executable, __file__, kind, str(size)]
            run = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds, megabytes = map(float, run.stdout.split())
            yield Cost(kind, size, seconds, megabytes)


def _measure(kind: str, size: int) -> None:
    import resource
    import time

    from multideid.models.bundled import load

    text = KINDS[kind](size)
    model = load("en-default")
    # Compiles what long notes use.
    model.spans(_prose(150_000))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    model.spans(text)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(time.process_time() - start, (peak - before) / 1024)


if __name__ == "__main__":
    _measure(sys.argv[1], int(sys.argv[2]))
