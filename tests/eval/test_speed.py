"""Speed is measured over all passes and stages, and given in whitespace tokens."""

from __future__ import annotations

from time import process_time

import pytest
from template_notes import sample_corpus

from multideid.document import Document
from multideid.errors import UsageError
from multideid.eval.speed import enlarged, long_note, measure_speed, peak_memory
from multideid.stacking import SingleDeidentifier
from multideid.timing import stage, timed_stages

NOTES = [Document("a", "Dr. Lee\nsaw him"), Document("b", "on 3/4/2001")]


@pytest.fixture(scope="module")
def model() -> SingleDeidentifier:
    return SingleDeidentifier("mimic").fit(sample_corpus(3))


def test_tokens_are_those_between_white_space(model: SingleDeidentifier) -> None:
    speed = measure_speed(model, NOTES, passes=2)
    assert (speed.documents, speed.tokens, speed.characters) == (2, 6, 26)
    assert 0 < speed.tokens_per_second <= speed.fastest
    assert {"tokens", "decisions", "spans"} <= speed.microseconds.keys()
    assert sum(speed.microseconds.values()) <= 2e6 / speed.tokens_per_second


@pytest.mark.parametrize(("notes", "passes"), [([], 1), ([Document("a", " \n")], 1), (NOTES, 0)])
def test_nothing_to_measure_is_refused(
    model: SingleDeidentifier, notes: list[Document], passes: int
) -> None:
    with pytest.raises(UsageError):
        measure_speed(model, notes, passes)


def test_the_time_of_an_inner_stage_is_not_the_outer_ones_too() -> None:
    with timed_stages() as seconds, stage("outer"), stage("inner"):
        begin = process_time()
        while process_time() < begin + 0.02:
            pass
    assert seconds["inner"] >= 0.02 > seconds["outer"]


def test_stages_cost_and_tell_nothing_where_nobody_asks() -> None:
    with stage("alone"):
        pass
    with timed_stages() as seconds:
        pass
    assert seconds == {}


def test_text_is_repeated_until_it_is_large_enough() -> None:
    many = enlarged(NOTES, 100)
    assert 100 <= sum(len(d.text) for d in many) < 126
    assert len({d.id for d in many}) == len(many)
    assert 100 <= len(long_note(NOTES, 100).text) < 140
    assert enlarged([Document("a", "")], 10) == []


def test_memory_is_in_megabytes() -> None:
    assert peak_memory() > 10
