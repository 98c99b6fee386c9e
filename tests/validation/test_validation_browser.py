"""The page of a validation in a browser: anybody can read it, and it fits a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from chromium import look, requested, violations

from multideid.document import Document
from multideid.eval.reports.html import write_report
from multideid.validation import Conditions, SampleOptions, draw_sample, gold_of, signed, validate
from multideid.validation.page import to_page

pytestmark = [pytest.mark.browser, pytest.mark.end_to_end]


@pytest.fixture
def page(notes: list[Document], tmp_path: Path) -> str:
    """Write the page of a validation with two readers; return its address."""
    plan, sample = draw_sample(lambda: notes, SampleOptions(notes=30))
    by_text = {note.text: note for note in notes}
    first = [note.with_spans(by_text[note.text].spans) for note in sample]
    second = [
        note.with_spans(note.spans[:1] if n % 5 else note.spans) for n, note in enumerate(first)
    ]
    readings = gold_of(plan, [first, second])
    found = [note.with_spans(note.spans[n % 2 :]) for n, note in enumerate(readings.gold)]
    validation = validate(plan, readings, found, Conditions("tiny", "0" * 64))
    path = tmp_path / "report.html"
    write_report(path, to_page(validation, signed(validation.to_dict())))
    return path.as_uri()


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (375, "dark")])
def test_axe_finds_nothing_to_complain_about(
    browser: Any, page: str, width: int, scheme: str
) -> None:
    look(browser, width, scheme)
    browser.get(page)
    assert violations(browser) == []


def test_it_opens_quietly_and_fits_a_phone(browser: Any, page: str) -> None:
    look(browser, 375, "light")
    browser.get("about:blank")
    browser.get_log("performance")
    browser.get(page)
    assert [url for url in requested(browser) if not url.startswith("data:")] == [page]
    assert browser.get_log("browser") == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 375
