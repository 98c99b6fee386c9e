"""One reading of documents: their tokens, and what is computed from them once for all uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from multideid.arrays import FloatArray
from multideid.lazy import lazy
from multideid.scoring.scorer import Scorer
from multideid.text.table import TokenTable

T = TypeVar("T")


class Reading:
    """Tokens, and the scores that base systems give them.

    Decisions, scores of spans, votes and the knowledge of a site all need them. What is
    computed on first use is kept as long as the reading.

    Parameters
    ----------
    tokens : TokenTable
    scorer : Scorer
        Of the base systems.
    """

    def __init__(self, tokens: TokenTable, scorer: Scorer) -> None:
        self.tokens = tokens
        self._scorer = scorer
        self._known: dict[str, object] = {}

    @lazy
    def is_compiled(self) -> bool:
        """Whether compiled loops are worthwhile."""
        return self._scorer.should_compile(len(self.tokens))

    @lazy
    def scores(self) -> list[FloatArray]:
        """The scores of each system, float32, shape (n_tokens, n_labels)."""
        return self._scorer.scores(self.tokens, compiled=self.is_compiled)

    def once(self, name: str, compute: Callable[[], T]) -> T:
        """Return what a function computes, which is called for the first use of a name alone."""
        if name not in self._known:
            self._known[name] = compute()
        return self._known[name]  # type: ignore[return-value]
