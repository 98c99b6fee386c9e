"""Notes with a name and a date each, and a sample of them."""

from __future__ import annotations

import pytest

from multideid.document import Document, Span


@pytest.fixture
def notes() -> list[Document]:
    """Return forty notes of two departments."""
    return [
        Document(
            f"n{n}",
            f"Dr. Xylo{n} on 2014-03-{n % 28 + 1:02}.",
            (Span(4, 8 + len(str(n)), "DOCTOR"), Span(12 + len(str(n)), 22 + len(str(n)), "DATE")),
            {"ward": "Xylo east" if n < 30 else "Xylo west"},
        )
        for n in range(40)
    ]
