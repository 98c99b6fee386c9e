"""The sample corpus is what its datasheet says."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from multideid.corpora import read_corpus
from multideid.document import Document
from multideid.errors import UsageError
from multideid.samples import SPLITS, read_notes, sample_corpus

_SENTENCE_END = r"(?<=[.!?])\s+|\n\s*\n|\n(?=[\s*-]*[A-Z][\w /]*:)"
LABELS = {
    "AGE",
    "DATE",
    "DOCTOR",
    "EMAIL",
    "HOSPITAL",
    "ID",
    "LOCATION",
    "PATIENT",
    "PHONE",
    "URL",
}


SCRIPTS = Path(__file__).parents[2] / "scripts" / "default_model"
OUTSIDE = {path.name.split("_")[0]: path for path in SCRIPTS.glob("*_notes.jsonl.xz")}


@pytest.fixture(scope="module")
def splits() -> dict[str, list[Document]]:
    held_back = {"held back": read_corpus(SCRIPTS / "held_back.jsonl")}
    outside = {split: read_notes(path) for split, path in OUTSIDE.items()}
    return {split: sample_corpus(split=split) for split in SPLITS} | outside | held_back


def test_the_notes_outside_the_package_are_tested_too() -> None:
    assert "more" in OUTSIDE
    assert set(OUTSIDE) <= {"more", "next"}


def test_each_split_has_every_label(splits: dict[str, list[Document]]) -> None:
    for notes in splits.values():
        assert {span.label for note in notes for span in note.spans} == LABELS


def test_ids_are_unique_and_no_brief_is_in_two_splits(splits: dict[str, list[Document]]) -> None:
    ids = [note.id for notes in splits.values() for note in notes]
    assert len(set(ids)) == len(ids)
    briefs = [{str(note.meta["brief"]) for note in notes} for notes in splits.values()]
    assert sum(map(len, briefs)) == len(set.union(*briefs))


def test_spans_have_no_white_space_at_their_ends_and_stay_on_their_line(
    splits: dict[str, list[Document]],
) -> None:
    texts = [note.span_text(s) for notes in splits.values() for note in notes for s in note.spans]
    assert [text for text in texts if text != text.strip() or "\n" in text] == []


def test_no_long_sentence_occurs_in_two_notes(splits: dict[str, list[Document]]) -> None:
    where: dict[str, set[str]] = {}
    for notes in splits.values():
        for note in notes:
            for sentence in re.split(_SENTENCE_END, note.text):
                words = re.findall(r"\w+", sentence.lower())
                if len(words) > 10:
                    where.setdefault(" ".join(words), set()).add(note.id)
    assert [sentence for sentence, ids in where.items() if len(ids) > 1] == []


def test_there_are_many_kinds_of_notes_from_many_countries(
    splits: dict[str, list[Document]],
) -> None:
    metas = [note.meta for notes in splits.values() for note in notes]
    assert len({meta["kind"] for meta in metas}) >= 60
    assert len(Counter(meta["country"] for meta in metas)) >= 10


def test_a_smaller_sample_is_the_beginning_of_a_larger_one() -> None:
    assert sample_corpus(5, 3) == sample_corpus(9, 3)[:5]
    assert sample_corpus(5, 3) != sample_corpus(5, 4)


def test_an_unknown_split_is_refused() -> None:
    with pytest.raises(UsageError, match="'valid'"):
        sample_corpus(split="valid")


def test_more_notes_than_there_are_are_refused() -> None:
    with pytest.raises(UsageError, match="n_documents"):
        sample_corpus(100_000)
