"""The choice of spans mends borders and labels, loses no PHI, and is stored with the model."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tagged_words import LABELS, scores_of, tags_of
from template_notes import sample_corpus

from multideid.errors import ModelError
from multideid.stacking import MultiDeidentifier, load_folder
from multideid.stacking.meta_features import ScoreNormalisation
from multideid.stacking.span_candidates import SpanCandidates
from multideid.stacking.span_choice import SpanChoice
from multideid.text.bio import TokenLabels, bio_names, tag_runs
from multideid.text.table import TokenTable

NAMES = bio_names(LABELS)
PLAIN = [ScoreNormalisation(0.0, 1.0)] * 2
GOLD = "to NAME[Ann Lee] on DATE[3/4] and x\n" * 40
GOOD = "to NAME[Ann Lee] on DATE[3/4] and NAME[x]\n" * 40
BAD = "to NAME[Ann] Lee on NAME[3/4] and x\n" * 40


@cache
def fitted() -> SpanChoice:
    """Return a choice that learned that the first system has the borders and labels."""
    tokens, gold = tags_of(GOLD)
    scores = [scores_of(tags_of(marked)[1]) for marked in (GOOD, BAD)]
    tags = tags_of(BAD)[1]
    choice = SpanChoice.of(tokens, TokenLabels(gold, NAMES), tags, scores, PLAIN)
    assert choice is not None
    return choice


def chosen(choice: SpanChoice, good: str, bad: str) -> list[int]:
    tokens, decided = tags_of(good)
    tags = tags_of(bad)[1]
    return choice.chosen(tokens, tags, [scores_of(decided), scores_of(tags)], PLAIN).tolist()


def test_borders_and_labels_come_from_the_system_that_had_them_right() -> None:
    found = chosen(fitted(), "by NAME[Bo Ng] of DATE[5/6]", "by NAME[Bo] Ng of NAME[5/6]")
    assert found == tags_of("by NAME[Bo Ng] of DATE[5/6]")[1].tolist()


def test_a_span_that_was_wrong_when_only_one_found_it_is_left_out() -> None:
    assert not any(chosen(fitted(), "to NAME[x]", "to x"))


@given(st.lists(st.lists(st.integers(0, 4), min_size=9, max_size=9), min_size=3, max_size=3))
def test_what_the_stacker_took_for_phi_stays_phi(decisions) -> None:
    tokens = TokenTable.from_texts(["a b c d", "e f g h i"])
    decided = [np.array(tags, dtype=np.int32) for tags in decisions]
    scores = [scores_of(tags) for tags in decided[:2]]
    found = fitted().chosen(tokens, decided[2], scores, PLAIN)
    assert not ((decided[2] > 0) & (found == 0)).any()


DECISIONS = st.lists(st.integers(0, 4), min_size=9, max_size=9)


@given(st.lists(DECISIONS, min_size=3, max_size=3))
def test_undisputed_spans_of_the_stacker_stay_as_they_are(decisions) -> None:
    tokens = TokenTable.from_texts(["a b c d", "e f g h i"])
    decided = [np.array(tags, dtype=np.int32) for tags in decisions]
    candidates = SpanCandidates.of(tokens, decided)
    found = fitted().chosen(tokens, decided[2], [scores_of(tags) for tags in decided[:2]], PLAIN)
    before, after = (spans_of(tokens, tags) for tags in (decided[2], found))
    disputed = set(candidates.rows.tolist())
    assert {s for s in before if not disputed & set(range(s[0], s[1] + 1))} <= after


@given(st.lists(DECISIONS, min_size=3, max_size=3))
def test_spans_are_chosen_alone_as_in_a_batch(decisions) -> None:
    texts = ["a b a d", "d a b a b"]
    batch = TokenTable.from_texts(texts)
    decided = [np.array(tags, dtype=np.int32) for tags in decisions]
    found = fitted().chosen(batch, decided[2], [scores_of(tags) for tags in decided[:2]], PLAIN)
    for d, text in enumerate(texts):
        rows = slice(int(batch.first[d]), int(batch.first[d + 1]))
        *own, tags = (tags[rows] for tags in decided)
        alone = TokenTable.from_texts([text])
        chosen_alone = fitted().chosen(alone, tags, [scores_of(tags) for tags in own], PLAIN)
        assert spans_of(alone, chosen_alone) == spans_of(alone, found[rows])


def spans_of(tokens: TokenTable, tags: np.ndarray) -> set[tuple[int, ...]]:
    return set(zip(*(c.tolist() for c in tag_runs(tokens.document, tags)), strict=True))


@pytest.mark.parametrize("text", [[], [""], ["no phi"]])
def test_text_without_candidates_stays_as_it_is(text: list[str]) -> None:
    tokens = TokenTable.from_texts(text)
    tags = np.zeros(len(tokens), dtype=np.int32)
    assert fitted().chosen(tokens, tags, [scores_of(tags)] * 2, PLAIN).tolist() == tags.tolist()


def test_nothing_is_learned_if_all_candidates_are_right() -> None:
    tokens, gold = tags_of("to NAME[Ann Lee]")
    scores = [scores_of(gold), scores_of(np.zeros_like(gold))]
    assert SpanChoice.of(tokens, TokenLabels(gold, NAMES), gold, scores, PLAIN) is None


@pytest.fixture(scope="module")
def model() -> MultiDeidentifier:
    systems = ["stat-deid", "mist", "mimic"]
    return MultiDeidentifier(systems, folds=2, n_jobs=1).fit(sample_corpus(8, seed=1))


def test_the_choice_learns_from_decisions_at_the_cost_ratio_of_the_model(monkeypatch) -> None:
    class Cautious(MultiDeidentifier):
        cost_ratios: ClassVar[dict[str, float]] = {"balanced": 3.0, "high": 8.0, "maximum": 50.0}

    ratios = []

    def of_margins(*_: object, cost_ratio: float) -> None:
        ratios.append(cost_ratio)

    monkeypatch.setattr(SpanChoice, "of_margins", of_margins)
    Cautious(["mimic", "mist"], folds=2, n_jobs=1).fit(sample_corpus(4, seed=1))
    assert ratios == [3.0]


def test_a_loaded_model_chooses_the_same_spans(model: MultiDeidentifier, tmp_path: Path) -> None:
    notes = sample_corpus(6, seed=9)
    assert model.span_choice_ is not None
    model.save(tmp_path / "model")
    loaded = load_folder(tmp_path / "model")
    assert isinstance(loaded, MultiDeidentifier)
    assert np.array_equal(loaded.span_choice_.active, model.span_choice_.active)
    assert loaded.predict(notes) == model.predict(notes)


def test_a_model_without_the_choice_is_saved_and_loaded_without_it(
    model: MultiDeidentifier, tmp_path: Path
) -> None:
    plain = MultiDeidentifier(["mimic"], folds=2, n_jobs=1, span_choice=False)
    plain.fit(sample_corpus(4, seed=1)).save(tmp_path / "model")
    assert not (tmp_path / "model" / "span_choice.npz").exists()
    assert load_folder(tmp_path / "model").span_choice_ is None


def test_a_choice_of_other_systems_is_refused(model: MultiDeidentifier, tmp_path: Path) -> None:
    model.span_choice_.save(tmp_path, "span_choice")
    n_labels = len(model.labels_)
    SpanChoice.read(tmp_path, "span_choice", 3, n_labels)
    for n_systems, labels in ((2, n_labels), (3, n_labels + 1)):
        with pytest.raises(ModelError):
            SpanChoice.read(tmp_path, "span_choice", n_systems, labels)


@pytest.mark.parametrize("flag", ["span_choice", "words_need_evidence"])
@pytest.mark.parametrize("value", [False, 1, "yes", None])
def test_a_flag_of_a_model_is_true_or_absent(
    model: MultiDeidentifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value, flag: str
) -> None:
    monkeypatch.setattr("multideid.persistence.manifest._check_files", lambda *_: None)
    model.save(tmp_path / "model")
    path = tmp_path / "model" / "multi.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), flag: value}))
    with pytest.raises(ModelError, match=f"{flag}: must be true"):
        load_folder(tmp_path / "model")


def test_compiled_and_plain_decisions_are_the_same(
    model: MultiDeidentifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = sample_corpus(6, seed=5)
    scorer = model._compiled_scorer
    found = []
    for compiled in (True, False):
        monkeypatch.setattr(type(scorer), "should_compile", lambda *_, c=compiled: c)
        found.append(model.predict(notes))
    assert found[0] == found[1]
