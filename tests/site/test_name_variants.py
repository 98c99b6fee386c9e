"""Known names are found with slips, as nicknames and without hyphens."""

from __future__ import annotations

import pytest

from multideid.site import Patients, PatientsWarning
from multideid.site.name_variants import with_variants
from multideid.site.occurrences import places_of

pytest.importorskip("rapidfuzz")


def _found(text: str, *names: str) -> list[str]:
    known = with_variants(text, {"PATIENT": set(names)})
    return [text[start:end] for start, end, _ in sorted(places_of(text, known))]


@pytest.mark.parametrize("word", ["Gutierez", "guttierrez", "Gutirerez", "GUTIERREZ"])
def test_a_name_with_a_slip_is_found(word) -> None:
    assert _found(f"seen with {word} today", "Gutierrez") == [word]


def test_two_slips_count_in_long_words_only() -> None:
    assert _found("Mr Kowalczyck-Nowk and Kovalczik", "Kowalczyk") == ["Kowalczyck", "Kovalczik"]
    assert _found("Mr Bechem", "Beecham") == []


@pytest.mark.parametrize(
    "text", ["the martial arts", "given chloride", "Alden came", "parking lot"]
)
def test_ordinary_and_short_words_are_no_slips(text) -> None:
    assert _found(text, "Marshal", "Martian", "Chlorine", "Alder", "Parkin") == []


def test_nicknames_are_found_and_ordinary_ones_need_a_capital() -> None:
    pytest.importorskip("nicknames")
    text = "Bill came; he will pay the bill, says his friend Will."
    assert _found(text, "William") == ["Bill", "Will"]


def test_a_hyphenated_name_is_found_in_one_word() -> None:
    assert _found("Maryann / Mary Ann", "Mary-Ann") == ["Maryann", "Mary Ann"]


def test_a_warning_names_what_is_not_looked_for(monkeypatch) -> None:
    monkeypatch.setattr("multideid.site.name_variants.find_spec", lambda _: None)
    with pytest.warns(PatientsWarning, match="misspelt names and nicknames are not looked for"):
        Patients(["patient", "last_name"], [["7", "Alder"]])


@pytest.mark.parametrize(
    ("known", "written"),
    [
        ("Søren", "Soren"), ("Soren", "Søren"), ("Jörg", "Joerg"), ("Joerg", "JÖRG"),
        ("Weiß", "WEISS"), ("Łoza", "Loza"), ("Kær", "Kaer"), ("O'Donnell", "Odonnel"),
    ],
)  # fmt: skip
def test_letters_beyond_a_to_z_have_several_spellings(known: str, written: str) -> None:
    assert _found(f"with {written} today", known) == [written]


def test_plain_words_are_not_taken_for_spellings_with_other_letters() -> None:
    assert _found("Joel and a boat, Sør", "Jol", "Bot") == []


def test_a_nickname_in_the_table_finds_the_name_and_its_other_nicknames() -> None:
    pytest.importorskip("nicknames")
    assert _found("William, Billy / Mary", "Bill") == ["William, Billy"]


def test_a_possessive_is_no_part_of_a_name() -> None:
    assert _found("Zwickmeyer's; the Zwickmeyers", "Zwickmeyer") == ["Zwickmeyer", "Zwickmeyers"]


@pytest.mark.parametrize(
    ("known", "written"),
    [("Francisco", "Fco"), ("Hern\u00e1ndez", "Hdez"), ("Mar\u00eda Carmen", "Ma. Carmen"),
     ("William Oakes", "Wm Oakes"), ("Smith", "SMITH"), ("Mu\u00f1oz", "munoz"),
     ("M\u00fcller", "MUELLER"), ("Strauss", "Strau\u00df")],
)  # fmt: skip
def test_abbreviated_first_names_and_plain_letters_are_found(known: str, written: str) -> None:
    assert _found(f"with {written}; today", known) == [written]
