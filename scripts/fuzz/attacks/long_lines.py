"""Notes of one long line: processor time and memory that the bundled model takes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from multideid.samples import sample_corpus

SIZES = (1_250_000, 2_500_000, 5_000_000)


class Cost(NamedTuple):
    """What a line cost: seconds of processor time, peak memory, and how much of it is its own.

    The rest is that of a process that has loaded the model, and used it.
    """

    kind: str
    size: int
    seconds: float
    peak: float
    megabytes: float


def _repeated(unit: str) -> Callable[[int], str]:
    return lambda size: (unit * (size // len(unit) + 1))[:size]


def _drawn(characters: str) -> Callable[[int], str]:
    return lambda size: "".join(Random(1).choices(characters, k=size))


def _prose(size: int) -> str:
    text = " ".join(" ".join(note.text.split()) for note in sample_corpus())
    return _repeated(text + " ")(size)


def _names(size: int) -> str:
    """Return words with a capital, of which many are names."""
    draw = Random(1)
    words = (
        w for note in sample_corpus() for w in note.text.split() if w.istitle() and w.isalpha()
    )
    known = sorted({word for word in words if word.istitle() and word.isalpha()})
    return " ".join(draw.choices(known, k=size // 3))[:size]


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
KINDS: dict[str, Callable[[int], str]] = {
    "base64": _drawn(_LETTERS + "0123456789+/"),
    "hex": _drawn("0123456789abcdef"),
    "digits": _drawn("0123456789"),
    "letters": _drawn(_LETTERS.lower()),
    "one letter": _repeated("A"),
    "spaces": _repeated(" "),
    "prose": _prose,
    "short words": _drawn("ab1 "),
    "names": _names,
    "commas": _repeated(","),
    "hyphens, dots": _drawn("-."),
    "brackets": _drawn("()[]{}<>"),
    "<!--": _repeated("<!--"),
    "CJK": _drawn("".join(map(chr, range(0x4E00, 0x9FA6)))),
    "emoji": _drawn("".join(map(chr, range(0x1F600, 0x1F650)))),
    "accents": _repeated("e\u0301"),
}


def costs(kinds: Sequence[str], sizes: Sequence[int]) -> Iterator[Cost]:
    """Yield the cost of each kind and size, each measured in a process of its own."""
    for kind in kinds:
        for size in sizes:
            command = [sys.executable, __file__, kind, str(size)]
            run = subprocess.run(command, capture_output=True, text=True, check=True)
            yield Cost(kind, size, *map(float, run.stdout.split()))


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
    print(time.process_time() - start, peak / 1024, (peak - before) / 1024)


if __name__ == "__main__":
    _measure(sys.argv[1], int(sys.argv[2]))
