"""Surrogates are of ranges for fiction, and follow the form of PHI where its label is wrong."""

from __future__ import annotations

import re

import pytest

from multideid.document import Document, Span
from multideid.labels import SurrogateKind
from multideid.redact import Key, Surrogates, redact
from multideid.redact.invented.forms import kind_by_form
from multideid.redact.invented.pronouns import sex_by_pronouns
from multideid.redact.invented.vocabulary import WordKind

KEY = Key.from_secret(b"sixteen bytes or more")


def _replaced(text: str, *phi: tuple[str, str], **parameters: object) -> str:
    spans, at = [], 0
    for part, label in phi:
        start = text.index(part, at)
        at = start + len(part)
        spans.append(Span(start, at, label))
    return redact(Document("n", text, tuple(spans)), Surrogates(KEY, **parameters))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("phone", "form"),
    [
        ("617-724-9999", r"[2-9]\d\d-555-01\d\d"),
        ("(617) 724-9999 x12", r"\([2-9]\d\d\) 555-01\d\d x\d\d"),
        ("+1 617.724.9999", r"\+1 [2-9]\d\d\.555\.01\d\d"),
        ("724-9999", r"555-01\d\d"),
        ("020 7123 4567", r"020 7946 0\d\d\d"),
        ("+44 7911 123456", r"\+44 7700 900\d\d\d"),
        ("(0131) 496 1234", r"\(0163\) 296 0\d\d\d"),
        ("+49 30 1234567", r"\+49 \d\d \d{7}"),
    ],
)
def test_phones_are_of_ranges_for_fiction(phone, form) -> None:
    for n in range(5):
        new = redact(Document(f"n{n}", phone, (Span(0, len(phone), "PHONE"),)), Surrogates(KEY))
        assert re.fullmatch(form, new)
        assert new != phone


def test_mail_is_at_example_org_and_corpora_look_real() -> None:
    mail = ("m.alder@birchmont.edu", "EMAIL")
    assert re.fullmatch(r"[a-z]\.[a-z]+@example\.org", _replaced(mail[0], mail))
    new = _replaced(mail[0], mail, for_corpora=True)
    assert new.endswith(".edu")
    phone = ("617-724-9999", "PHONE")
    assert "-555-01" not in _replaced(phone[0], phone, for_corpora=True)


@pytest.mark.parametrize(
    ("text", "label", "form"),
    [
        ("3/14/2007", "ID", r"\d{1,2}/\d{1,2}/\d{4}"),
        ("14 March 2007", "PATIENT", r"\d{1,2} [A-Z][a-z]+ \d{4}"),
        ("2007-03-14", "PHONE", r"\d{4}-[01]\d-[0-3]\d"),
        ("a.alder@mgh.org", "ID", r"[\w.]+@example\.org"),
        ("10.23.4.99", "ID", r"(?:\d\d?|1\d\d|2[0-4]\d|25[0-5])(?:\.(?:\d\d?|1\d\d|2[0-5]\d)){3}"),
        ("https://mgh.org/a", "ID", r"https://\w+\.org/\w+"),
        ("New Year's Eve", "PATIENT", r"\[DATE\]"),
        ("Christmas", "LOCATION", r"\[DATE\]"),
        ("Thanksgiving", "DATE", r"\[DATE\]"),
    ],
)
def test_what_contradicts_its_label_is_replaced_by_its_form(text, label, form) -> None:
    assert re.fullmatch(form, _replaced(text, (text, label)))


def test_a_holiday_whose_end_was_not_found_is_no_name() -> None:
    assert _replaced("on New Year's Eve", ("New Year", "PATIENT")) == "on [DATE]'s Eve"


@pytest.mark.parametrize(
    "text", ["447-19-20", "12-04-56", "1.2.3", "Christmas Alder", "May", "June"]
)
def test_forms_that_tell_nothing_leave_the_label(text) -> None:
    assert kind_by_form(text) is None


def test_a_name_keeps_its_possessive_wherever_it_is() -> None:
    assert re.fullmatch(
        r"[A-Z]\w+'s, [A-Z]\w+", _replaced("Alder's, Mary", ("Alder's, Mary", "PATIENT"))
    )


def test_names_given_to_both_sexes_get_the_sex_of_the_pronouns(monkeypatch) -> None:
    kinds = []
    monkeypatch.setattr(
        "multideid.redact.invented.surrogate_map.SurrogateMap.word",
        lambda self, kind, word: kinds.append(kind) or "X",
    )
    for text in (
        "Ashton Alder: she and her knee.",
        "Ashton Alder: his, he.",
        "Ashton Alder: he, her.",
    ):
        monkeypatch.setattr(
            "multideid.redact.invented.realistic.Realistic.sex", lambda *_: WordKind.FIRST
        )
        _replaced(text, ("Ashton Alder", "PATIENT"))
    assert kinds[::2] == [WordKind.FEMALE, WordKind.MALE, WordKind.FIRST]


def test_one_pronoun_or_both_sexes_tell_nothing() -> None:
    assert sex_by_pronouns(["She came."]) is None
    assert sex_by_pronouns(["She came with him, her son."]) is None
    assert sex_by_pronouns(["He said ", " hurt himself"]) is WordKind.MALE


def test_the_order_of_dates_is_told_by_the_note_or_by_the_user() -> None:
    date = ("3/4/2005", "DATE")
    orders = {}
    for name, other, order in (
        ("words", "5 April 2005", None),
        ("words, month first", "April 5, 2005", None),
        ("told", "April 5, 2005", "day-first"),
    ):
        new = _replaced(f"{date[0]} {other}", date, (other, "DATE"), date_order=order)
        orders[name] = new.split()[0]
    assert orders["words"] == orders["told"] != orders["words, month first"]


def test_a_date_is_of_its_kind() -> None:
    assert kind_by_form("1 jan 2004") is SurrogateKind.DATE
