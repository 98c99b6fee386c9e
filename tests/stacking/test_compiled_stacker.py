"""Compiled tags equal those of the stacker's margins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from template_notes import sample_corpus

from multideid.document import Document
from multideid.learners.boosting import HistogramBooster
from multideid.scoring import scorer
from multideid.stacking import MegaDeidentifier, MultiDeidentifier, compiled_stacker
from multideid.stacking.compiled_stacker import CompiledStacker, LineBlock
from multideid.stacking.odds import Odds
from multideid.stacking.phi_odds import PhiOdds
from multideid.stacking.stacker import Stacker
from multideid.stacking.thresholds import decide
from multideid.stacking.token_forms import N_COLUMNS, TokenForms
from multideid.stacking.uncertain_odds import UncertainOdds
from multideid.text.bio import TokenLabels, bio_names
from multideid.text.lines import line_starts
from multideid.text.table import TokenTable

N_LABELS = 5
NAMES = bio_names(["DATE", "ID"])
TOKENS = TokenTable.from_texts(["a b c\nd e", "f", "", "g h i j k\n" * 12])


def draw(n_systems: int, seed: int) -> list[np.ndarray]:
    """Return scores of systems that mostly find nothing."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 1, (n_systems, len(TOKENS), N_LABELS)).astype(np.float32)
    scores[:, rng.random(len(TOKENS)) < 0.6, 0] += 9
    return list(scores)


def gold(seed: int) -> TokenLabels:
    ids = np.random.default_rng(seed).integers(0, N_LABELS, len(TOKENS))
    return TokenLabels(ids.astype(np.int32), NAMES)


def odds(stacker: Stacker, n_systems: int, seed: int) -> Odds:
    """Return odds with trees that cut all columns at random."""
    seen, phi = draw(n_systems, seed + 2), gold(seed + 2).ids > 0
    linear = PhiOdds.of(stacker.margins(TOKENS, seen), seen, phi)
    assert linear is not None
    rng = np.random.default_rng(seed)
    columns = rng.normal(0, 5, (400, 1 + n_systems + 5 + N_COLUMNS)).astype(np.float32)
    labels = rng.integers(0, 2, 400).astype(np.int32)
    booster = HistogramBooster(rounds=20, min_samples_leaf=5)
    forest = booster.train(columns, labels, np.ones(400, np.float32), 2)
    return Odds(linear, UncertainOdds(forest))


@given(
    st.integers(0, 10_000), st.sampled_from([1, 2, 4]), st.booleans(), st.booleans(), st.booleans()
)
def test_compiled_tags_equal_the_thresholded_tags_of_the_margins(
    seed: int, n_systems: int, with_offsets: bool, document_context: bool, with_odds: bool
) -> None:
    stacker = Stacker(document_context=document_context).fit(
        TOKENS, gold(seed), draw(n_systems, seed)
    )
    if with_odds:
        stacker.odds_ = odds(stacker, n_systems, seed)
    scores = draw(n_systems, seed + 1)
    offsets = np.array([0.3, 1.5] if with_offsets else [0, 0], dtype=np.float32)
    margins = stacker.margins(TOKENS, scores)
    compiled = CompiledStacker(stacker.model_, stacker.all_normalisations(), offsets, stacker.odds_)
    inputs = stacker.inputs(TOKENS, scores)
    forms = TokenForms.of(TOKENS)
    found = compiled.decide(LineBlock(TOKENS.document, line_starts(TOKENS), 0, forms), inputs)
    assert found.tags.tolist() == decide(TOKENS, margins, offsets).tags.tolist()


@given(st.integers(0, 10_000), st.booleans(), st.booleans())
def test_margins_of_wanted_tokens_are_those_of_all(
    seed: int, document_context: bool, with_odds: bool
) -> None:
    stacker = Stacker(document_context=document_context).fit(TOKENS, gold(seed), draw(2, seed))
    if with_odds:
        stacker.odds_ = odds(stacker, 2, seed)
    scores = draw(2, seed + 1)
    wanted = np.random.default_rng(seed).random(len(TOKENS)) < 0.3
    some = stacker.margins(TOKENS, scores, wanted=wanted)
    assert some[wanted].tolist() == stacker.margins(TOKENS, scores)[wanted].tolist()


def test_text_without_candidates_has_no_tags() -> None:
    stacker = Stacker(document_context=False).fit(TOKENS, gold(0), draw(2, 0))
    none = np.zeros(N_LABELS // 2, dtype=np.float32)
    compiled = CompiledStacker(stacker.model_, stacker.normalisations_, none)
    no_phi = np.zeros((len(TOKENS), N_LABELS), dtype=np.float32)
    no_phi[:, 0] = 1
    block = LineBlock(TOKENS.document, line_starts(TOKENS))
    assert not compiled.decide(block, [no_phi, no_phi]).tags.any()


@pytest.fixture(scope="module")
def model() -> MultiDeidentifier:
    systems = ["stat-deid", "lbj", "mimic"]
    return MultiDeidentifier(systems, folds=2, n_jobs=1).fit(sample_corpus(6, seed=1))


def test_spans_have_the_same_scores_compiled(
    model: MultiDeidentifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = sample_corpus(2, seed=9)
    plain = [model.span_scores([note])[0] for note in model.predict(notes)]
    monkeypatch.setattr(scorer.Scorer, "should_compile", lambda *_: True)
    assert model.span_scores(model.predict(notes)) == plain
    assert any(plain)


@pytest.mark.parametrize("block", [10, 10**6])
def test_multi_finds_the_same_spans_compiled(
    model: MultiDeidentifier, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = [*sample_corpus(2, seed=9), Document("empty", ""), Document("one", "Lee")]
    notes.append(Document("long", "seen by Dr. Alder 3/4/2001 " * 30))
    model.__dict__.pop("_compiled_scorer", None)
    monkeypatch.setattr(scorer, "COMPILE_AFTER", 10**9)
    expected = model.predict(notes)
    monkeypatch.setattr(scorer, "COMPILE_AFTER", 0)
    monkeypatch.setattr(compiled_stacker, "_BLOCK", block)
    assert model.predict(notes) == expected
    assert sum(len(document.spans) for document in expected) > 30


def test_mega_finds_the_same_spans_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    mega = MegaDeidentifier(["stat-deid", "lbj", "mimic"]).fit(sample_corpus(5, seed=1))
    notes = [*sample_corpus(2, seed=9), Document("empty", ""), Document("one", "Lee")]
    expected = mega.predict(notes)
    assert "_compiled_sums" not in vars(mega)
    monkeypatch.setattr(scorer, "COMPILE_AFTER", 0)
    assert mega.predict(notes) == expected
    assert mega._compiled_sums.arena.scores.dtype == np.float32
