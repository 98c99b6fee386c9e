"""A small corpus, and plug-ins: one finds badges, one records its training documents."""

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
    # A class defined in a function is pickled by value; a worker cannot import this file.
    class Spy(BaseTagger):
        """Scores tokens with the number of training documents; refuses to score those documents."""

        name = "spy"
        summary = "Records its training documents."

        def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
            self.labels_ = labels.names
            self.trained_on_ = sorted(tokens.ids)
            return self

        def predict_scores(self, tokens: TokenTable) -> FloatArray:
            again = sorted(set(tokens.ids) & set(self.trained_on_))
            if again:
                raise DocumentError(again[0], "was scored by a system that was fitted on it")
            return np.full(
                (len(tokens), len(self.labels_)), len(self.trained_on_), dtype=np.float32
            )

        def save(self, folder: Path) -> None:
            (folder / "trained-on.json").write_text(json.dumps(self.trained_on_))

        @classmethod
        def load(cls, folder: Path) -> Self:
            tagger = cls()
            tagger.trained_on_ = json.loads((folder / "trained-on.json").read_text())
            return tagger

    return Spy


@pytest.fixture(scope="session")
def corpus() -> list[Document]:
    return sample_corpus(14, seed=3)


@pytest.fixture(scope="session")
def badges() -> list[Document]:
    """Return notes with a badge each, under a label of their own."""
    notes = []
    for n, document in enumerate(sample_corpus(9, seed=8)):
        text = f"{document.text}\nDoor opened with B-{1000 + 7 * n} at night.\n"
        start = text.index("B-", len(document.text))
        notes.append(Document(document.id, text, (*document.spans, Span(start, start + 6, "KEY"))))
    return notes


@pytest.fixture(scope="module")
def gate() -> Iterator[str]:
    """Register the plug-in that finds badges; it fails on documents with CRASH."""
    registry.register(Gate)
    yield "gate"
    registry._SESSION.pop("gate")


@pytest.fixture
def spy() -> Iterator[type[BaseTagger]]:
    """Register the system that refuses to score its training documents."""
    made = make_spy()
    registry.register(made)
    yield made
    registry._SESSION.pop("spy")
