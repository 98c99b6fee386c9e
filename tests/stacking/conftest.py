"""A small corpus, and systems that are quick to fit."""

from __future__ import annotations

import pytest

from multideid.document import Document
from multideid.samples import sample_corpus


@pytest.fixture(scope="session")
def corpus() -> list[Document]:
    return sample_corpus(14, seed=3)
