"""Scores by kind of note come from decisions out of fold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kinds import RecordingMulti
from multideid.document import Document


@pytest.fixture(scope="module")
def notes() -> list[Document]:
    names = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"]
    found = [
        Document(f"{n}", f"Name: {name}\nseen", ((6, 9, "PATIENT"),), {"kind": "letter"})
        for n, name in enumerate(names)
    ]
    odd = Document("odd", "zq Qza", ((0, 2, "PATIENT"),), {"kind": "note"})
    return [*found, odd, replace(odd, id="odd-copy-0", text="zq"), Document("x", "none")]


def test_kinds_have_their_own_scores_and_other_notes_none(notes: list[Document]) -> None:
    model = RecordingMulti(["majority"], 3, augmentation=False, n_jobs=1)
    model.fit(notes, groups=[*"aabbcc", "odd", "odd", "x"])
    table = model.by_kind(notes, [True] * 7 + [False] * 2, [True] * 6 + [False] * 3)
    assert [*table.index] == ["letter", "note", "all", "of the package"]
    assert [*table["notes"]] == [6, 1, 7, 6]
    assert [*table.loc["of the package"]] == [*table.loc["letter"]]
    # `majority` knows words that it has seen: names here occur in one note each.
    assert table.loc["note", "balanced recall"] == 0
