"""A plug-in that is cheap and predictable, and a model made of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from multideid.cli import app
from multideid.corpora import read_corpus, write_corpus
from multideid.document import Document, Span
from multideid.taggers import registry

Invoke = Callable[..., Result]

BADGE = re.compile(r"\bB-[0-9]{4}\b")


class Badge:
    name, summary = "badge", "Badge numbers such as B-1234."

    def tag(self, document: Document) -> list[Span]:
        if "UNBEARABLE" in document.text:
            raise ValueError(f"cannot bear {document.text}")
        return [Span(*match.span(), "ID") for match in BADGE.finditer(document.text)]


def badge_corpus(n: int = 6) -> list[Document]:
    """Write notes in which every badge number is gold PHI."""
    texts = [f"Seen by nurse B-{1000 + i} at noon.\nBadge: B-{2000 + i}\n" for i in range(n)]
    spans = [[Span(*m.span(), "ID") for m in BADGE.finditer(text)] for text in texts]
    return [Document(f"n{i}", t, tuple(s)) for i, (t, s) in enumerate(zip(texts, spans))]  # noqa: B905


@pytest.fixture(scope="session")
def invoke() -> Invoke:
    """Run the command line in this process."""
    runner = CliRunner()

    def run(*arguments: object, stdin: bytes | None = None) -> Result:
        return runner.invoke(app, [str(a) for a in arguments], input=stdin)

    return run


@pytest.fixture(scope="session", autouse=True)
def badge() -> Iterator[None]:
    """Register the plug-in for as long as these tests last."""
    registry.register(Badge)
    yield
    registry._SESSION.pop("badge", None)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small annotated corpus in brat."""
    path = tmp_path_factory.mktemp("corpora") / "notes"
    write_corpus(badge_corpus(), path, "brat")
    return path


@pytest.fixture(scope="session")
def model(invoke: Invoke, corpus: Path, badge: None) -> Path:
    """Return a model that finds badge numbers and nothing else."""
    path = corpus.parent / "model"
    result = invoke("train", corpus, "--mode", "badge", "--out", path)
    assert result.exit_code == 0, result.output
    return path


@pytest.fixture
def half_right(corpus: Path, tmp_path: Path) -> Path:
    """Return predictions that lack the second span of every document."""
    documents = [d.with_spans(d.spans[:1]) for d in read_corpus(corpus)]
    path = tmp_path / "predicted.jsonl"
    write_corpus(documents, path, "jsonl")
    return path


@pytest.fixture(scope="session")
def deid(invoke: Invoke, model: Path) -> Invoke:
    """Run `deid` with that model."""

    def run(*arguments: object, stdin: bytes | None = None) -> Result:
        return invoke("deid", *arguments, "--model", model, stdin=stdin)

    return run


@pytest.fixture
def misaligned(tmp_path: Path) -> Path:
    """Return a corpus in which one of three spans ends inside a token."""
    spans = (Span(0, 6, "ID"), Span(7, 10, "ID"), Span(16, 22, "ID"))
    path = tmp_path / "misaligned.jsonl"
    write_corpus([Document("n7", "B-1000 Zanzibar B-2000", spans)], path, "jsonl")
    return path
