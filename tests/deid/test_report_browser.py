"""The report of a de-identification in a browser: it is sorted, filtered, saved and printed."""

from __future__ import annotations

from typing import Any

import pytest
from chromium import look, requested, violations

from multideid.deid.report import open_report
from multideid.document import Document, Evidence, Span
from multideid.evidence import with_evidence, with_votes

pytestmark = [pytest.mark.browser, pytest.mark.end_to_end]

NOTES = 300
SAVED = """
    const [done] = arguments, blobs = [];
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => { blobs.push(blob); return make(blob); };
    document.querySelector('[data-table=spans] .csv').click();
    blobs[0].text().then(done);
"""
ROWS = "return document.querySelectorAll('[data-table=spans] tbody tr').length"


def _note(n: int) -> Document:
    spans = (Span(0, 3, "NAME"), Span(4, 8, "DATE"))
    scores = (1 - n / 1000, None if n % 2 else n / 1000)
    votes = (("mist", "lbj"), ("mist",))
    document = with_evidence(
        Document(f'=n"{n:03}', "Ann 3/14"), zip(spans, map(Evidence, scores), strict=True)
    )
    return with_votes(document, votes)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write a report; return its address."""
    path = tmp_path_factory.mktemp("report") / "out.html"
    with open_report(path, show_phi=True, overwrite=False) as report:
        for n in range(NOTES):
            report.add(_note(n))
    return path.as_uri()


@pytest.fixture
def spans(browser: Any, page: str) -> Any:
    """Open the report afresh; return the part with the spans."""
    look(browser, 1200, "light")
    browser.get(page)
    return browser.find_element("css selector", "[data-table=spans]")


def _first(spans: Any) -> list[str]:
    row = spans.find_element("css selector", "tbody tr")
    return [cell.text for cell in row.find_elements("css selector", "th, td")]


def _wait_for(spans: Any, count: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    shown = spans.find_element("css selector", ".count")
    WebDriverWait(spans, 5, poll_frequency=0.05).until(lambda _: shown.text.startswith(count))


def test_opens_quietly_with_the_lowest_scores_first(browser: Any, page: str) -> None:
    browser.get("about:blank")
    browser.get_log("performance")
    browser.get(page)
    assert [url for url in requested(browser) if not url.startswith("data:")] == [page]
    assert browser.get_log("browser") == []
    spans = browser.find_element("css selector", "[data-table=spans]")
    assert _first(spans) == ['=n"000', "4", "8", "DATE", "0.000", "mist", "3/14"]
    _wait_for(spans, "600 rows; the first 200 are shown")


def test_columns_sort_both_ways_by_keyboard_and_no_score_comes_last(spans: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    head = spans.find_element("css selector", "th:nth-child(5)")
    assert head.get_attribute("aria-sort") == "ascending"
    head.find_element("tag name", "button").send_keys(Keys.ENTER)
    assert head.get_attribute("aria-sort") == "descending"
    assert _first(spans)[4] == "1.000"
    for _ in range(2):
        spans.find_element("css selector", ".more").click()
    assert spans.find_element("css selector", "tr:last-child td:nth-child(5)").text == "–"  # noqa: RUF001


def test_filters_narrow_the_rows(browser: Any, spans: Any) -> None:
    from selenium.webdriver.support.ui import Select

    label, systems = spans.find_elements("tag name", "select")
    Select(label).select_by_visible_text("NAME")
    _wait_for(spans, "300 of 600 rows")
    Select(systems).select_by_visible_text("not lbj")
    _wait_for(spans, "0 of 600 rows")
    Select(systems).select_by_visible_text("lbj")
    spans.find_element("css selector", "input[type=search]").send_keys('N"29')
    _wait_for(spans, "10 of 600 rows")
    spans.find_element("css selector", "input[type=number]").send_keys("0.7011")
    _wait_for(spans, "1 of 600 rows")
    assert browser.execute_async_script(SAVED).splitlines() == [
        "note,start,end,label,score,systems,text",
        '"\'=n""299",0,3,NAME,0.701,mist lbj,Ann',
    ]
    spans.find_element("css selector", "button[type=reset]").click()
    _wait_for(spans, "600 rows")


def test_paper_has_every_row(browser: Any, spans: Any) -> None:
    assert browser.execute_script(ROWS) == 200
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert browser.execute_script(ROWS) == 2 * NOTES
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    assert browser.execute_script(ROWS) == 200
    browser.execute_script("addEventListener('beforeprint', () => { window.told = true })")
    browser.execute_cdp_cmd("Page.printToPDF", {})
    assert browser.execute_script("return window.told")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_overflows_a_phone(browser: Any, spans: Any, scheme: str) -> None:
    look(browser, 375, scheme)
    wide = """return [...document.querySelectorAll('body *')].filter((e) =>
        e.getBoundingClientRect().right > 375.5 && !e.closest('.scroll')).map((e) => e.outerHTML)"""
    assert browser.execute_script(wide) == []


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (375, "dark")])
def test_axe_finds_nothing_to_complain_about(
    browser: Any, spans: Any, width: int, scheme: str
) -> None:
    look(browser, width, scheme)
    assert violations(browser) == []
