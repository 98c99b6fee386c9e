"""A small model, which no test changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from template_notes import sample_corpus

from multideid.stacking import SingleDeidentifier


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a saved model that is made of rules."""
    path = tmp_path_factory.mktemp("models") / "rules"
    SingleDeidentifier("mimic").fit(sample_corpus(8, seed=9)).save(path)
    return path
