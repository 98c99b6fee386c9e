"""The PHI of a record: what its fields say, also where it stands in free text."""

from __future__ import annotations

import pytest

from multideid.corpora.structure import Record, Value, labelled, withheld
from multideid.corpora.structured.slots import Change, Source
from multideid.deid.record_text import RecordText
from multideid.document import Span
from multideid.site.occurrences import occurrences


def _fields(*values: tuple[str, str | None]) -> tuple[RecordText, Source]:
    """Return a record with a value on each line of a source; those with a label are fields."""
    source = Source("\n".join(text for text, _ in values))
    made, place = [], 0
    for text, label in values:
        slot = source.slot(place, place + len(text))
        made.append(labelled(slot, label) if label else Value((slot,)))
        place += len(text) + 1
    record = Record(tuple(made), lambda changes: source.rendered(changes).encode())
    return RecordText(record), source


def _found(fields: RecordText, found: list[Span] | None = None) -> list[tuple[str, str]]:
    return [(fields.text[start:end], label) for start, end, label in fields.spans(found or [], str)]


def test_field_decides_whatever_the_model_finds() -> None:
    fields, _ = _fields(("19610615", "DATE"), ("seen today", None))
    assert _found(fields, [Span(0, 4, "ID"), Span(4, 13, "PHONE")]) == [
        ("19610615", "DATE"),
        ("seen", "PHONE"),
    ]


def test_words_of_what_was_withheld_are_not_searched_elsewhere() -> None:
    source = Source("seen by Smith\nby Smith")
    slots = source.slot(0, 13), source.slot(14, 22)
    values = withheld(Value((slots[0],))), Value((slots[1],), title=True)
    fields = RecordText(Record(values, lambda changes: b""))
    assert fields.spans([], lambda label: "DOCTOR") == [Span(0, 13, "DOCTOR")]


def test_phi_of_fields_is_found_in_free_text_and_joins_what_overlaps_it() -> None:
    fields, _ = _fields(("SMITH", "PATIENT"), ("by Dr. Ann Smith now", None))
    note = fields.text.index("Ann")
    assert _found(fields) == [("SMITH", "PATIENT"), ("Smith", "PATIENT")]
    assert _found(fields, [Span(note, note + 9, "DOCTOR")])[1] == ("Ann Smith", "DOCTOR")


@pytest.mark.parametrize(
    "before", ["2019-03-14 09:30:00", "ends at 09:30:00", "0.00", "code 00", "grade 2+"]
)
def test_zeros_of_the_value_before_a_phone_are_no_code_of_its_country(before: str) -> None:
    fields, _ = _fields((before, None), ("6175550142", "PHONE"))
    assert _found(fields) == [("6175550142", "PHONE")]


@pytest.mark.parametrize("number", ["+1 6175550142", "001 6175550142", "001\u00a0617-555-0142"])
def test_the_code_of_the_country_before_a_phone_belongs_to_it(number: str) -> None:
    fields, _ = _fields(("6175550142", "PHONE"), (f"call {number} now", None))
    assert _found(fields)[1:] == [(number, "PHONE")]


def test_spans_stay_inside_values_and_virtual_characters_and_lose_white_space() -> None:
    source = Source("John<br/> Smith | other")
    value = Value((source.slot(0, 4), "\n", source.slot(9, 15)))
    fields = RecordText(Record((value, Value((source.slot(18, 23),))), lambda changes: b""))
    assert fields.text == "John\n Smith\nother"
    assert _found(fields, [Span(0, 17, "PATIENT")]) == [
        ("John", "PATIENT"),
        ("Smith", "PATIENT"),
        ("other", "PATIENT"),
    ]


def test_changes_of_the_text_reach_their_values() -> None:
    fields, _ = _fields(("SMITH", "PATIENT"), ("by Smith", None), ("", None), ("end", None))
    spans = fields.spans([], str)
    changes = [Change(span.start, span.end, "[X]") for span in spans]
    assert fields.rendered(changes) == b"[X]\nby [X]\n\nend"


def test_labels_are_those_of_the_model() -> None:
    fields, _ = _fields(("BOSTON", "CITY"), ("from Boston", None))
    labels = [span.label for span in fields.spans([], lambda label: f"my {label}")]
    assert labels == ["my CITY", "my CITY"]


KNOWN = [
    ("SMITH", "PATIENT"),
    ("JOHN", "PATIENT"),
    ("Q", "PATIENT"),
    ("WHITE", "DOCTOR"),
    ("19610615", "DATE"),
    ("987654321", "SSN"),
    ("(617)555-1234", "PHONE"),
    ("1234 MAIN ST", "STREET"),
    ("BOSTON", "CITY"),
    ("02114", "ZIP"),
    ("MA", "STATE"),
    ("4458812", "MEDICALRECORD"),
    ("j.smith@example.org", "EMAIL"),
    ("St. Elsewhere Hospital", "HOSPITAL"),
]


@pytest.mark.parametrize(
    ("note", "parts"),
    [
        ("John Q. Smith's leg", ["John Q. Smith"]),
        ("pt john smith seen", ["john smith"]),
        ("SMITH, JOHN Q", ["SMITH, JOHN Q"]),
        ("Dr. White said the white count", ["White"]),
        ("smithy, johns, q.d.", []),
        ("born 6/15/61, 15.06.1961, 1961-06-15", ["6/15/61", "15.06.1961", "1961-06-15"]),
        ("born June 15th, 1961 or 15 Jun 1961", ["June 15th, 1961", "15 Jun 1961"]),
        ("on 6/16/61 and 6/15", []),
        ("SSN 987-65-4321, not 1987654321", ["987-65-4321"]),
        ("call 617.555.1234", ["617.555.1234"]),
        ("of 1234 Main St, Boston MA 02114", ["1234 Main St", "Boston", "02114"]),
        ("MA in English; MRN: 4458812.", ["4458812"]),
        ("J.Smith@example.org", ["J.Smith@example.org"]),
        ("to St Elsewhere hospital", ["St Elsewhere hospital"]),
    ],
)
def test_known_phi_is_found_in_the_forms_of_notes(note, parts) -> None:
    text = "\n".join([value for value, _ in KNOWN])
    spans, place = [], 0
    for value, label in KNOWN:
        spans.append(Span(place, place + len(value), label))
        place += len(value) + 1
    whole = f"{text}\n{note}"
    found = sorted(s for s in occurrences(whole, spans) if s.start > len(text))
    longest = [
        s for s in found if not any(o != s and o.start <= s.start <= s.end <= o.end for o in found)
    ]
    assert [whole[s.start : s.end] for s in longest] == parts


@pytest.mark.parametrize(
    ("kept", "echo"),
    [
        ("SMITH_JOHN.png", "SMITH_JOHN"),
        ("letterSmith1961", "Smith"),
        ("urn:x:0671452:y", "0671452"),
        ("d_1961-06-15", "1961-06-15"),
        ("of_john_smith", "john_smith"),
        ("center", ""),
    ],
)
def test_phi_that_the_model_finds_is_replaced_in_what_is_kept(kept: str, echo: str) -> None:
    source = Source(f"John Smith, 0671452, born 6/15/1961\n{kept}")
    values = (Value((source.slot(0, 35),)), Value((source.slot(36, 36 + len(kept)),), free=False))
    fields = RecordText(Record(values, lambda changes: b""))
    found = [Span(0, 10, "PATIENT"), Span(12, 19, "ID"), Span(26, 35, "DATE")]
    assert " ".join(text for text, _ in _found(fields, found)[3:]) == echo


@pytest.mark.parametrize(
    ("field", "found", "label"),
    [
        (("Lee Alder", "CITY"), "PATIENT", "PATIENT"),
        (("555-0100 x2", "ZIP"), "PHONE", "PHONE"),
        (("02114-1234", "ZIP"), "HOSPITAL", "ZIP"),
        (("02114", "ZIP"), "ID", "ZIP"),
        (("Boston", "CITY"), "HOSPITAL", "CITY"),
        (("19610615", "DATE"), "PHONE", "DATE"),
        (("Lee Alder", "PATIENT"), "DOCTOR", "PATIENT"),
    ],
)
def test_person_or_phone_in_the_field_of_a_place_is_one(field, found, label) -> None:
    fields, _ = _fields(field, ("", None))
    assert _found(fields, [Span(0, min(8, len(field[0])), found)]) == [(field[0], label)]


def test_phi_that_the_model_finds_elsewhere_is_replaced_in_titles() -> None:
    source = Source("John Smith\nDr. Smith 2")
    values = (Value((source.slot(0, 10),)), Value((source.slot(11, 22),), title=True))
    fields = RecordText(Record(values, lambda changes: b""))
    names = [Span(0, 10, "PATIENT"), Span(11, 14, "DOCTOR")]
    assert _found(fields, names)[1:] == [("Dr.", "DOCTOR"), ("Smith", "PATIENT")]


def test_echo_across_two_kept_values_is_replaced_in_each() -> None:
    source = Source("in West Elm\nWest\nElm")
    slots = [source.slot(0, 11), source.slot(12, 16), source.slot(17, 20)]
    values = tuple(Value((slot,), free=not n) for n, slot in enumerate(slots))
    fields = RecordText(Record(values, lambda changes: b""))
    found = _found(fields, [Span(3, 11, "LOCATION")])
    assert found == [("West Elm", "LOCATION"), ("West", "LOCATION"), ("Elm", "LOCATION")]
