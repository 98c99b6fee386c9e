"""From the draw of notes to the signed figures."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.redact import Key
from multideid.validation import (
    Conditions,
    Plan,
    SampleOptions,
    Validation,
    check_report,
    draw_sample,
    gold_of,
    note_outcomes,
    read_plan,
    signed,
    simulate,
    validate,
    write_plan,
)
from multideid.validation.page import to_page, to_plain
from multideid.validation.sampling import allocation

CONDITIONS = Conditions("tiny", "0" * 64)


def _drawn(corpus: list[Document], /, **options: object) -> tuple[Plan, list[Document]]:
    plan, sample = draw_sample(lambda: corpus, SampleOptions(**options))  # type: ignore[arg-type]
    return plan, list(sample)


def _marked(notes: list[Document], sample: list[Document]) -> list[Document]:
    by_text = {note.text: note for note in notes}
    return [note.with_spans(by_text[note.text].spans) for note in sample]


def _without(notes: list[Document], label: str, every: int = 1) -> list[Document]:
    return [
        note.with_spans([s for s in note.spans if s.label != label]) if n % every == 0 else note
        for n, note in enumerate(notes)
    ]


def test_a_sample_is_blind_and_as_large_as_the_bound_needs(notes: list[Document]) -> None:
    plan, sample = _drawn(notes, bound=0.1)
    assert len(sample) == len(plan.notes) == 29
    assert all(not note.spans and not note.meta for note in sample)
    assert len({note.id for note in sample}) == 29


def test_a_small_corpus_is_read_as_a_whole(notes: list[Document]) -> None:
    plan, sample = _drawn(notes)
    assert len(sample) == len(notes) == plan.n_population


def test_draws_differ_unless_the_seed_is_given(notes: list[Document]) -> None:
    assert _drawn(notes, notes=20)[1] != _drawn(notes, notes=20)[1]
    assert _drawn(notes, notes=20, seed="a")[1] == _drawn(notes, notes=20, seed="a")[1]


def test_each_stratum_gets_its_share(notes: list[Document]) -> None:
    plan, _ = _drawn(notes, notes=20, field="ward")
    assert [(s.notes, s.sampled) for s in plan.strata] == [(30, 15), (10, 5)]
    assert Counter(note.stratum for note in plan.notes) == {0: 15, 1: 5}


def test_shares_add_up_and_small_strata_have_two() -> None:
    assert allocation(Counter(a=1000, b=500, c=1), 30) == {"a": 20, "b": 10, "c": 1}
    assert allocation(Counter(a=1000, b=10), 20) == {"a": 20, "b": 2}


def test_a_note_without_the_field_is_refused(notes: list[Document]) -> None:
    with pytest.raises(UsageError, match="'n0' has no field 'clinic'"):
        _drawn(notes, field="clinic")


def test_a_plan_is_the_same_after_it_was_written(notes: list[Document], tmp_path: Path) -> None:
    plan, _ = _drawn(notes, field="ward", notes=10)
    path = tmp_path / "plan.json"
    write_plan(plan, path)
    assert read_plan(path) == plan
    assert read_plan(path).fingerprint == plan.fingerprint
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", ["[]", "{}", "no", '{"format": 1, "notes": []}'])
def test_what_is_no_plan_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(content)
    with pytest.raises(UsageError, match=r"plan\.json"):
        read_plan(path)


def test_notes_are_known_by_their_text_in_any_order(notes: list[Document]) -> None:
    plan, sample = _drawn(notes, notes=10)
    renamed = [Document(f"task {n}", d.text, d.spans) for n, d in enumerate(_marked(notes, sample))]
    readings = gold_of(plan, [renamed[::-1]])
    assert [note.text for note in readings.gold] == [note.text for note in sample]


def test_a_sample_that_was_not_wholly_read_is_refused(notes: list[Document]) -> None:
    plan, sample = _drawn(notes, notes=10)
    with pytest.raises(UsageError, match="3 of 10 sampled notes were not read"):
        gold_of(plan, [sample[3:]])


def test_a_changed_text_is_refused_without_being_quoted(notes: list[Document]) -> None:
    plan, sample = _drawn(notes, notes=10)
    changed = [Document("n", sample[0].text + " "), *sample[1:]]
    with pytest.raises(UsageError, match="its text was changed") as caught:
        gold_of(plan, [changed])
    assert "Xylo" not in str(caught.value)


def test_a_span_leaks_if_a_letter_is_open_whatever_the_label() -> None:
    note = Document("1", "Dr. Xy-Lo at 7", (Span(4, 9, "NAME"), Span(13, 14, "AGE")))
    for spans, missed, partly in (
        ((Span(4, 9, "CITY"), Span(13, 14, "DATE")), 0, 0),
        ((Span(4, 6, "NAME"), Span(7, 9, "NAME"), Span(13, 14, "AGE")), 0, 0),
        ((Span(4, 8, "NAME"),), 1, 1),
        ((), 2, 0),
    ):
        outcomes = note_outcomes([note], [note.with_spans(spans)])
        assert outcomes.of(outcomes.labels).tolist() == [[2, missed, partly]]


def _validated(corpus: list[Document], /, every: int = 1, **options: object) -> Validation:
    plan, sample = _drawn(corpus, **options)
    readings = gold_of(plan, [_marked(corpus, sample)])
    return validate(plan, readings, _without(list(readings.gold), "DOCTOR", every), CONDITIONS)


def test_recall_is_told_by_class_and_by_kind_of_identifier(notes: list[Document]) -> None:
    found = {row.group: row for row in _validated(notes).recalls}
    assert found["all"].recall == 0.5
    assert found["direct"].recall == found["DOCTOR"].recall == 0
    assert found["quasi"].recall == found["DATE"].recall == 1
    assert found["DOCTOR"].missed == found["DOCTOR"].spans == 40
    assert found["DATE"].low < 1 == found["DATE"].high


def test_the_bound_holds_only_if_so_many_notes_were_read(notes: list[Document]) -> None:
    plan, sample = _drawn(notes, bound=0.1)
    readings = gold_of(plan, [_marked(notes, sample)])
    clean = validate(plan, readings, readings.gold, CONDITIONS)
    assert clean.holds
    assert clean.notes.bound == pytest.approx(0.0981, abs=1e-4)
    leaking = validate(plan, readings, _without(list(readings.gold), "DATE", 29), CONDITIONS)
    assert leaking.notes.leaking == 1
    assert not leaking.holds


def test_a_confidence_is_shown_as_it_was_asked_for(notes: list[Document]) -> None:
    shown = to_plain(_validated(notes, notes=40, level=0.999), {})
    assert "With 99.9% confidence, at most" in shown
    assert "Recall by span, 99.9% intervals" in shown


def test_strata_drawn_out_of_proportion_weaken_the_bound(notes: list[Document]) -> None:
    plan, sample = _drawn(notes, field="ward", notes=20)
    readings = gold_of(plan, [_marked(notes, sample)])
    even = validate(plan, readings, readings.gold, CONDITIONS)
    # Notes of the large stratum fail, so that each of the others stands for more.
    part: list[Document | None] = [
        None if note.stratum == 0 and n % 2 else document
        for n, (note, document) in enumerate(zip(plan.notes, readings.gold, strict=True))
    ]
    uneven = validate(plan, readings, part, CONDITIONS)
    assert uneven.refused == part.count(None) > 0
    assert uneven.notes.bound > even.notes.bound


def test_two_readers_tell_how_much_both_overlooked(notes: list[Document]) -> None:
    plan, sample = _drawn(notes, notes=40)
    marked = _marked(notes, sample)
    first = _without(marked, "DATE", 4)
    second = _without(marked, "DATE", 5)
    readings = gold_of(plan, [first, second])
    assert readings.population is not None
    # Notes 0 and 20 have a date that neither marked.
    assert readings.population.seen == 78
    assert 78 < readings.population.size.estimate < 80
    result = validate(plan, readings, readings.gold, CONDITIONS)
    assert result.unmarked is not None
    assert result.unmarked.recall_low < result.unmarked.recall < 1


def test_readers_who_marked_the_same_get_a_short_sentence(notes: list[Document]) -> None:
    plan, sample = _drawn(notes, notes=40)
    marked = _marked(notes, sample)
    readings = gold_of(plan, [marked, marked])
    shown = to_plain(validate(plan, readings, marked, CONDITIONS), {})
    found = next(line for line in shown.splitlines() if "capture-recapture" in line)
    assert "there are 80.0 (80.0 to " in found
    assert "e+" in found


def test_marks_of_two_readers_that_overlap_become_one(notes: list[Document]) -> None:
    plan, sample = _drawn(notes, notes=1)
    readings = gold_of(
        plan,
        [
            [n.with_spans([(4, 6, "A")]) for n in sample],
            [n.with_spans([(5, 9, "B")]) for n in sample],
        ],
    )
    assert readings.gold[0].spans == (Span(4, 9, "B"),)
    assert readings.population is not None
    assert readings.population.seen == 1


def test_nothing_of_the_notes_is_in_the_report(notes: list[Document]) -> None:
    found = _validated(notes, field="ward", notes=20)
    report = signed(found.to_dict())
    shown = json.dumps(report) + to_plain(found, report) + str(to_page(found, report))
    assert "DOCTOR" in shown
    for secret in ("Xylo", "n1", "2014-03"):
        assert secret not in shown


def test_a_changed_report_is_found(notes: list[Document]) -> None:
    key = Key.random()
    report = json.loads(json.dumps(signed(_validated(notes).to_dict(), key)))
    assert check_report(report, key) == report["sha256"]
    with pytest.raises(UsageError, match="another key"):
        check_report(report, Key.random())
    report["content"]["notes"]["leaking"] = 0
    with pytest.raises(UsageError, match="was changed"):
        check_report(report)


def test_who_has_no_key_cannot_sign_a_change(notes: list[Document]) -> None:
    key = Key.random()
    report = signed(_validated(notes).to_dict(), key)
    forged = {**signed({**report["content"], "readers": 9}), "hmac_sha256": report["hmac_sha256"]}
    check_report(forged)
    with pytest.raises(UsageError, match="was changed"):
        check_report(forged, key)


def test_a_simulation_counts_intervals_that_hold(notes: list[Document]) -> None:
    outcomes = note_outcomes(notes, _without(notes, "DATE", 4))
    found = {row.what: row for row in simulate(outcomes, 20, 100)}
    assert found["recall, all"].truth == 0.875
    assert found["recall, all"].held >= 90
    assert found["leaking notes"].truth == 0.25
    assert found["recall, DOCTOR"].held == 100
