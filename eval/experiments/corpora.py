"""Corpora with training and test documents, and their tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.document import Document, corpus_fingerprint
from multideid.errors import UsageError
from multideid.eval.metrics.evaluation import Evaluation, evaluate
from multideid.stacking.decode import tags_to_spans
from multideid.text.bio import TokenLabels, corpus_labels, encode_bio
from multideid.text.table import TokenTable


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus in two parts.

    Parameters
    ----------
    name : str
        The name in tables.
    train, test : tuple of Document
    """

    name: str
    train: tuple[Document, ...] = field(repr=False)
    test: tuple[Document, ...] = field(repr=False)

    def notes(self) -> tuple[str, ...]:
        """Return notes on labels that occur in one part only, and on documents in both."""
        learned, measured = set(corpus_labels(self.train)), set(corpus_labels(self.test))
        notes = [note] if (note := self.overlap_note()) else []
        if absent := sorted(learned - measured):
            notes.append(
                f"{self.name}: no {_listed(absent)} in the test documents, so that recall, F "
                "and z are 0 there by definition"
            )
        if unknown := sorted(measured - learned):
            notes.append(
                f"{self.name}: no {_listed(unknown)} in the training documents, so that no "
                "system can predict the label"
            )
        if len(learned) == 1:
            notes.append(f"{self.name}: there is one class, so that 1-way is two-way")
        return tuple(notes)

    def overlap_note(self) -> str | None:
        """Return a note on test documents with the text of a training document, if any."""
        known = {document.text for document in self.train}
        shared = sum(bool(d.text.strip()) and d.text in known for d in self.test)
        if not shared:
            return None
        return (
            f"{self.name}: {shared} of {len(self.test)} test documents have the text of a training "
            "document, so that the scores are too high"
        )


def check_corpora(corpora: Sequence[Corpus], *, tests: bool = True) -> tuple[Corpus, ...]:
    """Return the corpora if they are usable, by default with test documents.

    Raises
    ------
    UsageError
        If there is none, if two have the same name, or if one has no training
        or test documents, or no span to learn from.
    """
    if not corpora:
        raise UsageError("an experiment needs at least one corpus")
    repeated = sorted(n for n, k in Counter(c.name for c in corpora).items() if k > 1)
    if repeated:
        raise UsageError(f"the names of corpora must differ; repeated: {', '.join(repeated)}")
    for corpus in corpora:
        _check(corpus, tests)
    return tuple(corpora)


def _check(corpus: Corpus, tests: bool) -> None:
    for part, documents in (("training", corpus.train), ("test", corpus.test)):
        if not documents and (tests or part == "training"):
            raise UsageError(f"corpus {corpus.name!r} has no {part} documents")
    if not any(document.spans for document in corpus.train):
        raise UsageError(
            f"none of the {len(corpus.train)} training documents of corpus {corpus.name!r} has a "
            "span: training needs annotated PHI"
        )


def _listed(labels: Sequence[str]) -> str:
    return " or ".join(labels) if len(labels) < 3 else f"{', '.join(labels[:-1])} or {labels[-1]}"


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """Training documents, followed by test documents, in one token table.

    Parameters
    ----------
    documents : tuple of Document
    tokens : TokenTable
        Of all documents.
    gold : TokenLabels
        With the labels of the training documents; spans with other labels are
        outside.
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
    def of(cls, train: Sequence[Document], *tests: Sequence[Document]) -> Data:
        """Tokenize training documents and one or more sets of test documents.

        Vocabularies begin with the training documents, so that a fit does not
        depend on the test documents.
        """
        documents = (*train, *(document for test in tests for document in test))
        tokens = TokenTable.from_documents(documents)
        gold = encode_bio(tokens, documents, corpus_labels(train))
        digests = tuple(corpus_fingerprint([document]) for document in documents)
        return cls(documents, tokens, gold, digests, len(train))

    @property
    def train(self) -> LongArray:
        """Indices of the training documents."""
        return np.arange(self.n_train)

    @property
    def test(self) -> LongArray:
        """Indices of the test documents."""
        return np.arange(self.n_train, len(self.documents))

    def part(self, chosen: LongArray) -> tuple[TokenTable, TokenLabels]:
        """Return the tokens and gold tags of some documents."""
        return self.tokens.select(chosen), self.gold.rows(self.tokens.rows(chosen))

    def with_tags(self, chosen: LongArray, tags: IntArray) -> list[Document]:
        """Return some documents with the spans that tags of their tokens encode."""
        tokens = self.tokens.select(chosen)
        spans = tags_to_spans(tokens, TokenLabels(tags, self.gold.names))
        return [self.documents[d].with_spans(s) for d, s in zip(chosen, spans, strict=True)]

    def evaluated(self, chosen: LongArray, tags: IntArray, tokenization: str) -> Evaluation:
        """Evaluate tags of the tokens of some documents."""
        gold = [self.documents[d] for d in chosen]
        return evaluate(gold, self.with_tags(chosen, tags), tokenization=tokenization)
