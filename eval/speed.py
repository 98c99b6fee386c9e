"""Throughput of a de-identifier in whitespace tokens per second, by stage.

Processor time is measured, which depends less on other processes than wall time.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any

from multideid.document import Document
from multideid.errors import UsageError
from multideid.timing import timed_stages

if TYPE_CHECKING:
    from multideid.stacking import Deidentifier

LONG_NOTE = 5_000_000
"""Number of characters of the long note."""

_WARM_UP = 2


@dataclass(frozen=True, slots=True)
class Speed:
    """The throughput of a model.

    Parameters
    ----------
    documents, characters, tokens : int
        Of the text of one pass; tokens are separated by white space.
    passes : int
    tokens_per_second : float
        Median of the passes after a warm-up.
    fastest : float
        Tokens per second of the fastest pass.
    microseconds : dict of str to float
        Median time per token by stage; time outside the stages is not included.
    first_pass : float
        Processor seconds of the first pass, which includes compiling and loading.
    """

    documents: int
    characters: int
    tokens: int
    passes: int
    tokens_per_second: float
    fastest: float
    microseconds: dict[str, float]
    first_pass: float

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON values."""
        return asdict(self)


def measure_speed(model: Deidentifier, documents: Sequence[Document], passes: int = 5) -> Speed:
    """Measure the throughput of a model on documents in memory.

    Parameters
    ----------
    model : Deidentifier
        Fitted.
    documents : sequence of Document
    passes : int

    Raises
    ------
    UsageError
        If there is no text to measure on, or no pass.
    """
    tokens = sum(len(document.text.split()) for document in documents)
    if not tokens:
        raise UsageError("there is no text to measure on")
    if passes < 1:
        raise UsageError(f"passes must be at least 1; got {passes}")
    first = _pass(model, documents)[0]
    for _ in range(_WARM_UP - 1):
        _pass(model, documents)
    runs = [_pass(model, documents) for _ in range(passes)]
    seconds = [run[0] for run in runs]
    stages = {name: median(run[1].get(name, 0.0) for run in runs) for name in runs[0][1]}
    return Speed(
        len(documents),
        sum(len(document.text) for document in documents),
        tokens,
        passes,
        tokens / median(seconds),
        tokens / min(seconds),
        {name: 1e6 * value / tokens for name, value in stages.items()},
        first,
    )


def measure_finder(
    find: Callable[[str], object], documents: Sequence[Document], passes: int = 3
) -> float:
    """Return the median whitespace tokens per second of any function of one text.

    The processor time of child processes counts once they have ended.
    """
    tokens = sum(len(document.text.split()) for document in documents)
    seconds = []
    for _ in range(passes + 1):
        begin = _time_with_children()
        for document in documents:
            find(document.text)
        seconds.append(_time_with_children() - begin)
    return tokens / median(seconds[1:])


def _time_with_children() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + ended.ru_utime + ended.ru_stime


def enlarged(documents: Sequence[Document], characters: int) -> list[Document]:
    """Repeat documents under new ids until they have a number of characters."""
    return list(_repeated(documents, characters))


def long_note(documents: Sequence[Document], characters: int = LONG_NOTE) -> Document:
    """Return one document with the texts of many, one below the other."""
    return Document("long", "\n".join(d.text for d in _repeated(documents, characters)))


def peak_memory() -> float:
    """Return the peak memory of this process in megabytes of 10**6 bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return (peak if sys.platform == "darwin" else 1024 * peak) / 1e6


def _repeated(documents: Sequence[Document], characters: int) -> Iterator[Document]:
    size = n = 0
    while size < characters and any(document.text for document in documents):
        for document in documents:
            if size >= characters:
                return
            yield Document(f"{document.id}-{n}", document.text)
            size += len(document.text)
            n += 1


def _pass(model: Deidentifier, documents: Sequence[Document]) -> tuple[float, dict[str, float]]:
    bare = [Document(document.id, document.text) for document in documents]
    begin = process_time()
    with timed_stages() as stages:
        model.predict(bare)
    return process_time() - begin, stages
