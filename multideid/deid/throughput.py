"""How much text was processed, and how fast."""

from __future__ import annotations

from time import perf_counter
from typing import Any


class Pace:
    """Counts what is done from when it is made."""

    def __init__(self) -> None:
        self.tokens = 0
        self._start = perf_counter()

    def add(self, text: str) -> None:
        """Count the tokens of a text that was processed: what white space parts."""
        self.tokens += len(text.split())

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return perf_counter() - self._start

    def __str__(self) -> str:
        return f"{self._per_second():,} tokens/s"

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON values."""
        return {
            "tokens": self.tokens,
            "seconds": round(self.seconds, 3),
            "tokens_per_second": self._per_second(),
        }

    def _per_second(self) -> int:
        return round(self.tokens / max(self.seconds, 1e-9))
