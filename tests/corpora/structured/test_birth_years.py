"""Years of birth and coordinates are known by the names of keys and headings."""

from __future__ import annotations

import io

import openpyxl
import pytest


def _workbook(*rows: list[object]) -> bytes:
    workbook, target = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        workbook.active.append(row)
    workbook.save(target)
    return target.getvalue()


@pytest.mark.parametrize("heading", ["Year of birth", "birth_year", "YOB"])
def test_years_below_a_heading_are_dates(opened, heading) -> None:
    file = opened(_workbook([heading, "Visits"], [1917, 3], ["1921", 4]))
    assert [f for f in file.known if f[0].isdigit()] == [("1917", "DATE"), ("1921", "DATE")]


@pytest.mark.parametrize("key", ["year_of_birth", "birth_year", "yob"])
@pytest.mark.parametrize("value", ["1917", '"1917"'])
def test_years_under_a_key_are_dates(opened, key, value) -> None:
    file = opened(f'{{"text": "seen", "{key}": {value}}}', json_paths=("text", key))
    assert file.known == [("1917", "DATE")]


def test_coordinates_below_headings_are_places(opened) -> None:
    rows = ["Lat", "Longitude", "View"], [42.35843, -71.05977, "lat"], ["lateral", -71.1, "pa"]
    file = opened(_workbook(*rows))
    found = [text for text, label in file.known if label == "LOCATION-OTHER"]
    assert found == ["42.35843", "-71.05977", "-71.1"]
