"""No document is scored by a system that saw it, in one process or in two."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import numpy as np
import pytest

from multideid import registry
from multideid.document import Document, Span
from multideid.errors import DocumentError
from multideid.stacking import MultiDeidentifier
from multideid.stacking.ensemble import fit_out_of_fold
from multideid.stacking.folds import document_folds
from multideid.stacking.jobs import FitJob, run_all
from multideid.tagger import BaseTagger, FloatArray
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable


def spy_class() -> type[BaseTagger]:
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


@pytest.fixture
def spy() -> Iterator[str]:
    registry.register(spy_class())
    yield "spy"
    registry._SESSION.pop("spy")


def table(documents: list[Document]) -> tuple[TokenTable, TokenLabels]:
    tokens = TokenTable.from_documents(documents)
    return tokens, encode_bio(tokens, documents)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_scores_come_from_fits_without_the_document(
    spy: str, corpus: list[Document], n_jobs: int
) -> None:
    tokens, labels = table(corpus)
    fold = document_folds(len(corpus), 4, seed=0)
    # The spy refuses a document that it was fitted on.
    taggers, out_of_fold = fit_out_of_fold([spy], tokens, labels, fold, n_jobs=n_jobs)
    sizes = len(corpus) - np.bincount(fold)[fold[tokens.document]]
    for scores in (*out_of_fold.scores, *(s for view in out_of_fold.disguised for s in view)):
        assert np.array_equal(scores[:, 0], sizes)
    assert taggers[spy].seen_ == sorted(d.id for d in corpus)  # type: ignore[attr-defined]


def test_the_spy_would_tell(spy: str, corpus: list[Document]) -> None:
    tokens, labels = table(corpus)
    job = FitJob(spy, registry.make_system(spy), range(5), [4], keep=False)
    with pytest.raises(DocumentError, match=f"'{corpus[4].id}': was scored"):
        list(run_all([job], tokens, labels, n_jobs=1))


class Faulty:
    """A plug-in that cannot read one document."""

    name, summary = "faulty", "Fails on one document."

    def tag(self, document: Document) -> list[Span]:
        if document.id == "bad":
            raise ValueError(document.text)
        return []


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_document_that_fails_in_training_names_itself(
    corpus: list[Document], n_jobs: int
) -> None:
    registry.register(Faulty())
    try:
        with pytest.raises(DocumentError, match=r"'bad': plug-in 'faulty'") as caught:
            MultiDeidentifier(["faulty"], folds=2, n_jobs=n_jobs).fit(
                [*corpus[:3], Document("bad", "My name is SECRET.")]
            )
    finally:
        registry._SESSION.pop("faulty")
    assert "SECRET" not in str(caught.value)


def test_progress_is_told_after_every_fit(spy: str, corpus: list[Document]) -> None:
    tokens, labels = table(corpus)
    told: list[tuple[int, int, str]] = []
    fold = document_folds(len(corpus), 3, seed=0)
    fit_out_of_fold([spy], tokens, labels, fold, n_jobs=1, progress=lambda *t: told.append(t))
    assert told == [(n, 4, "spy") for n in range(1, 5)]


def test_nothing_of_a_large_corpus_is_written_to_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Watcher(spy_class()):  # type: ignore[misc]
        """Notes what stands in the folder for temporary files while it is fitted."""

        def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
            self.found_ = [path.name for path in tmp_path.rglob("*") if path.is_file()]
            return super().fit(tokens, labels)

    monkeypatch.setenv("JOBLIB_TEMP_FOLDER", str(tmp_path))
    tokens, labels = table([Document(str(n), "SECRET " * 200_000) for n in range(2)])
    # From a megabyte on, joblib would write an array to disk and share the file.
    assert tokens.start.nbytes > 1_000_000
    jobs = [FitJob("watcher", Watcher(), [n], [1 - n], keep=True) for n in range(2)]
    found = [result.tagger.found_ for result in run_all(jobs, tokens, labels, n_jobs=2)]
    assert found == [[], []]
