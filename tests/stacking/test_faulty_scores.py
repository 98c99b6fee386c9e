"""Scores that a system should not return fail their document, and are never read as "no PHI"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from pathlib import Path
from typing import Self

import numpy as np
import pytest

from multideid.arrays import FloatArray, IntArray
from multideid.document import Document
from multideid.errors import DocumentError, UsageError
from multideid.scoring import scorer
from multideid.stacking import (
    Deidentifier,
    FailedDocument,
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
)
from multideid.taggers import registry
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

FAULT = "FAULT"


class Moody(BaseTagger):
    """Finds nothing, and returns faulty scores for every batch with a marked document."""

    name = "moody"
    summary = "For tests."
    mark: str = FAULT
    fault: Callable[[FloatArray, int], object] = staticmethod(lambda scores, row: scores)
    labels: Callable[[tuple[str, ...]], tuple[str, ...]] = staticmethod(lambda names: names)

    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        self.labels_ = type(self).labels(labels.names)
        return self

    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        scores = np.zeros((len(tokens), len(self.labels_)), dtype=np.float32)
        scores[:, 0] = 1
        for n, text in enumerate(tokens.texts):
            if self.mark in text:
                row = int(np.flatnonzero(tokens.document == n)[0])
                return type(self).fault(scores, row)  # type: ignore[return-value]
        return scores

    def save(self, folder: Path) -> None:
        raise NotImplementedError

    @classmethod
    def load(cls, folder: Path) -> Self:
        raise NotImplementedError


class MoodyRules(Moody):
    """The same, with tags instead of scores."""

    name = "moody-rules"

    def predict_tags(self, tokens: TokenTable) -> IntArray:
        tags = np.zeros(len(tokens), dtype=np.int32)
        faulty = [n for n, text in enumerate(tokens.texts) if FAULT in text]
        tags[np.isin(tokens.document, faulty)] = len(self.labels_)
        return tags


@pytest.fixture(scope="module", autouse=True)
def _registered() -> Iterator[None]:
    for system in (Moody, MoodyRules):
        registry.register(system)
    yield
    for system in (Moody, MoodyRules):
        registry._SESSION.pop(system.name)


def _with(value: float) -> Callable[[FloatArray, int], object]:
    def fault(scores: FloatArray, row: int) -> object:
        scores[row, 1] = value
        return scores

    return fault


FAULTS: dict[str, Callable[[FloatArray, int], object]] = {
    "NaN": _with(np.nan),
    "infinity": _with(np.inf),
    "one column less": lambda scores, row: scores[:, 1:],
    "one row less": lambda scores, row: scores[1:],
    "a column": lambda scores, row: scores[:, 0],
    "a list": lambda scores, row: scores.tolist(),
    "texts": lambda scores, row: scores.astype(str),
    "nothing": lambda scores, row: None,
}


def make(kind: str, system: str = "moody") -> Deidentifier:
    return {
        "single": SingleDeidentifier(system),
        "vote": VoteDeidentifier([system, "mimic"], rule="any", n_jobs=1),
        "mega": MegaDeidentifier([system, "mist"], n_jobs=1),
        "multi": MultiDeidentifier([system, "mimic"], folds=2, augmentation=False, n_jobs=1),
    }[kind]


@pytest.fixture(scope="module")
def models(corpus: list[Document]) -> dict[str, Deidentifier]:
    return {kind: make(kind).fit(corpus) for kind in ("single", "vote", "mega", "multi")}


@pytest.mark.parametrize("compile_after", [0, 10**9], ids=["compiled", "uncompiled"])
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("kind", ["single", "vote", "mega", "multi"])
def test_a_document_with_faulty_scores_fails_alone_and_the_system_is_named(
    models: dict[str, Deidentifier],
    kind: str,
    fault: str,
    compile_after: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scorer, "COMPILE_AFTER", compile_after)
    monkeypatch.setattr(Moody, "fault", staticmethod(FAULTS[fault]))
    model = models[kind]
    # Drop compiled parts and counters of earlier cases.
    model.__dict__ = vars(copy(model))
    good = Document("good", "Seen by Dr. Abel Baker on 3/4/2009.")
    bad = Document("bad", f"Seen by Dr. Abel Baker. {FAULT}")
    expected = model.predict([good])[0]
    found = list(model.predict_each([good, bad, good]))
    assert found[0] == found[2] == expected
    assert isinstance(found[1], FailedDocument)
    assert (found[1].id, found[1].problem.split(" returned")[0]) == ("bad", "system 'moody'")


def test_tags_outside_the_labels_fail_their_document(
    corpus: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scorer, "COMPILE_AFTER", 0)
    model = make("multi", "moody-rules").fit(corpus)
    found = list(model.predict_each([Document("good", "well"), Document("bad", f"a {FAULT}")]))
    assert isinstance(found[0], Document)
    assert found[1] == FailedDocument(
        "bad", "system 'moody-rules' returned tags that it does not know"
    )


@pytest.mark.parametrize("kind", ["single", "vote", "mega", "multi"])
def test_a_system_with_other_tags_than_the_corpus_cannot_be_trained(
    kind: str, corpus: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Moody, "labels", staticmethod(lambda names: names[:-1]))
    with pytest.raises(UsageError, match=r"^system 'moody' has .* tags"):
        make(kind).fit(corpus)


@pytest.mark.parametrize("kind", ["single", "vote", "mega", "multi"])
def test_a_system_whose_fit_returns_nothing_cannot_be_trained(
    kind: str, corpus: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgot(self: Moody, tokens: TokenTable, labels: TokenLabels) -> None:
        self.labels_ = labels.names

    monkeypatch.setattr(Moody, "fit", forgot)
    with pytest.raises(UsageError, match=r"^system 'moody' returned None from fit; fit must"):
        make(kind).fit(corpus)


@pytest.mark.parametrize("labels", [None, 3])
def test_labels_that_are_no_sequence_cannot_be_trained(
    labels: object, corpus: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Moody, "labels", staticmethod(lambda names: labels))
    with pytest.raises(UsageError, match=r"^system 'moody' has 0 tags"):
        make("single").fit(corpus)


def test_faulty_scores_end_training(
    corpus: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Moody, "fault", staticmethod(FAULTS["NaN"]))
    monkeypatch.setattr(Moody, "mark", corpus[3].text)
    with pytest.raises(DocumentError, match=f"{corpus[3].id}.*system 'moody' .* not finite"):
        make("multi").fit(corpus)


@pytest.mark.parametrize("fault", ["one column less", "a column", "a list", "nothing"])
@pytest.mark.parametrize("kind", ["vote", "mega", "multi"])
def test_scores_that_are_always_faulty_end_training_and_name_the_system_alone(
    kind: str, fault: str, corpus: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = FAULTS[fault]
    right = Moody.predict_scores
    monkeypatch.setattr(Moody, "predict_scores", lambda self, tokens: wrong(right(self, tokens), 0))
    with pytest.raises(UsageError, match=r"^system 'moody' returned scores"):
        make(kind).fit(corpus)
