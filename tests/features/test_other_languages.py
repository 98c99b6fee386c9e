"""Systems see terms of other languages by default; models from before them see none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from multideid.document import Document, Span
from multideid.learners.feature_tagger import FeatureTagger
from multideid.taggers.checked import scores_of
from multideid.taggers.registry import make_system
from multideid.text.bio import corpus_labels, encode_bio
from multideid.text.table import TokenTable

GROUP = "other languages"
SYSTEMS = pytest.mark.parametrize("name", ["convnet", "lbj", "mist", "stanford", "stat-deid"])


def tagger_of(name: str, **params: object) -> FeatureTagger:
    tagger = make_system(name, **params)
    assert isinstance(tagger, FeatureTagger)
    return tagger


def groups(tagger: FeatureTagger) -> set[str]:
    return {template.group for template in tagger.all_templates()}


@SYSTEMS
def test_terms_of_other_languages_are_seen_unless_switched_off(name: str) -> None:
    assert GROUP in groups(tagger_of(name))
    assert GROUP not in groups(tagger_of(name, other_languages=False))


@pytest.mark.parametrize("name", ["lbj", "mist", "stanford", "stat-deid"])
def test_the_papers_features_have_none(name: str) -> None:
    assert GROUP not in groups(tagger_of(name, features="paper"))


@pytest.mark.parametrize("name", ["lbj", "mist", "stanford", "stat-deid"])
def test_a_model_from_before_them_is_loaded_without(name: str, tmp_path: Path) -> None:
    corpus = [Document(str(n), "vive en Lugo", (Span(8, 12, "CITY"),)) for n in range(4)]
    tokens, labels = TokenTable.from_documents(corpus), corpus_labels(corpus)
    tagger = tagger_of(name, min_count=1, other_languages=False)
    tagger.fit(tokens, encode_bio(tokens, corpus, labels)).save(tmp_path)
    path = tmp_path / "tagger.json"
    values = json.loads(path.read_text())
    del values["params"]["other_languages"]
    path.write_text(json.dumps(values))
    loaded = type(tagger).load(tmp_path)
    assert loaded.other_languages is False
    assert (scores_of(loaded, tokens) == scores_of(tagger, tokens)).all()
