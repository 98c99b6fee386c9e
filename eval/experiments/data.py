"""Documents as experiments fit and measure on them: tokenized once, known by digests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.document import Document, corpus_fingerprint
from multideid.stacking.decode import tags_to_spans
from multideid.text.bio import TokenLabels, corpus_labels, encode_bio
from multideid.text.table import TokenTable


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """Training documents, then documents to measure on, in one table.

    Parameters
    ----------
    documents : tuple of Document
    tokens : TokenTable
        Of all documents.
    gold : TokenLabels
        Over the labels of the training documents; the others' spans with
        further labels are outside.
    digests : tuple of str
        Fingerprint of every document.
    n_train : int
    """

    documents: tuple[Document, ...] = field(repr=False)
    tokens: TokenTable = field(repr=False)
    gold: TokenLabels = field(repr=False)
    digests: tuple[str, ...] = field(repr=False)
    n_train: int

    @classmethod
    def of(cls, train: Sequence[Document], *measured: Sequence[Document]) -> Data:
        """Tokenize training documents and one or more lots to measure on.

        The training documents come first, so that what is learned from them
        does not depend on what it will be measured on.
        """
        documents = (*train, *(d for lot in measured for d in lot))
        tokens = TokenTable.from_documents(documents)
        gold = encode_bio(tokens, documents, corpus_labels(train))
        digests = tuple(corpus_fingerprint([document]) for document in documents)
        return cls(documents, tokens, gold, digests, len(train))

    @property
    def train(self) -> LongArray:
        """Indices of the training documents."""
        return np.arange(self.n_train)

    @property
    def measured(self) -> LongArray:
        """Indices of all other documents."""
        return np.arange(self.n_train, len(self.documents))

    def part(self, chosen: LongArray) -> tuple[TokenTable, TokenLabels]:
        """Return the tokens of some documents, and their gold tags."""
        return self.tokens.select(chosen), self.gold.rows(self.tokens.rows(chosen))

    def with_tags(self, chosen: LongArray, tags: IntArray) -> list[Document]:
        """Return some documents with the spans that tags of their tokens spell out."""
        tokens = self.tokens.select(chosen)
        spans = tags_to_spans(tokens, TokenLabels(tags, self.gold.names))
        return [self.documents[d].with_spans(s) for d, s in zip(chosen, spans, strict=True)]
