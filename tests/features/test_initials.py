"""The view of initials finds words that the document spells out elsewhere."""

from __future__ import annotations

import pytest

from multideid.document import Document
from multideid.features.initials import INITIALS, initials_templates
from multideid.text.table import TokenTable


def kinds(*texts: str) -> dict[str, str]:
    table = TokenTable.from_documents([Document(str(n), text) for n, text in enumerate(texts)])
    column = INITIALS.column(table)
    found = (column.names[code] for code in column.codes)
    return {word: kind for word, kind in zip(table.words(), found, strict=True) if kind}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Dr. Maria Kowalski came.\nsigned MK", {"MK": "n"}),
        ("Kowalski, Maria\nsigned mk", {"mk": "n"}),
        ("Kowalski, Maria Jane\nsigned MJK", {"MJK": "n"}),
        ("Grand River Hospital\nseen at GRH", {"GRH": "h"}),
        ("Hospital of the Good Shepherd\nback to HGS", {"HGS": "h"}),
        ("Cedar Street Bakery\nworks at CSB", {"CSB": "o"}),
        ("Ángel Kowalski\nsigned AK", {"AK": "n"}),
        ("Past Medical History\nPMH", {"PMH": "o"}),
    ],
)
def test_initials_have_the_kind_of_the_words_that_they_stand_for(text, found) -> None:
    assert kinds(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Maria Kowalski\nsigned KM",
        "Maria\nKowalski\nsigned MK",
        "maria oduya\nsigned MK",
        "Cedar Street\nCS",
        "Ωλένα Cedar Street\nCS",
        "Maria Kowalski\nM 3 O 4",
        "Ian Tanaka\nit was at home",
    ],
)
def test_other_letters_lines_and_ordinary_words_are_no_initials(text) -> None:
    assert kinds(text) == {}


def test_words_of_another_document_do_not_count() -> None:
    assert kinds("Maria Kowalski", "signed MK") == {}
    assert kinds("", "Maria Kowalski MK", "") == {"MK": "n"}


def test_an_empty_table_has_no_initials() -> None:
    assert kinds() == {}


def test_template_names_are_distinct() -> None:
    names = [template.name for template in initials_templates()]
    assert len(set(names)) == len(names)
