"""Documents as tokens with one label each, the units of token-level scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from multideid.arrays import BoolArray, LongArray
from multideid.document import Document
from multideid.errors import UsageError
from multideid.text.table import TokenTable
from multideid.text.tokenizer import LINE_ENDS

Offsets = tuple[LongArray, LongArray]

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, eq=False)
class TokenView:
    """The tokens of a batch of documents, as offsets into the joined texts.

    Parameters
    ----------
    tokenization : str
        ``"multideid"``: the TokenTable's tokens without line ends.
        ``"whitespace"``: runs of characters between white space.
    base : int64 array, shape (n_documents,)
        Offset of each document's text in the joined texts.
    start, end : int64 arrays, shape (n_tokens,)
        Half-open character offsets into the joined texts.
    """

    tokenization: str
    base: LongArray = field(repr=False)
    start: LongArray = field(repr=False)
    end: LongArray = field(repr=False)

    def __len__(self) -> int:
        return len(self.start)

    @classmethod
    def from_documents(
        cls, documents: Sequence[Document], tokenization: str = "multideid"
    ) -> TokenView:
        """Tokenize documents.

        Raises
        ------
        UsageError
            If the tokenization is unknown.
        """
        check_tokenization(tokenization)
        lengths = np.array([len(d.text) for d in documents], dtype=np.int64)
        base = np.cumsum(lengths) - lengths
        return cls(tokenization, base, *TOKENIZATIONS[tokenization](documents, base))

    def document(self) -> LongArray:
        """Return the index of every token's document, shape (n_tokens,)."""
        return np.searchsorted(self.base, self.start, side="right") - 1

    def codes(self, documents: Sequence[Document], labels: Sequence[str]) -> LongArray:
        """Label the tokens with the spans of `documents`.

        A token takes the label of the span that it overlaps, the last one if
        there are several.

        Parameters
        ----------
        documents : sequence of Document
            The documents of the view in its order, with any spans.
        labels : sequence of str
            The PHI labels; spans with other labels are ignored.

        Returns
        -------
        int64 array, shape (n_tokens,)
            0 for a token outside all spans, else 1 + the index in `labels`.
        """
        start, end, code = self._span_columns(documents, labels)
        low = np.searchsorted(self.end, start, side="right")
        lengths = np.searchsorted(self.start, end, side="left") - low
        ranges_start = np.cumsum(lengths) - lengths
        rows = np.repeat(low - ranges_start, lengths) + np.arange(lengths.sum())
        codes = np.zeros(len(self), dtype=np.int64)
        codes[rows] = np.repeat(code, lengths)
        return codes

    def _span_columns(self, documents: Sequence[Document], labels: Sequence[str]) -> LongArray:
        code = {label: n for n, label in enumerate(labels, start=1)}
        spans = [
            (base + span.start, base + span.end, code[span.label])
            for base, document in zip(self.base.tolist(), documents, strict=True)
            for span in document.spans
            if span.label in code
        ]
        return np.array(spans, dtype=np.int64).reshape(-1, 3).T


def is_line_end(tokens: TokenTable) -> BoolArray:
    """Return which tokens are line ends, which scores do not count, shape (n_tokens,)."""
    ends = np.array([word in LINE_ENDS for word in tokens.vocabulary], dtype=np.bool_)
    return np.asarray(ends[tokens.type])


def _multideid_tokens(documents: Sequence[Document], base: LongArray) -> Offsets:
    table = TokenTable.from_documents(documents)
    kept = ~is_line_end(table)
    shift = base[table.document[kept]]
    return table.start[kept] + shift, table.end[kept] + shift


def _whitespace_tokens(documents: Sequence[Document], base: LongArray) -> Offsets:
    offsets = [
        (shift + match.start(), shift + match.end())
        for shift, document in zip(base.tolist(), documents, strict=True)
        for match in _WORD.finditer(document.text)
    ]
    start, end = np.array(offsets, dtype=np.int64).reshape(-1, 2).T
    return start, end


TOKENIZATIONS: dict[str, Callable[[Sequence[Document], LongArray], Offsets]] = {
    "multideid": _multideid_tokens,
    "whitespace": _whitespace_tokens,
}


def check_tokenization(name: str) -> None:
    """Raise `UsageError` if the tokenization is unknown."""
    if name not in TOKENIZATIONS:
        raise UsageError(f"unknown tokenization {name!r}; choose from {', '.join(TOKENIZATIONS)}")
