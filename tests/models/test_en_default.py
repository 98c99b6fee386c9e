"""The bundled English model agrees with its card."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from template_notes import sample_corpus

import multideid
from multideid.eval import evaluate
from multideid.models import DEFAULT_MODEL, bundled_models
from multideid.scoring.linear_sums import CompiledLinear
from multideid.scoring.scorer import Compilable
from multideid.stacking import DEFAULT_SYSTEMS, MultiDeidentifier
from multideid.stacking.thresholds import OPERATING_POINTS
from multideid.text.table import TokenTable

ROOT = Path(__file__).parents[2]

NOTE = """\
PATIENT: Harlow, Wilhelmina      MRN: 4410923
ADMISSION DATE: 02/11/2009
ATTENDING: Dr. Tobias Renquist, Larkfield General Hospital
E-mail: w.harlow@larkmail.com   Phone: 617-555-0143

HISTORY: Ms. Harlow is a 93-year-old woman from Springfield with Crohn's disease, INR 2-3, who
was given 325 mg aspirin. Results are at https://portal.larkfieldhealth.org/results.
"""


@pytest.fixture(scope="module")
def model() -> MultiDeidentifier:
    loaded = multideid.load(DEFAULT_MODEL)
    assert isinstance(loaded, MultiDeidentifier)
    return loaded


def test_it_is_bundled_with_a_card_that_docs_show() -> None:
    bundled = bundled_models()[0]
    assert bundled.name == DEFAULT_MODEL
    assert (ROOT / "docs" / "notebook" / "en-default.md").resolve() == bundled.card.resolve()


def test_it_has_the_default_systems_and_the_network(model: MultiDeidentifier) -> None:
    assert set(model.taggers_) == {*DEFAULT_SYSTEMS, "convnet"}


def test_every_kind_of_phi_is_found_and_lookalikes_are_not(model: MultiDeidentifier) -> None:
    found = {(NOTE[s.start : s.end], s.label) for s in model.spans(NOTE)}
    assert {label for _, label in found} == set(model.labels_)
    assert ("w.harlow@larkmail.com", "EMAIL") in found
    assert ("https://portal.larkfieldhealth.org/results", "URL") in found
    assert {"Crohn", "2-3", "325"}.isdisjoint(text for text, _ in found)


def test_its_sums_are_exact_in_float32(model: MultiDeidentifier) -> None:
    parts = [t.linear_part() for t in model.taggers_.values() if isinstance(t, Compilable)]
    sums = CompiledLinear([part for part in parts if part])
    table = TokenTable.from_documents(sample_corpus(20, seed=5, hipaa=True))
    sums.open(table).scores(0, len(table))
    assert (len(sums.parts), sums.arena.scores.dtype) == (4, np.float32)


def test_it_finds_the_phi_of_sample_notes(model: MultiDeidentifier) -> None:
    notes = sample_corpus(5, seed=4, hipaa=True)
    score = evaluate(notes, model.predict(notes)).tokens.two_way()
    assert score.precision > 0.95
    assert score.recall > 0.98


def test_each_recall_point_finds_no_less_than_balanced(model: MultiDeidentifier) -> None:
    notes = sample_corpus(2, seed=6, hipaa=True)
    plain = evaluate(notes, model.predict(notes)).tokens.two_way()
    for point in OPERATING_POINTS:
        turned = evaluate(notes, model.with_recall(point).predict(notes)).tokens.two_way()
        assert turned.recall >= plain.recall
        assert turned.predicted >= plain.predicted


def test_the_card_covers_every_label_and_recall_point(model: MultiDeidentifier) -> None:
    card = bundled_models()[0].card.read_text(encoding="utf-8")
    assert [label for label in model.labels_ if label not in card] == []
    for point in OPERATING_POINTS:
        assert re.search(rf"--recall {point}.*\| 0\.\d{{4}} \| [01]\.\d{{4}} \|", card)
