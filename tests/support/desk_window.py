"""The desk served in a thread, and its page as somebody without a mouse has it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from chromium import look
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.support.ui import WebDriverWait

from multideid.document import Span
from multideid.integrations.rest.server import listen_at
from multideid.review import Proposal, Store
from multideid.review.outcome import reviewed_documents
from multideid.review.web.app import make_app
from multideid.review.web.desk import Desk

TEXT = "𝔐 Seen by Dr. Lee\r\nwith Mary-Ann e\u0301 🏥 Poe; Lee left 3/14.\n\n<b>Lee</b>"  # noqa: RUF001
LABELS = ["DOCTOR", "PATIENT", "DATE"]


def _span(text: str, label: str, after: int = 0) -> Span:
    start = TEXT.index(text, after)
    return Span(start, start + len(text), label)


LEE, MARY, DATE = _span("Lee", "DOCTOR"), _span("Mary", "PATIENT"), _span("3/14", "DATE")
OTHERS = [_span("Lee", "DOCTOR", TEXT.index("Lee left")), _span("Lee", "DOCTOR", TEXT.index("<b>"))]
ANN = _span("Mary-Ann", "PATIENT")
PROPOSAL = Proposal((LEE, MARY), (0.99, 0.6), {"mist": (LEE, DATE), "lbj": (LEE, MARY, DATE)})


@contextmanager
def served(store: Store, *reviewers: str) -> Iterator[dict[str, str]]:
    """Serve a review in a thread; give the address of each reviewer."""
    desk = Desk.of(store, reviewers or ["anna"])
    listening = listen_at("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(make_app(desk), log_config=None))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    yield {name: f"{address}/#{token}" for token, name in desk.reviewers.items()}
    server.should_exit = True
    thread.join()
    listening.close()


def reviewed(store: Store) -> list[tuple[Span, ...]]:
    """Return the spans of each note that is done."""
    return [note.spans for note in reviewed_documents(store)]


class Window:
    """A page, as somebody without a mouse has it."""

    def __init__(
        self, browser: Any, address: str, width: int = 1200, scheme: str = "light"
    ) -> None:
        self.browser = browser
        look(browser, width, scheme)
        browser.get("about:blank")
        browser.get(address)
        self.wait(lambda: self.script("return document.documentElement.dataset.ready === 'true'"))

    def script(self, script: str, *values: Any) -> Any:
        return self.browser.execute_script(script, *values)

    def wait(self, condition: Any) -> None:
        WebDriverWait(self.browser, 20, poll_frequency=0.02).until(lambda _: condition())

    def text(self, name: str) -> str:
        return str(self.script("return document.getElementById(arguments[0]).textContent", name))

    def press(self, *keys: str, hold: str = "") -> None:
        """Press keys, and wait until all that they do is done."""
        actions = ActionChains(self.browser, duration=0)
        if hold:
            actions.key_down(hold)
        for key in keys:
            actions.send_keys(key)
        if hold:
            actions.key_up(hold)
        actions.perform()
        if keys[-1:] == ("l",):
            return
        idle = "document.desk.work.then(() => arguments[arguments.length - 1]())"
        self.browser.execute_async_script(idle)

    def accept(self) -> None:
        self.press(Keys.ENTER, hold=Keys.CONTROL)

    def filter(self, name: str) -> None:
        """Show another list, and wait until its first note is open, or none."""
        self.script(
            """const filter = document.getElementById("filter");
            filter.value = arguments[0];
            filter.dispatchEvent(new Event("change"));""",
            name,
        )
        self.press()
