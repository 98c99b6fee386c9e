"""What the desk shows in a browser: everybody can read it, and it says what is known of a span."""

from __future__ import annotations

from typing import Any

import pytest
from chromium import requested, violations
from desk_window import DATE, LEE, MARY, Window, served

from multideid.document import Span
from multideid.review import Change, Proposal, Store

pytestmark = [pytest.mark.browser, pytest.mark.end_to_end]


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (1200, "dark"), (375, "dark")])
def test_nothing_overflows_and_text_can_be_read(
    browser: Any, store: Store, width: int, scheme: str
) -> None:
    with served(store) as addresses:
        window = Window(browser, addresses["anna"], width, scheme)
        window.press("n")
        assert window.script("return document.documentElement.scrollWidth") <= width
        wide = """return [...document.querySelectorAll('body *')].filter((e) =>
            e.getBoundingClientRect().right > innerWidth + 0.5 && !e.closest('#queue, .hidden'))
            .map((e) => e.outerHTML)"""
        assert window.script(wide) == []


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (375, "dark")])
def test_axe_finds_nothing_to_complain_about(
    browser: Any, store: Store, width: int, scheme: str
) -> None:
    other = Span(LEE.start, LEE.end, "PATIENT")
    store.layers.change(1, "ben", Change([LEE, MARY], [other], accepted=True))
    store.layers.accept(1, "anna")
    with served(store, "anna", "ben") as addresses:
        window = Window(browser, addresses["anna"], width, scheme)
        assert violations(browser) == []
        window.press("n")
        assert violations(browser) == []
        for opener, dialog in (("help", "help"), ("team", "team"), ("training", "training")):
            window.script(f"document.getElementById('open-{opener}').click()")
            found = "return document.querySelectorAll(`#${arguments[0]} button`).length"
            window.wait(lambda name=dialog, script=found: window.script(script, name))
            assert violations(browser) == []
            window.script(f"document.getElementById('{dialog}').close()")
        window.press("n", "l")
        window.wait(lambda: window.script("return document.getElementById('labels').open"))
        assert violations(browser) == []
        window.script("document.getElementById('labels').close()")
        for name in ("accepted", "disputed"):
            window.filter(name)
            window.press("n")
            assert violations(browser) == []
        assert "ben" in window.text("evidence")


def test_only_a_certain_span_is_shown_with_100_percent(browser: Any, store: Store) -> None:
    store.propose([(1, Proposal((LEE, MARY, DATE), (0.997, 1.0, 0.126), {}))])
    with served(store) as addresses:
        window = Window(browser, addresses["anna"])
        shown = []
        for _ in range(3):
            window.press("n")
            shown.append(window.text("evidence").removeprefix("PHI with probability "))
    assert shown == ["over 99 %", "100 %", "13 %"]


def test_each_system_is_shown_with_its_margin(browser: Any, store: Store) -> None:
    said = {"mist": (LEE,), "lbj": (LEE,), "mimic": ()}
    store.propose([(1, Proposal((LEE,), (0.9,), said, margins={"mist": (2.341,), "lbj": (-0.5,)}))])
    with served(store) as addresses:
        window = Window(browser, addresses["anna"])
        window.press("n")
        shown = window.script(
            "return [...document.querySelectorAll('#evidence dd')].map((said) => said.textContent)"
        )
    assert shown == ["DOCTOR+2.3", "DOCTOR−0.50", "nothing"]  # noqa: RUF001


def test_found_words_are_shown_in_the_note(browser: Any, store: Store) -> None:
    with served(store) as addresses:
        window = Window(browser, addresses["anna"])
        shown = """return [...(CSS.highlights.get("found") ?? [])].map((range) =>
            range.startContainer.data.slice(range.startOffset, range.endOffset))"""
        for wanted, found in (("lee", ["Lee"] * 3), ("(", []), ("3/14.", ["3/14."])):
            _search(window, wanted)
            assert window.script(shown) == found
            assert window.text("nothing") == (
                "" if found else "No note here has “(” in its text or name."
            )


def _search(window: Window, words: str) -> None:
    window.script(
        """const search = document.getElementById("search");
        search.value = arguments[0];
        search.dispatchEvent(new Event("input"));""",
        words,
    )
    wanted = "return document.desk.queue.wanted === arguments[0]"
    window.wait(lambda: window.script(wanted, words))
    window.press()


def test_a_filter_that_leaves_the_open_note_asks_for_nothing(browser: Any, store: Store) -> None:
    with served(store, "anna", "ben") as addresses:
        window = Window(browser, addresses["anna"])
        window.press("n")
        browser.get_log("performance")
        window.filter("open")
        assert [url for url in requested(browser) if "/api/" in url] == []
        assert window.text("count") == "10 notes"
        window.filter("accepted")
        assert window.text("nothing") == "You have accepted no note yet."
        assert window.text("title") == "No note"
