"""Mega learns from decisions on documents that its members had not seen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest
from template_notes import sample_corpus

from multideid import MegaDeidentifier
from multideid.arrays import FloatArray
from multideid.document import Document
from multideid.errors import UsageError
from multideid.stacking.mega_decisions import DecidingSystems
from multideid.taggers import registry
from multideid.taggers.contract import BaseTagger
from multideid.taggers.label_mapping import one_hot
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable


def make_parrot() -> type[BaseTagger]:
    # A class defined in a function is pickled by value; a worker cannot import this file.
    class Parrot(BaseTagger):
        """Knows its training documents by heart, and finds nothing in others."""

        name = "parrot"
        summary = "Repeats the gold of its training documents."

        def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
            self.labels_ = labels.names
            self.gold_ = {
                name: labels.ids[tokens.rows([n])].tolist() for n, name in enumerate(tokens.ids)
            }
            return self

        def predict_scores(self, tokens: TokenTable) -> FloatArray:
            tags = one_hot(tokens.document * 0, len(self.labels_))
            for n, name in enumerate(tokens.ids):
                rows = tokens.rows([n])
                if name in self.gold_:
                    tags[rows, 0] = 0
                    tags[rows, self.gold_[name]] = 1
            return tags

        def save(self, folder: Path) -> None:
            (folder / "gold.json").write_text(json.dumps(self.gold_))

        @classmethod
        def load(cls, folder: Path) -> Self:
            raise NotImplementedError

    return Parrot


@pytest.fixture
def parrot() -> Iterator[str]:
    registry.register(make_parrot())
    yield "parrot"
    registry._SESSION.pop("parrot")


def renamed(documents: list[Document]) -> list[Document]:
    return [Document(f"new {d.id}", d.text, d.spans) for d in documents]


def test_mega_does_not_follow_a_member_that_knows_its_training_documents_by_heart(
    parrot: str, corpus: list[Document]
) -> None:
    new = renamed(sample_corpus(4, seed=77))
    alone = MegaDeidentifier(["stat-deid"]).fit(corpus).score(new)
    both = MegaDeidentifier([parrot, "stat-deid"], folds=3, n_jobs=1).fit(corpus).score(new)
    assert alone > 0.5
    assert both == pytest.approx(alone, abs=0.02)


def test_members_score_each_document_without_having_been_fitted_on_it(
    spy: type[BaseTagger], corpus: list[Document]
) -> None:
    # The system raises an error on a document that it was fitted on.
    model = MegaDeidentifier(["spy", "mist"], folds=3, n_jobs=1).fit(corpus)
    assert model.taggers_["spy"].trained_on_ == sorted(d.id for d in corpus)  # type: ignore[attr-defined]


def test_documents_of_a_group_share_a_fold(spy: type[BaseTagger], corpus: list[Document]) -> None:
    tokens = TokenTable.from_documents(corpus)
    labels = encode_bio(tokens, corpus)
    groups = [0] * 10 + [1] * (len(corpus) - 10)
    deciding = DecidingSystems(2, 0, groups, n_jobs=1)
    scores = deciding.fit({"spy": {}}, tokens, labels)[1][0]
    # Scores are the number of training documents.
    sizes = [scores[tokens.rows([n])].max() for n in range(len(corpus))]
    assert sizes == [len(corpus) - 10] * 10 + [10] * (len(corpus) - 10)


def test_systems_keep_their_order_and_unused_ones_are_not_fitted(
    spy: type[BaseTagger], gate: str, corpus: list[Document]
) -> None:
    names = ["gate", "spy", "mimic", "stat-deid"]
    classes = ["spy", "mimic", "word"]
    model = MegaDeidentifier(names, feature_classes=classes, folds=2, n_jobs=1).fit(corpus)
    assert list(model.taggers_) == ["spy", "mimic"]


def test_rules_need_no_folds(gate: str, badges: list[Document]) -> None:
    assert MegaDeidentifier([gate, "mimic", "stat-deid"]).fit(badges[:1]).taggers_


def test_members_that_learn_need_as_many_documents_as_folds(
    spy: type[BaseTagger], corpus: list[Document]
) -> None:
    with pytest.raises(UsageError, match="folds=5 needs at least 5 documents"):
        MegaDeidentifier(["spy", "mist"]).fit(corpus[:4])
