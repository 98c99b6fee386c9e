"""A small corpus, and plug-ins: one that tells badges, and one that remembers its documents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import numpy as np
import pytest
from template_notes import sample_corpus

from multideid.arrays import FloatArray
from multideid.document import Document, Span
from multideid.errors import DocumentError
from multideid.taggers import registry
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


class Gate:
    """Badge numbers such as B-1234."""

    name = "gate"

    def tag(self, document: Document) -> list[Span]:
        if "CRASH" in document.text:
            raise ValueError(document.text)
        return [Span(*m.span(), "BADGE") for m in re.finditer(r"B-[0-9]{4}", document.text)]


def make_spy() -> type[BaseTagger]:
    # A class of a function travels to a worker whole; a worker cannot import this file.
    class Spy(BaseTagger):
        """Scores a document by the number of documents it saw, or refuses it."""

        name = "spy"
        summary = "Remembers what it was fitted on."

        def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
            self.labels_ = labels.names
            self.seen_ = sorted(tokens.ids)
            return self

        def predict_scores(self, tokens: TokenTable) -> FloatArray:
            again = sorted(set(tokens.ids) & set(self.seen_))
            if again:
                raise DocumentError(again[0], "was scored by a system that was fitted on it")
            return np.full((len(tokens), len(self.labels_)), len(self.seen_), dtype=np.float32)

        def save(self, folder: Path) -> None:
            (folder / "seen.json").write_text(json.dumps(self.seen_))

        @classmethod
        def load(cls, folder: Path) -> Self:
            tagger = cls()
            tagger.seen_ = json.loads((folder / "seen.json").read_text())
            return tagger

    return Spy


@pytest.fixture(scope="session")
def corpus() -> list[Document]:
    return sample_corpus(14, seed=3)


@pytest.fixture(scope="session")
def badges() -> list[Document]:
    """Return notes that each name a badge, under a label of the corpus's own."""
    notes = []
    for n, document in enumerate(sample_corpus(9, seed=8)):
        text = f"{document.text}\nDoor opened with B-{1000 + 7 * n} at night.\n"
        start = text.index("B-", len(document.text))
        notes.append(Document(document.id, text, (*document.spans, Span(start, start + 6, "KEY"))))
    return notes


@pytest.fixture(scope="module")
def gate() -> Iterator[str]:
    """Register the plug-in that finds badges; its document with CRASH fails."""
    registry.register(Gate)
    yield "gate"
    registry._SESSION.pop("gate")


@pytest.fixture
def spy() -> Iterator[type[BaseTagger]]:
    """Register the system that refuses a document which it was fitted on."""
    made = make_spy()
    registry.register(made)
    yield made
    registry._SESSION.pop("spy")
