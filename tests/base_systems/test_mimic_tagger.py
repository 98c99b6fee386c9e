from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from multideid.base_systems.mimic import MimicTagger
from multideid.document import Document, Span
from multideid.errors import ModelError, UsageError
from multideid.testing import check_tagger
from multideid.text.bio import TokenLabels, decode_bio, encode_bio
from multideid.text.table import TokenTable

TEXT = "Mr. Lopez Ruiz was seen on 3/4/2005."
NOTE = Document("n", TEXT, (Span(4, 14, "NAME"), Span(27, 35, "WHEN")))


@pytest.fixture
def table() -> TokenTable:
    return TokenTable.from_documents([NOTE])


@pytest.fixture
def fitted(table: TokenTable) -> MimicTagger:
    return MimicTagger().fit(table, encode_bio(table, [NOTE], ("NAME", "PLACE", "WHEN")))


def test_it_tags_with_its_own_labels_when_never_fitted() -> None:
    assert MimicTagger().tag(NOTE) == [Span(4, 14, "PATIENT"), Span(27, 35, "DATE")]


def test_it_tags_with_the_corpus_labels_once_fitted(fitted: MimicTagger) -> None:
    assert tuple(fitted.tag(NOTE)) == NOTE.spans


def test_scores_are_one_for_the_predicted_tag_and_zero_elsewhere(
    fitted: MimicTagger, table: TokenTable
) -> None:
    scores = fitted.predict_scores(table)
    assert scores.dtype == np.float32
    assert scores.shape == (len(table), len(fitted.labels_))
    assert (np.sort(scores, axis=1)[:, :-1] == 0).all()
    assert (scores.max(axis=1) == 1).all()
    tags = TokenLabels(scores.argmax(axis=1).astype(np.int32), fitted.labels_)
    assert decode_bio(table, tags) == [NOTE.spans]


def test_a_native_label_that_the_corpus_does_not_know_finds_nothing(table: TokenTable) -> None:
    only_dates = Document("n", TEXT, NOTE.spans[1:])
    tagger = MimicTagger().fit(table, encode_bio(table, [only_dates]))
    assert tagger.mapping_.pairs == {"DATE": "WHEN"}
    assert tagger.tag(NOTE) == [Span(27, 35, "WHEN")]


def test_it_can_be_fitted_on_a_corpus_without_labels(table: TokenTable) -> None:
    tagger = MimicTagger().fit(table, encode_bio(table, [Document("n", TEXT)]))
    assert tagger.mapping_.pairs == {}
    assert (tagger.predict_scores(table)[:, 0] == 1).all()


def test_it_comes_back_from_its_file(fitted: MimicTagger, tmp_path: Path) -> None:
    fitted.save(tmp_path)
    loaded = MimicTagger.load(tmp_path)
    assert (loaded.labels_, loaded.mapping_) == (fitted.labels_, fitted.mapping_)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"pairs": {"DATE": "WHEN"}, "labels": []}',
        '{"pairs": ["DATE"], "labels": ["X"]}',
    ],
)
def test_a_damaged_file_is_refused_by_name(content: str, tmp_path: Path) -> None:
    (tmp_path / "mimic.json").write_text(content)
    with pytest.raises(ModelError, match=r"mimic\.json"):
        MimicTagger.load(tmp_path)


def test_scores_before_fit_are_refused(table: TokenTable) -> None:
    with pytest.raises(NotFittedError, match="not fitted"):
        MimicTagger().predict_scores(table)


def test_it_keeps_the_contract_of_a_base_tagger() -> None:
    check_tagger(MimicTagger)


def test_tags_for_other_tokens_are_refused(table: TokenTable) -> None:
    with pytest.raises(UsageError, match="2 tags were given for"):
        MimicTagger().fit(table, TokenLabels(np.zeros(2, dtype=np.int32), ("O",)))
