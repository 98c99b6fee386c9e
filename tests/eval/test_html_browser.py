"""The report in a browser: it opens quietly, its filters work, and it fits a phone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from chromium import look, requested

from multideid.document import Document, Span
from multideid.eval import Scoring, compare
from multideid.eval.metrics.mistakes import collect_mistakes
from multideid.eval.reports.blocks import Chart, Point, Section
from multideid.eval.reports.html import comparison_report, write_report

pytestmark = [pytest.mark.browser, pytest.mark.end_to_end]

LABELS = ("NAME", "DATE", "A_LABEL_OF_MORE_THAN_THE_USUAL_LENGTH")
DOCUMENTS = 500


def _gold() -> list[Document]:
    text = "Seen by Ålder\n𝔐 on 3/14 <b>for</b> 1-2-3.\n"  # noqa: RUF001
    starts = (8, 19, 34)
    spans = [Span(n, n + 4, label) for n, label in zip(starts, LABELS, strict=True)]
    return [Document(f"note-{n:04}", f"{text}{n}", tuple(spans)) for n in range(DOCUMENTS)]


def _systems(gold: list[Document]) -> dict[str, list[Document]]:
    """Predict nothing, a part, the wrong labels, and all but the first span."""
    return {
        "nothing": [d.with_spans([]) for d in gold],
        "border": [d.with_spans(Span(s, e - 1, t) for s, e, t in d.spans) for d in gold],
        "label": [d.with_spans(Span(s, e, "NAME") for s, e, _ in d.spans) for d in gold],
        "mega": [d.with_spans([Span(0, 4, "DATE"), *d.spans]) for d in gold],
        "multi": [d.with_spans(d.spans[1:]) for d in gold],
    }


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write a report with thousands of errors; return its address."""
    gold = _gold()
    systems = _systems(gold)
    shares = np.full((len(LABELS), 3), 1 / 3)
    line = [Point(x, x / 200, x / 220, x / 180) for x in (3.125, 25, 100)]
    chart = Chart("Learning curve", "documents, %", "F1", {"multi": line}, log_x=True)
    report = comparison_report(
        {"notes": compare(gold, systems, Scoring(n_resamples=50))},
        trust={"notes": pd.DataFrame(shares, index=list(LABELS), columns=list("abc"))},
        mistakes={"notes": collect_mistakes(gold, systems)},
        sections=[Section("learning", "Learning", (chart,))],
    )
    path = tmp_path_factory.mktemp("report") / "out.html"
    write_report(path, report)
    return path.as_uri()


@pytest.fixture
def opened(browser: Any, page: str) -> Any:
    """Open the report afresh, on a desktop in light colours."""
    look(browser, 1200, "light")
    browser.get(page)
    return browser


def _type(browser: Any, name: str, text: str) -> None:
    field = browser.find_element("id", name)
    field.clear()
    field.send_keys(text)


def _choose(browser: Any, name: str, text: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(browser.find_element("id", name)).select_by_visible_text(text)


def _wait_for(browser: Any, count: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    shown = browser.find_element("id", "count")
    WebDriverWait(browser, 5, poll_frequency=0.05).until(lambda _: shown.text.startswith(count))


def test_opens_with_no_error_and_asks_for_nothing_else(browser: Any, page: str) -> None:
    # Leaves the browser's own page, which may still be loading.
    browser.get("about:blank")
    browser.get_log("performance")
    browser.get(page)
    asked = requested(browser)
    assert browser.get_log("browser") == []
    assert [url for url in asked if not url.startswith("data:")] == [page]


def test_thousands_of_errors_are_drawn_a_page_at_a_time(opened: Any) -> None:
    items = "return document.querySelectorAll('#list > li').length"
    _choose(opened, "system", "all")
    _wait_for(opened, "5,000 of 5,000 errors; the first 50")
    assert opened.execute_script(items) == 50
    opened.find_element("id", "more").click()
    assert opened.execute_script(items) == 100
    timing = "return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
    assert opened.execute_script(timing) < 3000


def test_filters_narrow_the_list(opened: Any) -> None:
    _wait_for(opened, "500 of 5,000")
    _choose(opened, "system", "label")
    _wait_for(opened, "1,000 of 5,000")
    _choose(opened, "class", "DATE")
    _wait_for(opened, "500 of 5,000")
    _type(opened, "document", "NOTE-000")
    _wait_for(opened, "10 of 5,000")
    _type(opened, "text", "3/14 <b>FOR")
    _wait_for(opened, "10 of 5,000")
    opened.find_element("id", "kind-2").click()
    _wait_for(opened, "0 of 5,000")
    opened.find_element("css selector", "button[type=reset]").click()
    _wait_for(opened, "500 of 5,000")


def test_only_leaks_can_be_listed(opened: Any) -> None:
    _choose(opened, "system", "mega")
    _wait_for(opened, "500 of 5,000")
    opened.find_element("id", "leaking").click()
    _wait_for(opened, "0 of 5,000")


def test_an_error_shows_its_place_and_the_predictions_of_every_system(opened: Any) -> None:
    item = opened.find_element("css selector", "#list > li")
    assert item.find_element("css selector", "mark").text == "Ålde"
    assert "note-0000, 8–12" in item.text  # noqa: RUF001
    said = [
        row.text.split("\n") for row in item.find_elements("css selector", ".predictions > div")
    ]
    assert [row[0] for row in said] == ["gold", "multi", "nothing", "border", "label", "mega"]
    assert said[1][1] == "✗ nothing"
    assert said[3][1] == "✗ NAME Åld"
    assert said[4][1] == "✓ NAME Ålde"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_overflows_a_phone(opened: Any, scheme: str) -> None:
    look(opened, 375, scheme)
    opened.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert opened.execute_script("return document.documentElement.scrollWidth") <= 375
    wide = """return [...document.querySelectorAll('body *')].filter((e) =>
        e.getBoundingClientRect().right > 375.5 && !e.closest('.scroll')).map((e) => e.outerHTML)"""
    assert opened.execute_script(wide) == []
    outside = "return document.querySelectorAll('table, .plot svg').length"
    inside = "return document.querySelectorAll('.scroll table, .scroll svg').length"
    assert opened.execute_script(outside) == opened.execute_script(inside) > 5


def _contrast(browser: Any, selector: str) -> float:
    """Return the contrast of an element's text with the page (WCAG 2, 1.4.3)."""
    script = f"""const style = getComputedStyle(document.querySelector({selector!r}));
        const paper = getComputedStyle(document.body).backgroundColor;
        return [style.fill !== 'rgb(0, 0, 0)' ? style.fill : style.color, paper]"""
    lightness = [_luminance(colour) for colour in browser.execute_script(script)]
    return (max(lightness) + 0.05) / (min(lightness) + 0.05)


def _luminance(colour: str) -> float:
    channels = np.array(colour.strip("rgba()").split(",")[:3], dtype=float) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark(opened: Any, scheme: str) -> None:
    look(opened, 1200, scheme)
    for selector in ("body", ".lead", "td", "nav a", ".plot text", ".leak", ".where", "mark"):
        assert _contrast(opened, selector) > 4.5, selector


def test_paper_is_white_also_where_the_screen_is_dark(opened: Any) -> None:
    look(opened, 1200, "dark", media="print")
    paper = opened.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb(255, 255, 255)"
    assert _contrast(opened, ".plot text") > 7
    shown = "return getComputedStyle(document.getElementById('filters')).display"
    assert opened.execute_script(shown) == "none"
