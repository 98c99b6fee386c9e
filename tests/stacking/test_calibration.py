"""Scores of spans are probabilities, calibrated out of fold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from template_notes import sample_corpus

from multideid import samples
from multideid.document import Document, Span
from multideid.models import load
from multideid.persistence import load_json
from multideid.stacking import MegaDeidentifier, MultiDeidentifier, load_folder
from multideid.stacking.calibration import Calibration, mean_over_spans
from multideid.stacking.phi_odds import NO_CANDIDATE
from multideid.text.table import TokenTable


def margins_of(advantage: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    margins = np.zeros((len(advantage), 3), np.float32)
    margins[:, 1] = advantage
    margins[:, 2] = advantage - 1
    return margins


def test_the_curve_that_made_the_labels_is_found() -> None:
    random = np.random.default_rng(1)
    advantage = random.normal(0, 2, 40_000)
    phi = random.random(len(advantage)) < 1 / (1 + np.exp(-(1.5 * advantage - 0.5)))
    curve = Calibration.of(margins_of(advantage), phi)
    assert curve is not None
    assert curve.slope == pytest.approx(1.5, abs=0.05)
    assert curve.intercept == pytest.approx(-0.5, abs=0.05)


def test_tokens_that_are_no_candidates_do_not_count() -> None:
    advantage = np.array([-1.0, 1.0, -1.0, 1.0, 0.5, -0.5])
    phi = np.array([False, True, True, False, True, False])
    outside = np.full((1000, 3), 0, np.float32)
    outside[:, 0] = NO_CANDIDATE
    more = np.concatenate([margins_of(advantage), outside])
    curve = Calibration.of(more, np.append(phi, np.zeros(1000, bool)))
    assert curve == Calibration.of(margins_of(advantage), phi)


def test_there_is_no_curve_without_two_kinds_of_candidates() -> None:
    margins = margins_of(np.array([1.0, 2.0]))
    for phi in ([True, True], [False, False]):
        assert Calibration.of(margins, np.array(phi)) is None
    assert Calibration.of(np.zeros((2, 1), np.float32), np.zeros(2, bool)) is None


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=20))
def test_probabilities_rise_with_the_margin_from_0_to_1(advantages: list[float]) -> None:
    values = np.sort(np.array(advantages))
    found = Calibration(2.0, 0.3).probabilities(margins_of(values))
    assert ((found >= 0) & (found <= 1)).all()
    assert (np.diff(found) >= 0).all()


def test_a_span_has_the_mean_of_its_tokens() -> None:
    note = Document("n", "Dr. Ann Lee", (Span(0, 2, "X"), Span(4, 11, "DOCTOR")))
    tokens = TokenTable.from_documents([note])
    words = [note.text[a:b] for a, b in zip(tokens.start, tokens.end, strict=True)]
    values = np.array([{"Dr": 0.25, ".": 0.9, "Ann": 0.5, "Lee": 1.0}[word] for word in words])
    assert mean_over_spans([note], tokens, values) == [(0.25, 0.75)]


def test_a_trained_model_scores_its_spans_and_keeps_the_curve(tmp_path: object) -> None:
    # Names are unknown in held-out folds, so that some candidates are no PHI.
    corpus = sample_corpus(12, seed=4)
    model = MultiDeidentifier(["mimic", "stat-deid"], folds=2, n_jobs=1).fit(corpus)
    assert model.calibration_ is not None
    assert model.calibration_.slope > 0
    found = model.predict(corpus)
    scores = model.span_scores(found)
    assert [len(s) for s in scores] == [len(d.spans) for d in found]
    assert all(0 <= s <= 1 for some in scores for s in some if s is not None)
    model.save(f"{tmp_path}/m")
    assert load_folder(f"{tmp_path}/m").span_scores(found) == scores


def test_models_without_a_curve_give_no_scores() -> None:
    corpus = sample_corpus(4)
    model = MegaDeidentifier(["mimic"]).fit(corpus)
    assert model.span_scores(corpus[:1]) == [(None,) * len(corpus[0].spans)]


def test_spans_that_only_a_low_threshold_finds_have_low_scores() -> None:
    model = load("en-default")
    notes = samples.sample_corpus(12, split="dev")
    sure = model.predict(notes)
    found = load("en-default", "maximum").predict(notes)
    low, high = [], []
    for note, scores, known in zip(found, model.span_scores(found), sure, strict=True):
        for span, score in zip(note.spans, scores, strict=True):
            if not any(span.start < each.end and each.start < span.end for each in known.spans):
                low.append(score or 0.0)
            elif span in known.spans:
                high.append(score)
    assert len(low) > 20
    assert max(low) < 0.6
    assert np.mean(low) < 0.3
    assert np.mean(high) > 0.9
    assert "calibration" in load_json(model_folder(), "multi")


def model_folder() -> object:
    from multideid.models import find_model

    return find_model("en-default")


def test_notes_without_spans_are_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    model = load("en-default")
    monkeypatch.setattr(model, "_compiled_scorer", None)
    assert model.span_scores([Document("n", "No fever.")] * 2) == [(), ()]
