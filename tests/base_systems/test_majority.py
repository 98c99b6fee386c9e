"""The majority baseline gives each word the tag that it had most often."""

from __future__ import annotations

import numpy as np
import pytest

from multideid.base_systems.majority import MajorityTagger
from multideid.document import Document, Span
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable

NOTES = [
    Document("a", "Lee saw Hart on Friday", (Span(0, 3, "NAME"), Span(16, 22, "DATE"))),
    Document("b", "Lee was seen on Friday", (Span(0, 3, "NAME"),)),
    Document("c", "Lee Hart", (Span(4, 8, "NAME"),)),
]


@pytest.fixture(scope="module")
def tagger() -> MajorityTagger:
    table = TokenTable.from_documents(NOTES)
    return MajorityTagger().fit(table, encode_bio(table, NOTES))


def tags(tagger: MajorityTagger, text: str) -> list[str]:
    best = tagger.predict_scores(TokenTable.from_texts([text])).argmax(axis=1)
    return [tagger.labels_[n] for n in best.tolist()]


def test_a_word_gets_its_most_frequent_tag_in_any_context(tagger: MajorityTagger) -> None:
    assert tags(tagger, "on Lee") == ["O", "B-NAME"]


def test_of_equal_tags_the_one_that_the_corpus_has_oftener_is_given(
    tagger: MajorityTagger,
) -> None:
    assert tags(tagger, "Hart Friday") == ["O", "O"]


def test_an_unknown_word_gets_the_most_frequent_tag_of_all(tagger: MajorityTagger) -> None:
    assert tags(tagger, "Zebra") == ["O"]


def test_scores_are_shares_of_the_words_tokens_and_hardly_more(tagger: MajorityTagger) -> None:
    row = tagger.predict_scores(TokenTable.from_texts(["Lee"]))[0]
    share = dict(zip(tagger.labels_, row.tolist(), strict=True))
    assert share["B-NAME"] == pytest.approx(2 / 3, abs=2e-3)
    assert share["O"] == pytest.approx(1 / 3, abs=2e-3)
    assert row.dtype == np.float32
