"""What is fitted in two processes is what is fitted in one, and fails as it does.

All that starts joblib's processes stands here, so that one pool serves it: to start one takes
seconds, and an error ends it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Self

import numpy as np
import pytest

from multideid import registry
from multideid.document import Document, Span
from multideid.errors import DocumentError
from multideid.samples import sample_corpus
from multideid.stacking import FailedDocument, MultiDeidentifier
from multideid.stacking.ensemble import OutOfFold, fit_out_of_fold
from multideid.stacking.folds import document_folds
from multideid.stacking.jobs import FitJob, run_all
from multideid.stacking.stacker import Stacker
from multideid.stacking.stackers import fit_stackers
from multideid.tagger import BaseTagger
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable

CORPUS = sample_corpus(8, seed=3)


def table(documents: list[Document]) -> tuple[TokenTable, TokenLabels]:
    tokens = TokenTable.from_documents(documents)
    return tokens, encode_bio(tokens, documents)


def saved(model: MultiDeidentifier, folder: Path) -> dict[str, bytes]:
    """Return all files of a model but the one that tells how many processes there were."""
    model.save(folder)
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(p.relative_to(folder)): p.read_bytes() for p in files if p.name != "manifest.json"}


def test_an_ensemble_with_a_plug_in_is_the_same(
    gate: str, badges: list[Document], tmp_path: Path
) -> None:
    systems = ["mimic", "stat-deid", gate]
    here, there = (MultiDeidentifier(systems, folds=3, n_jobs=n).fit(badges) for n in (1, 2))
    assert saved(there, tmp_path / "there") == saved(here, tmp_path / "here")
    notes = [Document("good", "Opened with B-7777 by the guard."), Document("bad", "CRASH")]
    found = list(there.predict_each([*CORPUS, *notes]))
    assert found == list(here.predict_each([*CORPUS, *notes]))
    assert Span(12, 18, "KEY") in found[-2].spans  # type: ignore[union-attr]
    assert isinstance(found[-1], FailedDocument)
    assert "'gate' failed with ValueError" in found[-1].problem


def test_scores_come_from_fits_without_the_document(spy: type[BaseTagger]) -> None:
    tokens, labels = table(CORPUS)
    fold = document_folds(len(CORPUS), 4, seed=0)
    # The spy refuses a document that it was fitted on.
    taggers, out_of_fold = fit_out_of_fold(["spy"], tokens, labels, fold, n_jobs=2)
    sizes = len(CORPUS) - np.bincount(fold)[fold[tokens.document]]
    for scores in (*out_of_fold.scores, *(s for view in out_of_fold.disguised for s in view)):
        assert np.array_equal(scores[:, 0], sizes)
    assert taggers["spy"].seen_ == sorted(d.id for d in CORPUS)  # type: ignore[attr-defined]


def test_stackers_are_the_same() -> None:
    tokens, labels = table(CORPUS)
    rng = np.random.default_rng(0)
    gold = np.eye(len(labels.names), dtype=np.float32)[labels.ids]
    scores = OutOfFold.empty(2, gold.shape)
    for system in range(2):
        views = [gold + rng.normal(0, 0.3, gold.shape).astype(np.float32) for _ in range(3)]
        scores.fill(system, np.arange(len(tokens)), views[0], views[1:])
    fold = document_folds(len(CORPUS), 3, seed=1)
    here, there = (
        list(fit_stackers(Stacker(), tokens, labels, scores, fold, (None, 0, 1, 2), n_jobs=n))
        for n in (1, 2)
    )
    for one, other in zip(here, there, strict=True):
        assert one.scales_ == other.scales_
        assert np.array_equal(one.model_.weights.toarray(), other.model_.weights.toarray())
        assert np.array_equal(one.model_.bias, other.model_.bias)


def test_nothing_of_a_large_corpus_is_written_to_disk(
    spy: type[BaseTagger], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Watcher(spy):  # type: ignore[misc, valid-type]
        """Notes what stands in the folder for temporary files while it is fitted."""

        def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
            self.found_ = [path.name for path in tmp_path.rglob("*") if path.is_file()]
            return super().fit(tokens, labels)  # type: ignore[no-any-return]

    monkeypatch.setenv("JOBLIB_TEMP_FOLDER", str(tmp_path))
    tokens, labels = table([Document(str(n), "SECRET " * 200_000) for n in range(2)])
    # From a megabyte on, joblib would write an array to disk and share the file.
    assert tokens.start.nbytes > 1_000_000
    jobs = [FitJob("watcher", Watcher(), [n], [1 - n], keep=True) for n in range(2)]
    found = [result.tagger.found_ for result in run_all(jobs, tokens, labels, n_jobs=2)]
    assert found == [[], []]


class Faulty:
    """A plug-in that cannot read one document."""

    name, summary = "faulty", "Fails on one document."

    def tag(self, document: Document) -> list[Span]:
        if document.id == "bad":
            raise ValueError(document.text)
        return []


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_document_that_fails_in_training_names_itself(
    n_jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_SESSION", {"faulty": Faulty()})
    model = MultiDeidentifier(["faulty"], folds=2, n_jobs=n_jobs)
    with pytest.raises(DocumentError, match=r"'bad': plug-in 'faulty'") as caught:
        model.fit([*CORPUS[:3], Document("bad", "My name is SECRET.")])
    assert "SECRET" not in str(caught.value)
