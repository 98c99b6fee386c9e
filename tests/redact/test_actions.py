"""One action for each label."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis.strategies import dates, sampled_from

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.labels import PHI_CLASSES
from multideid.redact import ACTIONS, PRESETS, Actions, Key, Surrogates, redact
from multideid.redact.actions import covers
from multideid.redact.invented.ages import top_coded_age

KEY = Key.from_secret(b"sixteen bytes or more")
NOTE = Document(
    "n1",
    "Martha Alder, 94, Oslo, 3/14/2007",
    (Span(0, 12, "PATIENT"), Span(14, 16, "AGE"), Span(18, 22, "CITY"), Span(24, 33, "DATE")),
)


def test_each_label_has_its_own_action() -> None:
    actions = {"PATIENT": "remove", "AGE": "top-code", "CITY": "keep", "DATE": "tag"}
    assert redact(NOTE, Actions(actions)) == ", 90+, Oslo, <DATE>3/14/2007</DATE>"


def test_labels_without_an_action_have_the_default() -> None:
    assert redact(NOTE, Actions({"PATIENT": "keep"})) == "Martha Alder, [AGE], [CITY], [DATE]"
    assert redact(NOTE, Actions({"PATIENT": "keep"}, "remove")) == "Martha Alder, , , "
    assert redact(NOTE, Actions({"*": "remove"}, "tag")) == ", , , "


def test_dates_are_shifted_as_surrogates_are() -> None:
    surrogates = redact(NOTE, Surrogates(KEY)).split(", ")
    shifted = redact(NOTE, Actions({"DATE": "shift"}, key=KEY)).split(", ")
    assert shifted == ["[PATIENT]", "[AGE]", "[CITY]", surrogates[-1]]
    assert shifted[-1] != "3/14/2007"


def test_a_date_that_cannot_be_shifted_is_masked() -> None:
    note = Document("n1", "on day 40/40/2004", (Span(7, 17, "DATE"),))
    assert redact(note, Actions({"DATE": "shift"})) == "on day [DATE]"


@pytest.mark.parametrize(
    ("label", "action"), [("AGE", "shift"), ("DATE", "top-code"), ("*", "shift"), ("ID", "kep")]
)
def test_an_action_that_does_not_fit_the_label_is_refused(label, action) -> None:
    with pytest.raises(UsageError, match=r"the action of \S+: "):
        Actions({label: action})


@pytest.mark.parametrize(
    ("named", "label", "does"),
    [
        ("LOCATION", "CITY", True),
        ("CITY", "LOCATION", False),
        ("LOCATION", "HOSPITAL", False),
        ("LOCATION", "ORGANIZATION", True),
        ("NAME", "DOCTOR", True),
        ("DOCTOR", "PATIENT", False),
        ("ID", "EMAIL", False),
        ("ID", "USERNAME", False),
        ("ID", "MEDICALRECORD", True),
        ("CONTACT", "EMAIL", True),
        ("PHONE", "FAX", True),
        ("HOSPITAL", "DEPARTMENT", True),
        ("DATE", "FECHAS", True),
        ("BADGE", "BADGE", True),
        ("DATE", "BADGE", False),
    ],
)
def test_a_label_stands_for_those_within_it(named, label, does) -> None:
    assert covers(named, label) is does


def test_the_action_of_the_nearest_label_is_done() -> None:
    actions = Actions({"LOCATION": "keep", "CITY": "remove", "NAME": "keep", "PATIENT": "tag"})
    labels = ("CITY", "STATE", "DOCTOR", "PATIENT", "NOMBRE_SUJETO_ASISTENCIA")
    assert [actions.action_of(label) for label in labels] == [
        "remove",
        "keep",
        "keep",
        "tag",
        "tag",
    ]


@pytest.mark.parametrize(
    ("age", "coded"),
    [
        ("94", "90+"),
        ("89", "89"),
        ("103-year-old", "90+-year-old"),
        ("67 y/o", "67 y/o"),
        ("ninety-four", "90+"),
        ("in her 90s", "in her 90+"),
        ("thirty", "thirty"),
        ("6 weeks", "6 weeks"),
        ("2000 weeks", None),
        ("nonagenarian", "90+"),
        ("one-hundred-and-two", "90+"),
        ("one hundred twenty three", "90+"),
        ("92/F", "90+/F"),
        ("92.5", "90+"),
        ("89 and 11/12", "89 and 11/12"),
        ("noventa e dois anos", "90+ anos"),
        ("noventa i dos", "90+"),
        ("45 y.o. male", "45 y.o. male"),
        ("her mid 40's", "her mid 40's"),
        ("5 años y 3 meses de edad", "5 años y 3 meses de edad"),
        ("the 94th", "the 90+th"),
        ("elderly", None),
        ("", None),
    ],
)
def test_ages_over_89_are_one_class_and_others_stay(age, coded) -> None:
    assert top_coded_age(age) == coded


@pytest.mark.parametrize(
    "text",
    [
        "Smith 45", "Martha Alder, 45", "45, Alder", "1/2/1911", "March 4, 35", "3/14", "4:30",
        "447-19-20", "(617) 723 44", "617.723.4455", "9O", "ninety-two Alder Beech",
    ],
)  # fmt: skip
def test_what_is_no_age_is_masked_and_not_top_coded(text) -> None:
    assert _safe_harbor(text) == "[AGE]"


@given(
    dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)),
    sampled_from(
        [
            "%m/%d/%y",
            "%d.%m.%Y",
            "%Y-%m-%d",
            "%m-%d-%y",
            "%d. %m. %y",
            "%B %d, %y",
            "%b %d",
            "%d %B",
        ]
    ),
)
def test_dates_are_no_ages(day, form) -> None:
    assert _safe_harbor(day.strftime(form)) == "[AGE]"


def _safe_harbor(age: str) -> str:
    note = Document("n", age, (Span(0, len(age), "AGE"),))
    return Actions(PRESETS["safe-harbor"])(note, note.spans[0])


# 45 CFR 164.514(e)(2): what a limited data set must not have.
_DIRECT = [row.label for row in PHI_CLASSES if row.identifier == "direct"]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("label", _DIRECT)
def test_no_preset_keeps_a_direct_identifier(preset, label) -> None:
    assert Actions(PRESETS[preset]).action_of(label) in ("mask", "hash")


def test_safe_harbor_keeps_no_place_smaller_than_a_state_and_no_date() -> None:
    kept = {r.label for r in PHI_CLASSES if Actions(PRESETS["safe-harbor"]).keeps(r.label)}
    assert kept == {"STATE", "COUNTRY"}
    assert not Actions(PRESETS["safe-harbor"]).keeps("LOCATION")


def test_a_limited_data_set_masks_places_that_may_be_addresses() -> None:
    actions = Actions(PRESETS["limited-data-set"])
    assert [actions.keeps(label) for label in ("CITY", "ZIP", "LOCATION", "STREET")] == [
        True, True, False, False,
    ]  # fmt: skip


def test_presets_name_known_actions() -> None:
    assert {action for preset in PRESETS.values() for action in preset.values()} <= {*ACTIONS}


@pytest.mark.parametrize("phi", ["617-723-4455", "a.alder@mail.example", "10.0.0.1"])
@pytest.mark.parametrize("preset", PRESETS)
def test_no_preset_shows_a_contact_that_has_the_label_of_something_else(preset, phi) -> None:
    actions = Actions(PRESETS[preset])
    note = Document("n", phi, (Span(0, len(phi), "DATE"),))
    assert actions(note, note.spans[0]) == "[DATE]"
    assert not actions.keeps_span(note, note.spans[0])


def test_what_is_kept_on_purpose_stays() -> None:
    note = Document("n", "10.0.0.1", (Span(0, 8, "IPADDR"),))
    assert Actions({"IPADDR": "keep"}).keeps_span(note, note.spans[0])
