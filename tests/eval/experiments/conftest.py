"""Small corpora, cheap plug-ins, and a record of the fits."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from template_notes import sample_corpus

from multideid.base_systems.stat_deid import StatDeidTagger
from multideid.document import Document, Span
from multideid.eval.experiments import Corpus, Setup
from multideid.eval.experiments.specs import MegaSpec, TaggerSpec
from multideid.features.common import LENGTH, LOWER
from multideid.features.templates import Template, each
from multideid.taggers import registry

_DATE = re.compile(r"\b\d{1,2}/\d{1,2}/\d{2,4}\b")
_PHONE = re.compile(r"\b\d{3}-\d{4}\b")
_TITLE = re.compile(r"\bDr\. ((?:[A-Z]\w+ ?)+)\b")

PLUGINS = ("dates", "titles")


class Dates:
    name, summary = "dates", "Dates written in figures."

    def tag(self, document: Document) -> list[Span]:
        return [Span(*match.span(), "DATE") for match in _DATE.finditer(document.text)]


class Titles:
    name, summary = "titles", "Names after a title."

    def tag(self, document: Document) -> list[Span]:
        return [Span(*match.span(1), "NAME") for match in _TITLE.finditer(document.text)]


class Phones:
    name, summary = "phones", "Seven digits with a dash."

    def tag(self, document: Document) -> list[Span]:
        return [Span(*match.span(), "PHONE") for match in _PHONE.finditer(document.text)]


class Small(StatDeidTagger):
    name, summary = "small", "An SVM over two feature classes."

    def templates(self) -> list[Template]:
        return [*each(LOWER, (-2, -1, 0), "word"), *each(LENGTH, (0,), "length")]

    def language_templates(self) -> list[Template]:
        return []


_ALL = (Dates, Titles, Phones, Small)


@pytest.fixture(autouse=True, scope="session")
def plugins() -> Iterator[None]:
    for plugin in _ALL:
        registry.register(plugin)
    yield
    for plugin in _ALL:
        registry._SESSION.pop(plugin.name, None)


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    documents = sample_corpus(7, seed=3)
    return Corpus("sample", tuple(documents[:5]), tuple(documents[5:]))


@pytest.fixture(scope="session")
def other() -> Corpus:
    documents = sample_corpus(5, seed=8)
    return Corpus("other", tuple(documents[:3]), tuple(documents[3:]))


@pytest.fixture
def setup() -> Setup:
    return Setup(PLUGINS, folds=2, n_jobs=1)


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the names of fitted systems."""
    names: list[str] = []
    for kind in (TaggerSpec, MegaSpec):
        run = kind.run

        def counted(self, *args, run=run):
            names.append(self.name)
            return run(self, *args)

        monkeypatch.setattr(kind, "run", counted)
    return names
