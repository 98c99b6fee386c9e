"""Taggers with native labels: fit, prediction, saving and loading."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from multideid.document import Document, Span
from multideid.errors import ModelError
from multideid.persistence import load_json, save_json
from multideid.taggers.mapped import MappedTagger
from multideid.text.bio import TokenLabels, bio_names, encode_bio
from multideid.text.table import TokenTable


class LongWords(MappedTagger):
    """Calls long words NAME and longer ones PLACE."""

    name: ClassVar[str] = "long-words"
    summary: ClassVar[str] = "Long words."
    _file: ClassVar[str] = "long-words"

    def __init__(self, length: int = 4) -> None:
        self.length = length

    def _native(self, tokens: TokenTable) -> TokenLabels:
        lengths = tokens.end - tokens.start
        ids = (lengths >= self.length) + 2 * (lengths >= self.length + 4)
        return TokenLabels(ids.astype(np.int32), bio_names(("NAME", "PLACE")))


class LongWordsMostlyRight(LongWords):
    """Ignores labels of low precision."""

    min_precision: ClassVar[float] = 0.5


NOTE = Document("n", "Seen by Alder with Lopez", (Span(8, 13, "WHO"),))
TOKENS = TokenTable.from_documents([NOTE])
GOLD = encode_bio(TOKENS, [NOTE], ("WHEN", "WHO"))


def test_fit_maps_native_labels_to_the_corpus() -> None:
    tagger = LongWords(5).fit(TOKENS, GOLD)
    assert tagger.mapping_.pairs == {"NAME": "WHO"}
    assert tagger.labels_ == GOLD.names
    assert tagger.predict_tags(TOKENS).tolist() == [0, 0, 3, 0, 3]


def test_a_label_that_is_mostly_wrong_is_left_out_where_the_class_says_so() -> None:
    assert LongWords().fit(TOKENS, GOLD).mapping_.pairs == {"NAME": "WHO"}
    assert LongWordsMostlyRight().fit(TOKENS, GOLD).mapping_.pairs == {}


def test_the_decided_tag_scores_one_and_every_other_nought() -> None:
    scores = LongWords(5).fit(TOKENS, GOLD).predict_scores(TOKENS)
    assert scores.dtype == np.float32
    assert scores.tolist() == [[1, 0, 0, 0, 0]] * 2 + [[0, 0, 0, 1, 0]] + [
        [1, 0, 0, 0, 0],
        [0, 0, 0, 1, 0],
    ]


def test_use_before_fit_is_refused(tmp_path: Path) -> None:
    for use in (LongWords().predict_scores, LongWords().predict_tags):
        with pytest.raises(NotFittedError, match="'long-words'"):
            use(TOKENS)
    with pytest.raises(NotFittedError):
        LongWords().save(tmp_path)


def test_parameters_and_mapping_come_back(tmp_path: Path) -> None:
    tagger = LongWords(5).fit(TOKENS, GOLD)
    tagger.save(tmp_path)
    again = LongWords.load(tmp_path)
    assert (again.length, again.mapping_, again.labels_) == (5, tagger.mapping_, tagger.labels_)


def test_a_file_with_the_mapping_alone_is_read_as_before(tmp_path: Path) -> None:
    tagger = LongWords().fit(TOKENS, GOLD)
    save_json(tmp_path, "long-words", tagger.mapping_.to_dict())
    again = LongWords.load(tmp_path)
    assert (again.length, again.mapping_, again.labels_) == (4, tagger.mapping_, tagger.labels_)


@pytest.mark.parametrize(
    "change", [{"params": {"width": 3}}, {"params": None}, {"mapping": {}}, {"mapping": None}]
)
def test_a_file_of_something_else_is_refused_by_name(
    change: dict[str, object], tmp_path: Path
) -> None:
    LongWords().fit(TOKENS, GOLD).save(tmp_path)
    save_json(tmp_path, "long-words", load_json(tmp_path, "long-words") | change)
    with pytest.raises(
        ModelError, match=r"long-words\.json.*does not hold a model of system 'long-words'"
    ):
        LongWords.load(tmp_path)
