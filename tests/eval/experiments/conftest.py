"""A small corpus, two plug-ins that cost nothing, and a count of what was fitted."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from multideid import registry
from multideid.document import Document, Span
from multideid.eval.experiments import Corpus, Setup
from multideid.eval.experiments.recipes import BaseFit, MegaFit
from multideid.samples import sample_corpus

_DATE = re.compile(r"\b\d{1,2}/\d{1,2}/\d{2,4}\b")
_TITLE = re.compile(r"\bDr\. ((?:[A-Z]\w+ ?)+)\b")

PLUGINS = ("dates", "titles")


class Dates:
    name, summary = "dates", "Dates written in figures."

    def tag(self, document: Document) -> list[Span]:
        return [Span(*match.span(), "DATE") for match in _DATE.finditer(document.text)]


class Titles:
    name, summary = "titles", "Names behind a title."

    def tag(self, document: Document) -> list[Span]:
        return [Span(*match.span(1), "NAME") for match in _TITLE.finditer(document.text)]


@pytest.fixture(autouse=True, scope="session")
def plugins() -> Iterator[None]:
    registry.register(Dates)
    registry.register(Titles)
    yield
    for name in PLUGINS:
        registry._SESSION.pop(name, None)


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    documents = sample_corpus(10, seed=3)
    return Corpus("sample", tuple(documents[:6]), tuple(documents[6:]))


@pytest.fixture(scope="session")
def other() -> Corpus:
    documents = sample_corpus(8, seed=8)
    return Corpus("other", tuple(documents[:5]), tuple(documents[5:]))


@pytest.fixture
def setup() -> Setup:
    return Setup(PLUGINS, folds=2, n_jobs=1)


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the names of what is fitted."""
    names: list[str] = []
    for kind in (BaseFit, MegaFit):
        run = kind.run

        def counted(self, *args, run=run):
            names.append(self.name)
            return run(self, *args)

        monkeypatch.setattr(kind, "run", counted)
    return names
