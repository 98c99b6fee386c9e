"""Processor time until a model is loaded, and of single notes, in fresh processes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from multideid.document import Document
from multideid.errors import UsageError

NOTES = 20
NOTE_TOKENS = 300
_SCRIPT = Path(__file__).with_name("start_up_process.py")


@dataclass(frozen=True, slots=True)
class StartUp:
    """How soon a model is ready, in processor seconds: the least of several processes.

    Parameters
    ----------
    processes, notes : int
    tokens : float
        Median whitespace tokens of the notes.
    load : float
        From the start of the process until the model is loaded.
    first_note : float
        The first note, alone.
    new_note : float
        Median of the other notes, alone, when they are read for the first time.
    warm_note : float
        Median of the notes, alone, once they have been read.
    """

    processes: int
    notes: int
    tokens: float
    load: float
    first_note: float
    new_note: float
    warm_note: float

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON values."""
        return asdict(self)


def measure_start_up(
    model: str | Path, documents: Sequence[Document], processes: int = 3, notes: int = NOTES
) -> StartUp:
    """Measure loading and single notes in fresh processes, one after the other.

    Parameters
    ----------
    model : str or Path
        As for `multideid.models.load`.
    documents : sequence of Document
        Those nearest to 300 whitespace tokens are read.
    processes, notes : int

    Raises
    ------
    UsageError
        If there is no text to read, or a process failed.
    """
    chosen = _typical(documents, notes)
    if not chosen or processes < 1:
        raise UsageError("start-up is measured with at least one note and one process")
    runs = [_run(str(model), chosen) for _ in range(processes)]
    least = {name: min(run[name] for run in runs) for name in runs[0]}
    tokens = median(len(text.split()) for text in chosen)
    return StartUp(processes, len(chosen), tokens, **least)


def _typical(documents: Sequence[Document], most: int) -> list[str]:
    texts = [document.text for document in documents if document.text.split()]
    return sorted(texts, key=lambda text: abs(len(text.split()) - NOTE_TOKENS))[:most]


def _run(model: str, texts: list[str]) -> dict[str, float]:
    # Without -P, the folder of the script would hide modules of the standard library.
    command = [sys.executable, "-P", str(_SCRIPT), model]
    done = subprocess.run(
        command, input=json.dumps(texts), capture_output=True, text=True, check=False
    )
    if done.returncode:
        # Its messages may hold text of the notes.
        raise UsageError(
            f"a process that loads {model} and reads notes ended with status {done.returncode}; "
            "--starts 0 does without it"
        )
    seconds: dict[str, float] = json.loads(done.stdout)
    return seconds
