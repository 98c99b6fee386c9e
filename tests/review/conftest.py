"""A review for the tests in a browser; other modules have a `store` of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_window import LABELS, PROPOSAL, TEXT

from multideid.document import Document
from multideid.review import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Ten notes with the same text and the same proposed spans."""
    made = Store.create(tmp_path / "notes.review", LABELS)
    made.add([Document(f"n{n}", TEXT) for n in range(1, 11)])
    made.propose((n, PROPOSAL) for n in made.numbers())
    yield made
    made.close()
