"""Chromium without a screen, for tests marked `browser`."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)


def _missing() -> str | None:
    """Say why there is no browser to test in."""
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            return f"{program} is not installed (on Debian: apt install chromium chromium-driver)"
    return None


def chromium(profile: Path) -> Iterator[Any]:
    """Yield a driver; skip the test where there is no browser, or fail where there must be."""
    missing = _missing()
    if missing and os.environ.get("MULTIDEID_TEST_BROWSER") == "required":
        pytest.fail(missing)
    if missing:
        pytest.skip(missing)
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in (*_FLAGS.split(), f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    yield driver
    driver.quit()


def look(browser: Any, width: int, scheme: str, media: str = "") -> None:
    """Let the window have a width, and colours that are light or dark."""
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    # With smooth scrolling, elements move while they are clicked.
    wishes = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
    features = [{"name": name, "value": value} for name, value in wishes.items()]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})


def violations(browser: Any) -> list[str]:
    """Return what axe-core finds wrong with a page; skip the test where there is none.

    ``npm pack axe-core`` gives the script that MULTIDEID_TEST_AXE names.
    """
    path = os.environ.get("MULTIDEID_TEST_AXE")
    if path is None:
        pytest.skip("MULTIDEID_TEST_AXE does not name axe.min.js")
    browser.execute_script(Path(path).read_text(encoding="utf-8"))
    script = """const done = arguments[0];
        axe.run().then(({ violations }) => done(violations.flatMap((one) =>
            one.nodes.map((node) => `${one.id}: ${node.html} ${node.failureSummary}`))))"""
    return list(browser.execute_async_script(script))


def requested(browser: Any) -> list[str]:
    """Return the addresses that were requested since the last time."""
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]
