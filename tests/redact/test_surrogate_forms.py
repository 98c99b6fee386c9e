"""Surrogates are of ranges for fiction, and follow the form of PHI where its label is wrong."""

from __future__ import annotations

import re
from ipaddress import ip_interface

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
        ("+16177249999", r"\+1[2-9]\d\d55501\d\d"),
        ("16177249999", r"1[2-9]\d\d55501\d\d"),
        ("+447911123456", r"\+447700900\d\d\d"),
        ("00442071234567", r"00442079460\d\d\d"),
        ("01865 12345", r"01632 960\d\d"),
        ("01 42 34 56 78", r"0\d(?: \d\d){4}"),
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
        ("the day after New Year\u2019s Eve", "PATIENT", r"\[DATE\]"),
        ("Christmas Day, 2004", "PATIENT", r"\[DATE\]"),
        ("Memorial Day weekend", "HOSPITAL", r"\[DATE\]"),
        ("14-Mar-2007", "ID", r"\d\d-[A-Z][a-z]{2}-\d{4}"),
        ("14Mar07", "ID", r"\d\d[A-Z][a-z]{2}\d\d"),
        ("Tuesday, March 14, 2007", "ID", r"[A-Z][a-z]+day, [A-Z][a-z]+ \d{1,2}, \d{4}"),
        ("14 March", "ID", r"\d{1,2} [A-Z][a-z]+"),
        ("March 2007", "HOSPITAL", r"[A-Z][a-z]+ \d{4}"),
        ("3/14/2007 10:35", "ID", r"\d{1,2}/\d{1,2}/\d{4} 10:35"),
        ("2007-03-14T10:22:00Z", "ID", r"\d{4}-\d\d-\d\dT10:22:00Z"),
        ("617-724-9999", "PATIENT", r"[2-9]\d\d-555-01\d\d"),
        ("(617) 724-9999", "DATE", r"\([2-9]\d\d\) 555-01\d\d"),
        ("Christmas", "LOCATION", r"\[DATE\]"),
        ("Thanksgiving", "DATE", r"\[DATE\]"),
    ],
)
def test_what_contradicts_its_label_is_replaced_by_its_form(text, label, form) -> None:
    assert re.fullmatch(form, _replaced(text, (text, label)))


def test_a_holiday_whose_end_was_not_found_is_no_name() -> None:
    assert _replaced("on New Year's Eve", ("New Year", "PATIENT")) == "on [DATE]'s Eve"


@pytest.mark.parametrize(
    "text",
    [
        "447-19-20",
        "12-04-56",
        "1.2.3",
        "Christmas Alder",
        "May",
        "June",
        "943 476 5919",
        "MAY-4471",
        "12 Mary",
        "Memorial Day Hospital",
    ],
)
def test_forms_that_tell_nothing_leave_the_label(text) -> None:
    assert kind_by_form(text) is None


def test_a_name_keeps_its_possessive_wherever_it_is() -> None:
    assert re.fullmatch(
        r"[A-Z]\w+'s, [A-Z]\w+", _replaced("Alder's, Mary", ("Alder's, Mary", "PATIENT"))
    )


@pytest.mark.parametrize("place", ["Boston's", "Ohio\u2019s", "12 King's Road"])
def test_a_place_keeps_its_possessive(place) -> None:
    new = _replaced(place, (place, "LOCATION"))
    assert re.search(r"['\u2019]s(?: Road)?$", new)
    assert not {"Boston", "Ohio", "King"} & set(re.findall(r"\w+", new))


def test_the_number_of_a_flat_changes() -> None:
    flat = ("12 Oak Street, Apt 4", "LOCATION")
    assert re.fullmatch(r"\d\d \w+ Street, Apt \d", _replaced(flat[0], flat))
    new = {redact(Document(str(n), "Bree 4", (Span(0, 6, "LOCATION"),)), Surrogates(KEY))[-1]
           for n in range(20)}  # fmt: skip
    assert len(new) > 1


@pytest.mark.parametrize(
    ("mail", "form"),
    [
        ("Mary <m.alder@birchmont.edu>", r"\w+ <[a-z]\.[a-z]+@example\.org>"),
        ("mailto:alder@birchmont.edu", r"mailto:[a-z]+@example\.org"),
        ("alder at birchmont dot edu", r"[a-z]+ at example dot org"),
        ("alder [at] birchmont.edu", r"[a-z]+ \[at\] example\.org"),
        ("a@b.edu, c@d.edu", r"[a-z]@example\.org, [a-z]@example\.org"),
    ],
)
def test_mail_addresses_are_replaced_where_they_are(mail, form) -> None:
    new = _replaced(mail, (mail, "EMAIL"))
    assert re.fullmatch(form, new)
    assert "alder" not in new


@pytest.mark.parametrize("address", ["192.168.1.10:8080", "192.168.1.0/24", "::ffff:192.0.2.1"])
def test_network_addresses_stay_valid(address) -> None:
    new = _replaced(address, (address, "IPADDR"))
    host = new.removesuffix(":" + new.rpartition(":")[2]) if "8080" in address else new
    assert ip_interface(host)
    assert new != address


def test_british_spelling_tells_that_the_day_is_first() -> None:
    date = ("3/4/2005", "DATE")
    told = _replaced(date[0], date, date_order="day-first")
    assert _replaced(f"{date[0]}: anaemia, seen in A&E", date).split(":")[0] == told
    assert _replaced(f"{date[0]}: anemia, seen in ED", date).split(":")[0] != told
    assert _replaced(f"{date[0]}: anaemia", date).split(":")[0] != told


def test_a_title_tells_the_sex_of_a_name_given_to_both(monkeypatch) -> None:
    kinds = []
    monkeypatch.setattr(
        "multideid.redact.invented.surrogate_map.SurrogateMap.word",
        lambda self, kind, word: kinds.append(kind) or "X",
    )
    for text in ("Mr. Jordan Blake, Jordan", "Miss Jordan Blake, Jordan"):
        _replaced(text, ("Jordan Blake", "DOCTOR"), ("Jordan", "DOCTOR"))
    assert kinds == [WordKind.MALE, WordKind.LAST, WordKind.MALE,
                     WordKind.FEMALE, WordKind.LAST, WordKind.FEMALE]  # fmt: skip


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
