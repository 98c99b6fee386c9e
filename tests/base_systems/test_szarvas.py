"""The boosted trees find the PHI of their training notes with all options."""

from __future__ import annotations

from pathlib import Path

import pytest
from template_notes import sample_corpus

from multideid.base_systems.szarvas import SzarvasTagger
from multideid.document import Document
from multideid.errors import UsageError
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable


@pytest.fixture(scope="module")
def corpus() -> list[Document]:
    return sample_corpus(5)


@pytest.mark.parametrize(
    "tagger",
    [
        SzarvasTagger(rounds=3),
        SzarvasTagger(rounds=4, booster="adaboost"),
        SzarvasTagger(rounds=4, triggers="phrase", iterations=0, standard_tags=False),
    ],
    ids=["vote", "adaboost", "one variant without iterations"],
)
def test_learned_phi_is_found_after_saving_and_loading(
    tagger: SzarvasTagger, corpus: list[Document], tmp_path: Path
) -> None:
    table = TokenTable.from_documents(corpus)
    labels = encode_bio(table, corpus)
    scores = tagger.fit(table, labels).predict_scores(table)
    right = (scores.argmax(axis=1) == labels.ids)[labels.ids > 0]
    assert right.mean() > 0.6
    tagger.save(tmp_path)
    loaded = SzarvasTagger.load(tmp_path)
    assert (loaded.predict_scores(table) == scores).all()


@pytest.mark.parametrize(
    ("tagger", "problem"),
    [
        (SzarvasTagger(booster="xgboost"), "booster must be one of histogram, adaboost; got 'xgb"),
        (SzarvasTagger(triggers="all"), "triggers must be one of vote, token, phrase, trigram"),
        (SzarvasTagger(outside_share=0.0), "outside_share must be above 0 and at most 1; got 0.0"),
    ],
)
def test_odd_parameters_are_refused_in_fit_too(
    tagger: SzarvasTagger, problem: str, corpus: list[Document]
) -> None:
    table = TokenTable.from_documents(corpus[:1])
    with pytest.raises(UsageError, match=problem):
        tagger.fit(table, encode_bio(table, corpus[:1]))


def test_it_needs_no_example_to_be_fitted() -> None:
    empty = TokenTable.from_texts([""])
    labels = encode_bio(empty, [Document("d", "")], ("X",))
    tagger = SzarvasTagger().fit(empty, TokenLabels(labels.ids, labels.names))
    found = tagger.predict_scores(TokenTable.from_texts(["A b"])).argmax(axis=1)
    assert found.tolist() == [0, 0]
