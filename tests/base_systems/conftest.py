from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture
def marked() -> Callable[[str, str], str]:
    """Put brackets around the spans of one label in a text given with brackets."""
    from multideid.base_systems.mimic import find_phi

    def mark(expected: str, label: str) -> str:
        text = expected.replace("[", "").replace("]", "")
        for span in reversed([s for s in find_phi(text) if s.label == label]):
            text = f"{text[: span.start]}[{text[span.start : span.end]}]{text[span.end :]}"
        return text

    return mark
