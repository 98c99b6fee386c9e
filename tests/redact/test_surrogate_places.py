"""Places and institutions keep their form."""

from __future__ import annotations

import re

import pytest

from multideid.document import Document, Span
from multideid.redact import Key, Surrogates, WordKind
from multideid.redact.invented.name_pools import pool
from multideid.redact.spelling import words_of

KEY = Key.from_secret(b"the key of these tests")


def placed(*pairs: tuple[str, str]) -> list[str]:
    """Return the surrogates of (text, label) pairs in one document."""
    spans, at = [], 0
    for text, label in pairs:
        spans.append(Span(at, at + len(text), label))
        at += len(text) + 1
    return Surrogates(KEY).of(Document("d", "\n".join(t for t, _ in pairs), tuple(spans)))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Birchmont Memorial Hospital", r"[A-Z]\w+ Memorial Hospital"),
        ("BIRCHMONT CLINIC", r"[A-Z]+ CLINIC"),
        ("St. Columba's Hospital", r"St\. [A-Z]\w+'s Hospital"),
        ("The Birchmont Institute", r"The [A-Z]\w+ Institute"),
        ("Oak-Birchmont Medical Center", r"[A-Z]\w+-[A-Z]\w+ Medical Center"),
        ("University Hospital", r"[A-Z]\w+ Hospital"),
        ("Hospital", r"[A-Z]\w+"),
        ("Hospital General", r"Hospital [A-Z]\w+"),
        ("447-19-20", r"\d{3}-\d\d-\d\d"),
        ("Hospital Nuestra Señora de la Salud", r"Hospital Nuestra Señora de la [A-Z]\w+"),
        ("BMH", "[A-Z]{2}H"),
        ("B.M.H.", r"[A-Z]\.[A-Z]\.H\."),
        ("Birchmont Clinic, 5th Floor", r"[A-Z]\w+ Clinic, \d(?:st|nd|rd|th) Floor"),
    ],
)
def test_kind_of_institution_is_kept_and_its_name_is_not(text: str, form: str) -> None:
    new = placed((text, "HOSPITAL"))[0]
    assert re.fullmatch(form, new)
    generic = words_of(
        "st s the memorial hospital clinic medical center institute h m floor th "
        "nuestra senora de la"
    )
    assert set(words_of(new)) & set(words_of(text)) <= set(generic)


def test_variants_of_an_institution_refer_to_the_same_one() -> None:
    full, short, capitals, letters = placed(
        *((t, "HOSPITAL") for t in ("Birchmont Lake Hospital", "Birchmont", "BIRCHMONT", "BLH"))
    )
    assert full.split()[0] == short
    assert capitals == short.upper()
    assert letters == "".join(word[0] for word in full.split())


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("12 Birchmont Street", r"[1-9]\d [A-Z]\w+ Street"),
        ("401 N. Oakvale Ave., Apt. 7", r"[1-9]\d\d N\. [A-Z]\w+ Ave\., Apt\. \d"),
        ("PO Box 1207", r"PO Box [1-9]\d{3}"),
        ("C/ Robledal, 7, 3º B", r"C/ [A-Z]\w+, \d, \dº [A-Z]"),
        ("Avda. de los Robledales s/n", r"Avda\. de los [A-Z]\w+ s/n"),
        ("H Street NE", r"[A-Z] Street NE"),
        ("12 North Street", r"[1-9]\d (?!North)[A-Z]\w+ Street"),
        ("South Street", r"(?!South)[A-Z]\w+ Street"),
        ("1201 E Street NW", r"[1-9]\d{3} [A-DF-Z] Street NW"),
        ("5 Circle Drive, Apt 4B", r"[1-9] (?!Circle)[A-Z]\w+ Drive, Apt \d[A-Z]"),
        ("12 The Avenue", r"[1-9]\d (?!The)[A-Z]\w+ Avenue"),
        ("Camino de Ronda, 12, 3º B", r"Camino de (?!Ronda)[A-Z]\w+, [1-9]\d, \dº [A-Z]"),
        ("N Hwy 12", r"N Hwy \d\d"),
        ("40 E 5th St", r"[1-9]\d E ([1-9])(?:(?<=1)st|(?<=2)nd|(?<=3)rd|(?<=[4-9])th) St"),
        ("40 E 5TH ST", r"[1-9]\d E [1-9](?:ST|ND|RD|TH) ST"),
    ],
)
@pytest.mark.parametrize("label", ["STREET", "CALLE"])
def test_address_keeps_its_form(text: str, form: str, label: str) -> None:
    new = placed((text, label))[0]
    assert re.fullmatch(form, new)
    assert new != text


def test_each_part_of_a_place_is_replaced_by_one_of_its_kind() -> None:
    new = placed(("Birchmont, MA 02139", "LOCATION"))[0]
    match = re.fullmatch(r"(.+), ([A-Z]{2}) (0\d{4})", new)
    assert match
    assert match[1] in pool(WordKind.CITY, "en")[""]
    assert (match[2], match[3]) != ("MA", "02139")


@pytest.mark.parametrize(
    ("text", "label"),
    [("Ohio", "STATE"), ("OH", "STATE"), ("France", "COUNTRY"), ("Portugal", "PAIS"),
     ("BOSTON", "CITY"), ("Oviedo", "TERRITORIO"), ("Birchmont Nursing Home", "LOCATION")],
)  # fmt: skip
def test_place_becomes_another_one_in_the_same_case(text: str, label: str) -> None:
    new = placed((text, label))[0]
    assert new != text
    assert not new.startswith("[")
    assert new.isupper() == text.isupper()


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("42.35843", r"[1-8]\d\.\d{5}"),
        ("-71.05977", r"-[1-8]\d\.\d{5}"),
        ("144.9631", r"1[0-7]\d\.\d{4}"),
        ("42.3584 N", r"[1-8]\d\.\d{4} N"),
        ("N 4.123°", r"N \d\.\d{3}°"),
        ("42.35843, -71.05977", r"[1-8]\d\.\d{5}, -[1-8]\d\.\d{5}"),
    ],
)
def test_coordinates_stay_in_their_range(text: str, form: str) -> None:
    new = [placed((text, "LOCATION-OTHER"), (f"Room {n}", "ID"))[0] for n in range(3)]
    assert all(re.fullmatch(form, each) for each in new)
    assert text not in new


def test_no_state_becomes_another_of_the_note() -> None:
    states = "Ohio Texas Maine Iowa Utah Idaho Oregon Kansas Nevada Hawaii Alaska Florida".split()
    new = placed(*((state, "STATE") for state in states))
    assert set(new).isdisjoint([*states, "[STATE]"])


def test_city_is_the_same_alone_and_with_its_state() -> None:
    alone, with_state = placed(("Birchmont", "CITY"), ("Birchmont, Ohio", "LOCATION"))
    assert with_state.startswith(f"{alone}, ")


def test_spanish_towns_become_spanish_towns() -> None:
    assert placed(("Robledal", "TERRITORIO"))[0] in pool(WordKind.CITY, "es")[""]
