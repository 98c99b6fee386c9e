"""Compiled scores equal those of each tagger by itself."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from template_notes import sample_corpus

from multideid.base_systems.lbj import LbjTagger
from multideid.base_systems.mimic import MimicTagger
from multideid.base_systems.mist import MistTagger
from multideid.base_systems.snow import SnowTagger
from multideid.base_systems.stanford import StanfordTagger
from multideid.base_systems.stat_deid import StatDeidTagger
from multideid.learners.feature_tagger import FeatureTagger
from multideid.scoring import scorer
from multideid.scoring.scorer import Compilable, Scorer
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable

CORPUS = sample_corpus(6, seed=3)
ODD = [
    "",
    "x",
    "\n",
    "\n\n\n",
    "Dr. Zzyzx \U0001f600 \U0001d400\u0301 saw Mr. O\u2019Neil\r\n",
    "Zzyzx 03/04/1999 " * 20,
]


@pytest.fixture(scope="module")
def taggers() -> list[BaseTagger]:
    train = CORPUS[:5]
    tokens = TokenTable.from_documents(train)
    labels = encode_bio(tokens, train)
    made = [
        StatDeidTagger(),
        StanfordTagger(epochs=2),
        MistTagger(epochs=4),
        MimicTagger(),
        LbjTagger(epochs=2),
        SnowTagger(epochs=2),
    ]
    return [tagger.fit(tokens, labels) for tagger in made]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scorer, "COMPILE_AFTER", 0)


@pytest.fixture(scope="module")
def joint(taggers: list[BaseTagger]) -> Scorer:
    return Scorer(taggers)


def alone(tagger: BaseTagger, tokens: TokenTable) -> np.ndarray:
    if isinstance(tagger, FeatureTagger):
        return tagger.score_by_features(tokens)
    return tagger.predict_scores(tokens)


def check(taggers: list[BaseTagger], joint: Scorer, tokens: TokenTable) -> None:
    for tagger, found in zip(taggers, joint.scores(tokens), strict=True):
        expected = alone(tagger, tokens)
        assert found.dtype == np.float32
        assert found == pytest.approx(expected, abs=1e-5)
        assert np.array_equal(found.argmax(axis=1), expected.argmax(axis=1)), tagger.name


def test_trained_weights_leave_room_for_exact_sums(taggers: list[BaseTagger]) -> None:
    parts = {t.name: t.linear_part() for t in taggers if isinstance(t, Compilable)}
    largest = {name: np.abs(part.weights.data).max() for name, part in parts.items() if part}
    assert list(largest) == ["stat-deid", "stanford", "mist", "lbj", "snow"]
    for name, part in parts.items():
        assert part is not None
        assert part.exact_up_to >= 64 * largest[name]


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("block", [5, 10**6])
def test_scores_are_those_of_each_tagger(
    taggers: list[BaseTagger], joint: Scorer, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scorer, "_BLOCK", block)
    check(taggers, joint, TokenTable.from_texts([*ODD, *(d.text for d in CORPUS[4:])]))


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("texts", [[], [""], *([text] for text in ODD)])
def test_scores_of_odd_batches_are_those_of_each_tagger(
    taggers: list[BaseTagger], joint: Scorer, texts: list[str]
) -> None:
    check(taggers, joint, TokenTable.from_texts(texts))


@settings(max_examples=8, deadline=None)
@given(st.lists(st.text(st.characters(codec=None), max_size=40), max_size=3), st.integers(0, 99))
def test_scores_of_any_text_are_those_of_each_tagger(
    taggers: list[BaseTagger], joint: Scorer, texts: list[str], at: int
) -> None:
    words = CORPUS[at % len(CORPUS)].text[at : at + 80]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scorer, "COMPILE_AFTER", 0)
        check(taggers, joint, TokenTable.from_texts([*texts, words]))


@pytest.mark.usefixtures("at_once")
def test_a_tagger_alone_gives_the_same_scores(taggers: list[BaseTagger]) -> None:
    tokens = TokenTable.from_documents(CORPUS)
    for tagger in taggers:
        assert tagger.predict_scores(tokens) == pytest.approx(alone(tagger, tokens), abs=1e-5)


def test_little_text_is_scored_without_compiling(taggers: list[BaseTagger]) -> None:
    joint = Scorer(taggers)
    joint.scores(TokenTable.from_texts(["Dr. Zzyzx"]))
    assert joint._model is None


@pytest.mark.usefixtures("at_once")
def test_a_refitted_tagger_is_compiled_again(taggers: list[BaseTagger]) -> None:
    tagger = copy.copy(taggers[2])
    tokens = TokenTable.from_documents(CORPUS)
    tagger.predict_scores(tokens)
    tagger.fit(tokens, encode_bio(tokens, CORPUS))
    assert isinstance(tagger, FeatureTagger)
    assert tagger.predict_scores(tokens) == pytest.approx(
        tagger.score_by_features(tokens), abs=1e-5
    )


@pytest.mark.usefixtures("at_once")
def test_compiled_code_is_not_pickled(taggers: list[BaseTagger]) -> None:
    for tagger in taggers:
        tagger.predict_scores(TokenTable.from_texts(["Dr. Zzyzx"]))
        state = tagger.__getstate__() if isinstance(tagger, FeatureTagger) else {}
        assert not any(isinstance(value, Scorer) for value in state.values())
        assert "Compiled" not in "".join(type(value).__name__ for value in state.values())


def test_loops_that_are_compiled_already_are_used_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    assert scorer.compile_after() == scorer.COMPILE_AFTER
    monkeypatch.setattr(scorer, "_is_compiled", lambda: True)
    assert scorer.compile_after() == scorer.COMPILE_AFTER / 2
    joint = Scorer([])
    assert not joint.should_compile(9_999)
    assert joint.should_compile(1)
