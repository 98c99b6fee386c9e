"""Errors survive the way back from a worker process."""

from __future__ import annotations

import copy

import pytest

from multideid.errors import CorpusError, DocumentError, ModelError, MultideidError, ResourceError


@pytest.mark.parametrize(
    "error",
    [
        DocumentError("note-7", "has no text"),
        CorpusError("a/b.xml", "is not closed", "line 3"),
        CorpusError("a/b.xml", "is empty"),
        ModelError("model", "is damaged"),
        ResourceError("mesh.bin", "is not ASCII", "line 3"),
    ],
)
def test_an_error_is_the_same_after_pickling(error: MultideidError) -> None:
    again = copy.copy(error)
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
