"""The TokenTable: a batch of documents as numpy columns, one row a token."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from multideid.accents import are_composed, composed
from multideid.arrays import BoolArray, IntArray, IntegerArray, LongArray
from multideid.document import Document
from multideid.errors import UsageError
from multideid.text.forms import LINE_END, word_forms
from multideid.text.numbering import distinct
from multideid.text.splitting import split_batch
from multideid.text.structure import find_headings, line_columns, sentence_column

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TokenTable:
    """The tokens of a batch of documents, as columns of equal length.

    Parameters
    ----------
    ids : tuple of str
        Document ids.
    texts : tuple of str
        Document texts.
    first : int32 array, shape (n_documents + 1,)
        Rows ``first[d]:first[d + 1]`` are document ``d``.
    vocabulary : tuple of str
        The distinct token strings ("types"), in NFC: an accent that is a character of its own
        in the text changes no feature. Offsets are those of the text.
    document : int32 array, shape (n_tokens,)
        Index of the token's document.
    start, end : int32 arrays, shape (n_tokens,)
        Half-open character offsets into the document's text.
    type : int32 array, shape (n_tokens,)
        Index of the token's string in `vocabulary`.
    written : int32 array, shape (n_tokens,)
        Index of the string in the text. It differs from `type` only where
        augmentation replaced words.
    line : int32 array, shape (n_tokens,)
        Number of the token's line in the batch. A line end belongs to the
        line that it ends.
    position : int32 array, shape (n_tokens,)
        Index of the token in its line.
    space : bool array, shape (n_tokens,)
        Whether white space precedes the token on its line.
    sentence : int32 array, shape (n_tokens,)
        Number of the token's sentence in the batch.
    headings : tuple of str
        The distinct section headings and field labels, lower case; the first
        is "".
    heading : int32 array, shape (n_tokens,)
        Index in `headings` of the section heading above the token.
    field_label : int32 array, shape (n_tokens,)
        Index in `headings` of the label before the nearest colon to the left
        on the token's line (``Nombre:``), or of "".
    metas : tuple of mapping
        The `meta` of each document, for plug-ins; empty for tables of texts.
    memo : dict
        Results computed from this table; see `cached`. Neither copied nor
        compared.
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...] = field(repr=False)
    first: IntArray = field(repr=False)
    vocabulary: tuple[str, ...] = field(repr=False)
    document: IntArray = field(repr=False)
    start: IntArray = field(repr=False)
    end: IntArray = field(repr=False)
    type: IntArray = field(repr=False)
    written: IntArray = field(repr=False)
    line: IntArray = field(repr=False)
    position: IntArray = field(repr=False)
    space: BoolArray = field(repr=False)
    sentence: IntArray = field(repr=False)
    headings: tuple[str, ...] = field(repr=False)
    heading: IntArray = field(repr=False)
    field_label: IntArray = field(repr=False)
    memo: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)
    metas: tuple[Mapping[str, Any], ...] = field(default=(), repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.type)

    @classmethod
    def from_documents(cls, documents: Iterable[Document]) -> TokenTable:
        """Tokenize documents, ignoring their gold spans."""
        batch = list(documents)
        table = cls.from_texts([d.text for d in batch], [d.id for d in batch])
        return replace(table, metas=tuple(d.meta for d in batch))

    @classmethod
    def from_texts(cls, texts: Sequence[str], ids: Sequence[str] | None = None) -> TokenTable:
        """Tokenize texts; the default ids are numbers from 0.

        Raises
        ------
        UsageError
            If the numbers of ids and texts differ.
        """
        names = [str(n) for n in range(len(texts))] if ids is None else ids
        if len(names) != len(texts):
            raise UsageError(f"{len(texts)} texts came with {len(names)} ids; give one id a text")
        return _build(tuple(names), tuple(texts))

    def words(self) -> list[str]:
        """Return the string of every token, in order."""
        return [self.vocabulary[t] for t in self.type.tolist()]

    def runs(self) -> tuple[IntArray, list[str]]:
        """Return a code for each run of characters between white space, and the distinct runs.

        Returns
        -------
        codes : int32 array, shape (n_runs,)
            One per run, in the order of the texts.
        runs : list of str
        """
        return self.cached("runs", lambda table: distinct(" ".join(table.texts).split()))

    def cached(self, key: Hashable, compute: Callable[[TokenTable], T]) -> T:
        """Return ``compute(self)``, computed at the first call with this key.

        Parameters
        ----------
        key : hashable
            A `View`, or a string that no other function uses.
        compute : callable
        """
        found = self.memo.get(key)
        if found is None:
            found = self.memo[key] = compute(self)
        return found

    def select(self, documents: Sequence[int] | IntegerArray) -> TokenTable:
        """Return the table of some of the documents.

        The result equals that of `from_documents`, except that it shares the
        vocabulary and headings of this table.

        Parameters
        ----------
        documents : sequence of int
            Indices of the documents, in the desired order.
        """
        chosen = np.asarray(documents, dtype=np.int32)
        rows = self.rows(chosen)
        lengths = np.diff(self.first)[chosen]
        columns = {name: getattr(self, name)[rows] for name in _ROW_COLUMNS}
        document = np.repeat(np.arange(len(chosen), dtype=np.int32), lengths)
        columns |= {name: _renumbered(columns[name], document) for name in ("line", "sentence")}
        return replace(
            self,
            ids=tuple(self.ids[d] for d in chosen),
            texts=tuple(self.texts[d] for d in chosen),
            metas=tuple(self.metas[d] for d in chosen) if self.metas else (),
            first=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
            document=document,
            memo={},
            **columns,
        )

    def rows(self, documents: Sequence[int] | IntegerArray) -> LongArray:
        """Return the row numbers of some of the documents, in the given order."""
        ranges = [np.arange(self.first[d], self.first[d + 1]) for d in documents]
        return np.concatenate(ranges) if ranges else np.zeros(0, dtype=np.int64)


_ROW_COLUMNS = (
    "start",
    "end",
    "type",
    "written",
    "line",
    "position",
    "space",
    "sentence",
    "heading",
    "field_label",
)


def _renumbered(numbers: IntArray, document: IntArray) -> IntArray:
    """Number the runs of equal numbers, where runs end at the edges of documents."""
    begins = (np.diff(numbers, prepend=-1) != 0) | (np.diff(document, prepend=-1) != 0)
    return np.cumsum(begins, dtype=np.int32) - np.int32(1)


def _composed(codes: IntArray, strings: tuple[str, ...]) -> tuple[IntArray, tuple[str, ...]]:
    """Return strings in NFC, and the codes of those that are then distinct."""
    if are_composed(strings):
        return codes, strings
    number, kept = distinct(list(map(composed, strings)))
    return number[codes], tuple(kept)


def _build(ids: tuple[str, ...], texts: tuple[str, ...]) -> TokenTable:
    tokens = split_batch(texts)
    kind, vocabulary = _composed(tokens.type, tokens.vocabulary)
    document = np.repeat(np.arange(len(texts), dtype=np.int32), np.diff(tokens.first))
    is_line_end = (word_forms(vocabulary) & LINE_END)[kind] > 0
    line, position = line_columns(document, is_line_end)
    sentence = sentence_column(vocabulary, kind, line, tokens.space)
    headings, heading, field_label = find_headings(vocabulary, kind, document, line, position)
    return TokenTable(
        ids, texts, tokens.first, vocabulary, document, tokens.start, tokens.end, kind, kind,
        line, position, tokens.space, sentence, headings, heading, field_label,
        {"runs": tokens.runs},
    )  # fmt: skip
