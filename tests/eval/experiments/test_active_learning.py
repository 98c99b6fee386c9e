"""The curve of the order in which notes teach most, and what it saves."""

from __future__ import annotations

import sys

import pytest

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.eval.experiments import Corpus, Setup, active_learning
from multideid.eval.experiments.saved_annotation import Step, needed_for, saved_annotation

NAMES = "Lee Alder Birch Cedar Elm Fir Hazel Larch Maple Oak Pine Rowan Sorrel Thorn Yew".split()


def _note(n: int) -> Document:
    name = NAMES[n % len(NAMES)]
    text = f"Seen by Dr. {name} on 3/{1 + n % 28}/2071.\nStable.\n"
    at = text.index("3/")
    spans = (Span(12, 12 + len(name), "DOCTOR"), Span(at, text.index(".\nS"), "DATE"))
    return Document(f"n{n}", text, spans)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    notes = [_note(n) for n in range(16)]
    return Corpus("notes", tuple(notes[:12]), tuple(notes[12:]))


@pytest.fixture(scope="module")
def setup() -> Setup:
    return Setup(("mist", "mimic"), folds=2, n_jobs=1, params={"mist": {"epochs": 2}})


def test_both_orders_begin_and_end_with_the_same_notes(corpus: Corpus, setup: Setup) -> None:
    result = active_learning([corpus], setup, start=3, steps=3, draws=2)
    lines = {
        order: [point for point in result["points"] if point.order == order]
        for order in ("random", "teaching")
    }
    for points in lines.values():
        assert [point.documents for point in points] == [3, 6, 12]
        assert [point.draws for point in points] == [2, 2, 2]
    for n in (0, -1):
        first, second = lines["random"][n], lines["teaching"][n]
        assert (first.scores, first.tokens) == (second.scores, second.tokens)
    assert len(result["saved"]) == 4
    assert "Annotation needed for 99.0%" in result.to_text()


def _steps(*scores: float) -> list[Step]:
    return [
        Step(10 * n, 100 * n, {"span_f": f, "token_f": f}) for n, f in enumerate(scores, start=1)
    ]


def test_the_annotation_needed_is_that_of_the_first_step_that_reaches_the_target() -> None:
    assert needed_for(_steps(0.2, 0.4, 0.8, 0.5), "span_f", "documents", 0.8) == 20
    assert needed_for(_steps(0.2, 0.4, 0.8), "span_f", "documents", 0.75) == pytest.approx(25)
    assert needed_for(_steps(0.2, 0.4, 0.8), "span_f", "tokens", 0.75) == pytest.approx(250)
    assert needed_for(_steps(0.9, 0.4, 0.8), "span_f", "documents", 0.99) == 10


def test_what_is_saved_is_the_mean_over_draws() -> None:
    curves = {
        "random": [_steps(0.1, 0.2, 1.0), _steps(0.1, 0.2, 1.0)],
        "teaching": [_steps(0.1, 1.0, 1.0), _steps(0.1, 0.2, 1.0)],
    }
    rows = list(saved_annotation("c", curves, 0.9999))
    assert rows[0].saved.estimate == pytest.approx(1 / 6, abs=1e-3)
    assert (rows[0].random, rows[0].teaching) == (
        pytest.approx(30, abs=0.1),
        pytest.approx(25, abs=0.1),
    )
    assert rows[0].full == 1


def test_the_most_uncertain_notes_are_annotated_next(
    corpus: Corpus, setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    from multideid.eval.experiments.active_learning import TEACHING, _Line, _Pool

    pool = _Pool.of(corpus, setup, 3, 3)
    line = _Line(pool, TEACHING, 0)
    left = line.queue[3:].tolist()
    worth = {number: float(number) for number in left}
    # The package has the function of the same name.
    module = sys.modules["multideid.eval.experiments.active_learning"]
    monkeypatch.setattr(
        module, "_uncertainties", lambda plan: [worth.get(n, -1.0) for n in plan.held.tolist()]
    )
    line.learn(line.plan(3))
    assert line.queue[3:].tolist() == sorted(left, reverse=True)


def test_uncertainty_per_token_prefers_short_notes(
    corpus: Corpus, setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    from multideid.eval.experiments.active_learning import TEACHING, _Line, _Pool

    longer = [
        Document(note.id, note.text + "Well. " * n, note.spans)
        for n, note in enumerate(corpus.train)
    ]
    pool = _Pool.of(Corpus("notes", tuple(longer), corpus.test), setup, 3, 3, per_token=1.0)
    line = _Line(pool, TEACHING, 0)
    left = line.queue[3:].tolist()
    module = sys.modules["multideid.eval.experiments.active_learning"]
    monkeypatch.setattr(module, "_uncertainties", lambda plan: [1.0] * len(plan.held))
    line.learn(line.plan(3))
    assert line.queue[3:].tolist() == sorted(left)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"start": 1}, "two notes"),
        ({"steps": 1}, "two steps"),
        ({"draws": 0}, "0 draws"),
        ({"target": 1.0}, "share of F"),
        ({"start": 12}, "more are needed"),
        ({"per_token": -0.5}, "from 0 to 1"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(
    corpus: Corpus, setup: Setup, options: dict[str, float], problem: str
) -> None:
    with pytest.raises(UsageError, match=problem):
        active_learning([corpus], setup, **options)  # type: ignore[arg-type]
