"""Adjudication and training on the desk in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from desk_window import LEE, MARY, Window, reviewed, served
from selenium.webdriver import Keys
from selenium.webdriver.support.ui import WebDriverWait
from tiny_review import note, tiny_review

from multideid.document import Span
from multideid.review import Change, Store
from multideid.review.reading import MODEL
from multideid.text.tokenizer import tokenize

pytestmark = [pytest.mark.browser, pytest.mark.end_to_end]


def test_two_reviewers_differ_and_one_adjudicates(browser: Any, store: Store) -> None:
    store.layers.change(1, "ben", Change(removed=[MARY], accepted=True))
    with served(store, "anna", "ben") as addresses:
        window = Window(browser, addresses["anna"])
        window.accept()
        browser.find_element("id", "filter").send_keys("To adj")
        window.press()
        window.wait(lambda: "ben" in window.text("evidence"))
        browser.find_element("id", "note").send_keys("n")
        window.press("s", "s", "s")
        window.accept()
        assert window.text("count") == "0 of 10 notes"
    assert reviewed(store) == [(LEE, MARY)]


def test_without_a_note_to_adjudicate_nothing_can_be_decided(browser: Any, store: Store) -> None:
    with served(store, "anna", "ben") as addresses:
        window = Window(browser, addresses["anna"])
        window.filter("disputed")
        assert window.text("nothing").startswith("Nothing to adjudicate")
        assert (window.text("title"), window.text("note")) == ("No note", "")
        browser.find_element("id", "note").send_keys("n")
        window.press("ndaxm1rzs")
        window.accept()
        assert store.layers.decisions() == []
        window.filter("all")
        assert (window.text("title"), window.text("nothing")) == ("n1", "")
        window.press("nd")
    assert store.layers.get(1, "anna").spans == (MARY,)


def test_a_difference_with_nothing_marked_is_not_accepted_by_chance(
    browser: Any, store: Store
) -> None:
    other = Span(LEE.start, LEE.end, "PATIENT")
    store.layers.change(1, "ben", Change([LEE], [other], accepted=True))
    store.layers.accept(1, "anna")
    with served(store, "anna", "ben") as addresses:
        window = Window(browser, addresses["anna"])
        window.filter("disputed")
        assert window.text("state") == "adjudication"
        browser.find_element("id", "note").send_keys("n")
        window.accept()
        assert "nothing is marked" in window.text("problem")
        assert reviewed(store) == []
        window.press("s")
        window.accept()
    assert reviewed(store) == [(LEE, MARY)]


def test_training_by_keyboard_raises_the_figures(browser: Any, tmp_path: Path) -> None:
    store = tiny_review(tmp_path)
    with served(store) as addresses:
        window = Window(browser, addresses["anna"])
        for place, number in enumerate(store.numbers(), start=10):
            badge = note(place).spans[1]
            words = [note(place).text[start:end] for start, end in tokenize(note(place).text)]
            before = [word for word in words if word.strip()].index("B")
            window.press(Keys.ARROW_RIGHT * (before + 1))
            window.press(Keys.ARROW_RIGHT * 2, hold=Keys.SHIFT)
            window.press("2")
            assert store.layers.get(number, "anna").spans[-1] == badge
            window.accept()
        browser.find_element("id", "open-training").send_keys(Keys.ENTER)
        window.wait(lambda: window.script("return document.getElementById('start-training')"))
        browser.find_element("id", "start-training").send_keys(Keys.ENTER)
        used = "return document.getElementById('use-model')"
        WebDriverWait(browser, 240).until(lambda _: window.script(used))
        cells = window.script(
            "return [...document.querySelectorAll('#training tbody tr:first-child td')]"
            ".map((cell) => cell.textContent)"
        )
        assert cells[0] == "Spans, F1"
        assert float(cells[2]) > float(cells[1])
        browser.find_element("id", "use-model").send_keys(Keys.ENTER)
        window.wait(lambda: "model-1" in store.fact(MODEL))
    store.close()


def test_training_is_offered_when_there_is_something_to_learn_and_to_measure_with(
    browser: Any, store: Store
) -> None:
    with served(store) as addresses:
        window = Window(browser, addresses["anna"])
        browser.find_element("id", "open-training").send_keys(Keys.ENTER)
        window.wait(lambda: window.script("return document.getElementById('start-training')"))
        assert not browser.find_element("id", "start-training").is_enabled()
        assert "accept more" in window.text("training")
