"""A fresh process that loads a model and reads notes one at a time, and prints how long that took.

Run by `multideid.eval.start_up`, as a script: importing `multideid.eval` takes time of its own.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multideid.stacking import Deidentifier

_WARM_UP = 3
_PASSES = 3


def main(model: str) -> dict[str, float]:
    """Return processor seconds: of loading, from the start of the process on, and of notes."""
    from multideid.models import load

    loaded = load(model)
    ready = process_time()
    texts = json.load(sys.stdin)
    first = _seconds(loaded, texts[:1])
    new = _seconds(loaded, texts[1:]) or first
    for _ in range(_WARM_UP):
        _seconds(loaded, texts)
    warm = [second for _ in range(_PASSES) for second in _seconds(loaded, texts)]
    times = {"first_note": first, "new_note": new, "warm_note": warm}
    return {"load": ready, **{name: median(seconds) for name, seconds in times.items()}}


def _seconds(model: Deidentifier, texts: Sequence[str]) -> list[float]:
    """Return the processor seconds of each text, predicted alone."""
    seconds = []
    for text in texts:
        begin = process_time()
        model.predict(text)
        seconds.append(process_time() - begin)
    return seconds


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1])))
