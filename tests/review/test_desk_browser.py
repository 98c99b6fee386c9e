"""The desk in a browser, by keyboard alone: what is decided is kept, and at the right offsets."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from chromium import requested
from desk_window import (
    ANN,
    DATE,
    LABELS,
    LEE,
    MARY,
    OTHERS,
    PROPOSAL,
    TEXT,
    Window,
    reviewed,
    served,
)
from selenium.webdriver import ActionChains, Keys

from multideid.corpora import write_corpus
from multideid.document import Document, Span
from multideid.review import Change, Proposal, Store
from multideid.review.reading import MODEL
from multideid.text.tokenizer import tokenize

pytestmark = [pytest.mark.browser, pytest.mark.end_to_end]


def test_ten_notes_are_corrected_by_keyboard_alone(browser: Any, store: Store) -> None:
    browser.get_log("performance")
    with served(store) as addresses:
        window = Window(browser, addresses["anna"])
        assert "#" not in browser.current_url
        for number in range(1, 11):
            assert window.text("title") == f"n{number}"
            # All Lees; Mary becomes Mary-Ann; a date that only systems see; deleted, undone.
            window.press("nanrrm3dz")
            window.accept()
        assert window.text("progress-text") == "10 of 10 accepted"
        origin = addresses["anna"].partition("#")[0]
        asked = [url for url in requested(browser) if url.startswith("http")]
        assert [url for url in asked if not url.startswith(origin)] == []
        assert browser.get_log("browser") == []
    wanted = tuple(sorted([LEE, ANN, DATE, *OTHERS]))
    assert reviewed(store) == [wanted] * 10


def test_words_are_selected_and_labelled_at_the_offsets_of_the_text(
    browser: Any, store: Store
) -> None:
    store.propose([(1, Proposal())])
    with served(store) as addresses:
        window = Window(browser, addresses["anna"])
        words = [TEXT[start:end] for start, end in tokenize(TEXT) if TEXT[start:end].strip()]
        window.press(Keys.ARROW_RIGHT * (1 + words.index("Mary")))
        window.press(Keys.ARROW_RIGHT * 2, hold=Keys.SHIFT)
        window.press("2", Keys.ESCAPE, Keys.ARROW_RIGHT, "1", "l")
        window.wait(lambda: window.script("return document.getElementById('labels').open"))
        browser.switch_to.active_element.send_keys("dat", Keys.ENTER)
        window.wait(lambda: len(store.layers.decisions()) == 3)
    assert store.layers.get(1, "anna").spans == (Span(0, 1, "DATE"), ANN)


def test_the_mouse_selects_whole_words(browser: Any, store: Store) -> None:
    store.propose([(1, Proposal())])
    with served(store) as addresses:
        window = Window(browser, addresses["anna"])
        box = window.script(
            """const walker = document.createTreeWalker(document.getElementById("note"), 4);
            while (walker.nextNode()) {
                const at = walker.currentNode.data.indexOf("ary-An");
                if (at < 0) continue;
                const range = document.createRange();
                range.setStart(walker.currentNode, at);
                range.setEnd(walker.currentNode, at + 6);
                const box = range.getBoundingClientRect();
                return [box.left, box.right, box.top + box.height / 2].map(Math.round);
            }"""
        )
        mouse = ActionChains(browser, duration=0).w3c_actions.pointer_action
        mouse.move_to_location(box[0], box[2]).pointer_down()
        mouse.move_to_location(box[1], box[2]).pointer_up()
        actions = ActionChains(browser, duration=0)
        actions.w3c_actions.pointer_action.source.actions = mouse.source.actions
        actions.w3c_actions.perform()
        window.press("2")
    assert store.layers.get(1, "anna").spans == (ANN,)


def test_offsets_are_the_same_in_both_counts(browser: Any, store: Store) -> None:
    texts = ["", "abc", "🏥", "a🏥b\r\n🏥🏥é\u0301", "\ud7ff\ue000\U0010ffff", "🏥" * 50]
    with served(store) as addresses:
        window = Window(browser, addresses["anna"])
        script = """const [texts, done] = arguments;
            import("/offsets.js").then(({ Offsets }) => done(texts.map((text) => {
                const offsets = new Offsets(text);
                const units = [];
                for (let n = 0; n <= [...text].length; n++) units.push(offsets.toUnits(n));
                return [units, units.map((unit) => offsets.toPoints(unit))];
            })))"""
        found = browser.execute_async_script(script, texts)
    for text, (units, points) in zip(texts, found, strict=True):
        expected = [len(text[:n].encode("utf-16-le")) // 2 for n in range(len(text) + 1)]
        assert units == expected
        assert points == list(range(len(text) + 1))
        assert window is not None


def test_a_stale_window_shows_the_newer_state(browser: Any, store: Store) -> None:
    with served(store) as addresses:
        window = Window(browser, addresses["anna"])
        store.layers.change(1, "anna", Change(added=[DATE]))
        window.press("n", "d")
        assert "changed elsewhere" in window.text("saved")
        assert window.script("return document.querySelectorAll('mark').length") == 3
    assert store.layers.get(1, "anna").spans == (LEE, MARY, DATE)


def test_a_note_that_the_model_has_not_read_is_no_note_without_spans(
    browser: Any, store: Store
) -> None:
    store.set_fact(MODEL, "en-default")
    store.add([Document("late", TEXT)])
    with served(store) as addresses:
        window = Window(browser, addresses["anna"])
        window.press(*["N"] * 10, hold=Keys.SHIFT)
        assert window.text("title") == "late"
        assert window.text("problem").startswith("The model has not read this note yet")
        assert window.text("subject") == ""
        assert "spans" not in window.text("announcements")
        store.propose([(11, PROPOSAL)])
        window.wait(lambda: window.text("subject").startswith("2 spans"))
        assert window.text("problem") == ""


@contextmanager
def _desk_process(notes: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Run ``multideid review``; give its process and address."""
    log = notes.with_name("log")
    command = [sys.executable, "-m", "multideid", "review", str(notes), "--reviewer", "anna"]
    with log.open("wb") as output:
        process = subprocess.Popen([*command, "--labels", ",".join(LABELS)], stderr=output)
    try:
        while not (found := re.search(r"open (\S+)", log.read_text())):
            assert process.poll() is None, log.read_text()
            time.sleep(0.05)
        yield process, found[1]
    finally:
        process.kill()
        process.wait()


def test_a_desk_that_is_killed_in_the_middle_has_all_that_the_page_called_saved(
    browser: Any, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.jsonl"
    write_corpus([Document(f"n{n}", TEXT, (LEE, MARY)) for n in range(1, 11)], notes, "jsonl")
    with _desk_process(notes) as (process, address):
        window = Window(browser, address)
        for _ in range(5):
            window.press("nanrr")
            window.accept()
        window.press("nd")
        assert window.text("saved") == "Saved"
        process.kill()
        for key in ("d", "3"):
            window.press("n", key)
            assert window.text("saved").startswith("Not saved: multideid review has ended.")
            assert window.script("return document.querySelectorAll('mark').length") == 1
        assert window.script("return document.desk.span") is None
    with _desk_process(notes) as (_, address):
        window = Window(browser, address)
        assert window.text("progress-text") == "5 of 10 accepted"
        assert window.text("title") == "n6"
        window.press("z", "nanrr")
        window.accept()
        for _ in range(4):
            window.press("nanrr")
            window.accept()
        assert window.text("progress-text") == "10 of 10 accepted"
    wanted = tuple(sorted([LEE, ANN, *OTHERS]))
    store = Store(notes.with_name("notes.jsonl.review"))
    assert reviewed(store) == [wanted] * 10
    store.close()
