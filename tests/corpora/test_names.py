"""Document ids as file names."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from multideid.corpora.names import id_of_name, name_of_id

_IDS = st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("./\\%2F5")))


@given(_IDS)
@example("../../etc/passwd")
@example("/etc/passwd")
@example("a//b/")
@example("..\\..\\x")
@example("nul\0")
@example("%2E%2e%252F.")
def test_every_id_gives_a_name_inside_the_folder_and_comes_back(document_id: str) -> None:
    assume(document_id and len(document_id.encode()) < 60)
    name = name_of_id(document_id, ".txt")
    parts = PurePosixPath(name).parts
    assert "/".join(parts) == name
    assert not any(part.startswith((".", "/")) or "\0" in part for part in parts)
    assert "\\" not in name
    assert not PureWindowsPath(name).is_absolute()
    assert id_of_name(name.removesuffix(".txt")) == document_id


@pytest.mark.parametrize("document_id", ["ward/7", "100%", "note 1", "ñ", "a.b", "50%-x"])
def test_ordinary_ids_are_their_own_names(document_id: str) -> None:
    assert name_of_id(document_id, ".txt") == f"{document_id}.txt"


@pytest.mark.parametrize("document_id", ["", "x" * 252, "é" * 126, "\ud800"])
def test_an_id_that_no_file_can_have_is_refused(document_id: str) -> None:
    with pytest.raises(ValueError, match="cannot be a file name"):
        name_of_id(document_id, ".txt")
