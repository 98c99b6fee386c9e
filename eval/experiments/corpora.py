"""What experiments are run on: corpora with a part to train on and a part to measure on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from multideid.document import Document
from multideid.errors import UsageError
from multideid.text.bio import corpus_labels


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus in two parts.

    Parameters
    ----------
    name : str
        What tables call it.
    train, test : tuple of Document
        Documents to train on, and documents to measure on.
    """

    name: str
    train: tuple[Document, ...] = field(repr=False)
    test: tuple[Document, ...] = field(repr=False)

    def notes(self) -> tuple[str, ...]:
        """Return what a reader of scores should know of the labels."""
        learned, measured = set(corpus_labels(self.train)), set(corpus_labels(self.test))
        notes = []
        if absent := sorted(learned - measured):
            notes.append(
                f"{self.name}: no {_listed(absent)} in the test documents, so that recall and F "
                "are 0 there and z is 0, which says nothing"
            )
        if unknown := sorted(measured - learned):
            notes.append(
                f"{self.name}: no {_listed(unknown)} in the training documents, so that no "
                "system can find it under its name"
            )
        if len(learned) == 1:
            notes.append(f"{self.name}: there is one class, so that 1-way is two-way")
        return tuple(notes)


def check_corpora(corpora: Sequence[Corpus]) -> tuple[Corpus, ...]:
    """Return the corpora, or say why nothing can be measured on them.

    Raises
    ------
    UsageError
        If there is none, if two have one name, or if one has no document to
        train or to measure on, or no span to learn from.
    """
    if not corpora:
        raise UsageError("an experiment needs at least one corpus")
    twice = sorted(n for n, k in Counter(c.name for c in corpora).items() if k > 1)
    if twice:
        raise UsageError(f"corpora need names of their own; twice: {', '.join(twice)}")
    for corpus in corpora:
        _check(corpus)
    return tuple(corpora)


def _check(corpus: Corpus) -> None:
    for part, documents in (("training", corpus.train), ("test", corpus.test)):
        if not documents:
            raise UsageError(f"corpus {corpus.name!r} has no {part} documents")
    if not any(document.spans for document in corpus.train):
        raise UsageError(
            f"none of the {len(corpus.train)} training documents of corpus {corpus.name!r} has a "
            "span: training needs annotated PHI"
        )


def _listed(labels: Sequence[str]) -> str:
    return " or ".join(labels) if len(labels) < 3 else f"{', '.join(labels[:-1])} or {labels[-1]}"
