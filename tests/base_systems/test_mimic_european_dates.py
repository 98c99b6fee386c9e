"""Dates with names of months in other languages than English."""

from __future__ import annotations

from collections.abc import Callable

import pytest

DATES = [
    "falleció el [21 de febrero de 2002].",
    "el [30 de Agosto del 2003], el paciente",
    "el [1º de enero de 2001] y el [12 de junio]",
    "en [febrero de 2002] y en [febrero-07]",
    "en [octubre de 2002].",
    "el [4 de mayo] y en [mayo de 2005]",
    "[12/ene/2005] y [3 abr. 2004]",
    "le [21 février 2002] à Lyon, le [1er mars 2010]",
    "le [3 aout], en [décembre 2011]",
    "am [3. Mai 2009] und am [3. August 2009]",
    "vom [4. Oktober], im [Februar 2010]",
    "il [2 giugno 1999], em [3 de março de 2011]",
    "el [14 de maig de 2004]",
    "den [4. oktober 2011], op [2 maart 2014]",
    "dnia [5 września 2012]",
    "21 FEBRERO 2002".join("[]"),
]
NO_DATES = [
    "21 Mars bars, 4 Mai Tai",
    "bed 12 Juli Smith",
    "1.5 mei",
    "ward 3/4 abril",
    "32 de enero",
    "febrero 1200 mL",
    "12 de febreros",
    "mayo 12",
]


@pytest.mark.parametrize("expected", DATES)
def test_dates_are_found_whole(expected: str, marked: Callable[[str, str], str]) -> None:
    assert marked(expected, "DATE") == expected


@pytest.mark.parametrize("text", NO_DATES)
def test_names_and_quantities_are_no_dates(text: str, marked: Callable[[str, str], str]) -> None:
    assert marked(text, "DATE") == text


def test_an_item_of_an_english_list_is_no_day(marked: Callable[[str, str], str]) -> None:
    text = "3. [August 2004]: CT"
    assert marked(text, "DATE") == text
