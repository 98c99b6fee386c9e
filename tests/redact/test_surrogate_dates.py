"""Dates are shifted and keep their format."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from template_notes.formats import DATE_STYLES, SHORT_DATE_STYLES

from multideid.redact.invented.date_words import MONTH_NAMES, WEEKDAY_NAMES
from multideid.redact.invented.dates import Dates, offsets

DAYS = st.dates(date(1920, 1, 1), date(2040, 12, 31))
SHIFTS = st.sampled_from(offsets(keep_weekday=False))
LONG = st.sampled_from(DATE_STYLES)
ANY = st.sampled_from((*DATE_STYLES, *SHORT_DATE_STYLES))


def shifted(text: str, days: int, *others: str, language: str = "en") -> str | None:
    return Dates([text, *others], days, language).shifted(0, text)


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("3/4/05", "7/17/06"),
        ("03/04/2005", "07/17/2006"),
        ("3-4-2005", "7-17-2006"),
        ("2005-03-04", "2006-07-17"),
        ("2005-03-04T10:30", "2006-07-17T10:30"),
        ("2005-03-04T10:30:00.000-05:00", "2006-07-17T10:30:00.000-05:00"),
        ("3/4/05 at 5pm", "7/17/06 at 5pm"),
        ("3/4/05 @1530", "7/17/06 @1530"),
        ("20050304", "20060717"),
        ("4 March 2005", "17 July 2006"),
        ("March 4, 2005", "July 17, 2006"),
        ("MARCH 4, 2005", "JULY 17, 2006"),
        ("Mar. 4, 2005", "Jul. 17, 2006"),
        ("04-MAR-2005", "17-JUL-2006"),
        ("Mar 4th", "Jul 17th"),
        ("the 4th of March", "the 17th of July"),
        ("Friday, March 4, 2005", "Monday, July 17, 2006"),
        ("Fri 3/4", "Mon 7/17"),
        ("03-04", "07-17"),
        ("3/4 at 10:30 pm", "7/17 at 10:30 pm"),
        ("3/2005", "7/2006"),
        ("March 2005", "July 2006"),
        ("March of '05", "July of '06"),
        ("2005", "2006"),
        ("'05", "'06"),
        ("sept", "jan"),
        ("Monday", "Thursday"),
    ],
)
def test_format_is_kept(text: str, new: str) -> None:
    assert shifted(text, 500, "1/1/2005") == new


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("04/03/2005", "17/07/2006"),
        ("4 de marzo de 2005", "17 de julio de 2006"),
        ("marzo del año 2005", "julio del año 2006"),
        ("MARZO 2005", "JULIO 2006"),
        ("4-marzo-2005", "17-julio-2006"),
        ("4-mar-2005", "17-jul-2006"),
        ("año 2005", "año 2006"),
        ("viernes, 4 de marzo", "lunes, 17 de julio"),
        ("del 4 al 9 de marzo de 2005", "del 17 al 22 de julio de 2006"),
    ],
)
def test_spanish_dates_keep_language_and_order(text: str, new: str) -> None:
    assert shifted(text, 500, "01/01/2005", language="es") == new


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("3/4-3/9", "7/17-7/22"),
        ("3/4/05 - 3/9/05", "7/17/06 - 7/22/06"),
        ("3/4/05 to 3/9/05", "7/17/06 to 7/22/06"),
        ("March 4-9, 2005", "July 17-22, 2006"),
        ("from 4 to 9 March", "from 17 to 22 July"),
        ("March to May, 2005", "July to September, 2006"),
        ("2004-2005", "2005-2006"),
    ],
)
def test_both_ends_of_a_range_are_shifted(text: str, new: str) -> None:
    assert shifted(text, 500, "1/1/2005") == new


NEW_YEAR = [
    ("28 Dec - 3 Jan 2024", "11 May - 17 May 2025"),
    ("Dec 28, 2023 to Jan 3", "May 11, 2025 to May 17"),
    ("Dec 28 through Jan 3", "May 11 through May 17"),
    ("12/28-1/3/2024", "5/11-5/17/2025"),
    ("28/12-3/1/2024", "11/5-17/5/2025"),
    ("Thu, Dec 28 - Wed, Jan 3, 2024", "Sun, May 11 - Sat, May 17, 2025"),
    ("Dec 2023 \u2013 Jan 2024", "Apr 2025 \u2013 May 2025"),
    ("Nov - Jan 2024", "Mar - May 2025"),
    ("del 28 de diciembre al 3 de enero de 2024", "del 11 de mayo al 17 de mayo de 2025"),
]


@pytest.mark.parametrize(("text", "new"), NEW_YEAR)
def test_ranges_across_new_year_are_shifted(text: str, new: str) -> None:
    assert shifted(text, 500, "12/28/2023") == new


@pytest.mark.parametrize(
    ("text", "days", "new"),
    [
        ("17 Aug - 21 Aug 2022", 500, "30 Dec - 3 Jan 2024"),
        ("Aug 17, 2022 - Aug 21", 500, "Dec 30, 2023 - Jan 3"),
        ("28 Dec - 3 Jan 2024", 364, "26 Dec - 1 Jan 2025"),
        ("17-21 Aug 2022", 500, None),
    ],
)
def test_ranges_are_moved_across_new_year(text: str, days: int, new: str | None) -> None:
    assert shifted(text, days, "1/1/2022") == new


@given(DAYS, st.integers(1, 300), SHIFTS)
def test_ends_of_ranges_without_one_year_stay_apart_and_in_order(
    first: date, length: int, days: int
) -> None:
    last, move = first + timedelta(days=length), timedelta(days=days)
    for one, other in (("%B %d", "%B %d, %Y"), ("%B %d, %Y", "%B %d")):
        text = f"{first:{one}} - {last:{other}}"
        new = f"{first + move:{one}} - {last + move:{other}}"
        assert shifted(text, days, "January 02, 2000") == new


RELATIVE = """
1_y_ago 2_yrs_ago 1y_ago 3_days_ago a_week_ago 2_wks._ago 5_mo_ago ten_y_ago 1\u00bd_years_ago
long_ago 2_years,_3_months_ago 10_min_ago
"""


@pytest.mark.parametrize("text", [t.replace("_", " ") for t in RELATIVE.split()])
def test_time_before_now_is_no_august_and_does_not_make_a_note_spanish(text: str) -> None:
    for days in (399, 500, -500):
        assert shifted(text, days, "1/1/2005") is None
    assert shifted("3/4/2005", 500, text) == "7/17/2006"


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("3 ago 2005", "16 dic 2006"),
        ("jul y ago 2005", "nov y dic 2006"),
        ("5 y 6 ago 2005", "18 y 19 dic 2006"),
        ("ago-2005", "dic-2006"),
    ],
)
def test_august_in_spanish_is_a_month(text: str, new: str) -> None:
    assert shifted(text, 500) == new


NO_DATES = """
2/30/2005 Feb_30 30_Feb 2005-02-45 2005-02-30 02/29/2005 13/13/2005 0/10/2017 4/31 99/99/9999
Christmas last_spring 3 4th 3_and_5 0000 10:30 March_32,_2005 1/2/3/4/5 May-be 9999-12-31
March_15-20,_2005
"""


@pytest.mark.parametrize("text", [*(t.replace("_", " ") for t in NO_DATES.split()), "", " / "])
def test_text_that_is_no_date_or_cannot_be_written_is_not_passed_through(text: str) -> None:
    assert shifted(text, 500) is None


@given(st.integers(1, 99), st.integers(1, 99), st.integers(1900, 2050), st.sampled_from("/-."))
def test_numbers_are_a_date_if_a_day_of_that_month_exists(a: int, b: int, year: int, mark) -> None:
    exists = any(
        month <= 12 and day <= monthrange(year, month)[1] for month, day in ((a, b), (b, a))
    )
    assert (shifted(f"{a}{mark}{b}{mark}{year}", 500) is not None) == exists


@given(DAYS, ANY)
def test_shifting_by_zero_days_changes_nothing(day: date, write) -> None:
    text = write(day)
    assert shifted(text, 0, f"{day.year}-01-01") == text


@given(DAYS, DAYS, LONG, SHIFTS)
def test_intervals_and_formats_are_kept(first: date, second: date, write, days: int) -> None:
    # The third date shows whether numbers under ten have a leading zero.
    texts = [write(day) for day in (first, second, date(2001, 2, 3))]
    dates, move = Dates(texts, days), timedelta(days=days)
    assert dates.shifted(0, texts[0]) == write(first + move)
    assert dates.shifted(1, texts[1]) == write(second + move)


@given(DAYS, ANY, SHIFTS)
def test_every_date_changes(day: date, write, days: int) -> None:
    assert shifted(write(day), days, f"{day.year}-01-01") not in (None, write(day))


@given(st.integers(1, 12), st.integers(1930, 2030), SHIFTS)
def test_every_month_and_year_changes(month: int, year: int, days: int) -> None:
    name = f"{date(2000, month, 1):%B}"
    for text in (name, str(year), f"{name} {year}", f"{month}/{year}"):
        assert shifted(text, days, f"{year}-01-01") not in (None, text)


@given(DAYS, st.sampled_from(offsets(keep_weekday=True)))
def test_weekday_is_kept_on_request(day: date, days: int) -> None:
    new = shifted(f"{day:%A}, {day.isoformat()}", days)
    assert new is not None
    assert new.startswith(f"{day:%A}, ")
    assert date.fromisoformat(new.split()[1]).weekday() == day.weekday()


@given(DAYS, ANY, st.sampled_from(offsets(keep_weekday=True)))
def test_a_date_changes_if_its_weekday_stays(day: date, write, days: int) -> None:
    assert shifted(write(day), days, f"{day.year}-01-01") not in (None, write(day))


def test_other_dates_show_whether_the_day_comes_first() -> None:
    assert shifted("3/4/2005", 500, "13/4/2005") == "16/8/2006"
    assert shifted("3/4/2005", 500, "4/13/2005") == "7/17/2006"


def test_a_day_without_a_year_is_the_nearest_to_the_preceding_date() -> None:
    texts = ["12/28/2004", "Jan 3rd", "2/28", "1985", "2/28/2008", "2/28", "12/30"]
    dates = Dates(texts, 370)
    assert [dates.shifted(n, text) for n, text in enumerate(texts)] == [
        "1/2/2006", "Jan 8th", "3/5", "1986", "3/4/2009", "3/4", "1/3",
    ]  # fmt: skip


@given(st.data())
def test_names_in_letters_that_are_the_same_without_case_are_read(data) -> None:
    name = data.draw(st.sampled_from(f"{MONTH_NAMES}|{WEEKDAY_NAMES}".split("|")))
    odd = "".join(data.draw(st.sampled_from(_same_letters(letter))) for letter in name)
    assert re.fullmatch(name, odd, re.I)
    text = f"{odd} 5, 2005" if name in MONTH_NAMES.split("|") else f"{odd} 3/5/2005"
    assert shifted(text, 500) is not None


def _same_letters(letter: str) -> str:
    return "".join(c for c in map(chr, range(0x250)) if re.fullmatch(letter, c, re.I))


def test_leap_day_without_a_year_is_a_date() -> None:
    assert shifted("2/29", 370, "1/1/2005") == "3/5"


@given(st.text(max_size=30), SHIFTS)
def test_any_text_is_shifted_or_refused(text: str, days: int) -> None:
    assert shifted(text, days) != text


@pytest.mark.parametrize("text", ["0304", "0930", "9999"])
def test_four_digits_that_are_no_year_are_no_date(text: str) -> None:
    assert shifted(text, 500) is None
