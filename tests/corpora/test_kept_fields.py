"""Fields that a format has no place for are kept in ``meta``, and nothing there is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from multideid.corpora import read_corpus, write_corpus
from multideid.document import Document, Evidence, Span
from multideid.errors import CorpusError, UsageError
from multideid.stacking.folds import groups_in_meta

OF_OBJECTS = ("doccano", "jsonl", "label-studio", "presidio-research", "prodigy", "spacy-json")
WITH_META = (*OF_OBJECTS, "csv", "docbin", "parquet")

SPAN = {"start": 4, "end": 7, "label": "DOCTOR"}
VALUE = {"start": 4, "end": 7, "text": "Lee", "labels": ["DOCTOR"]}
RESULT = {"from_name": "label", "to_name": "text", "type": "labels", "value": VALUE}
SAMPLE = {"entity_type": "DOCTOR", "entity_value": "Lee", "start_position": 4, "end_position": 7}
PARAGRAPH = {"raw": "Dr. Lee", "sentences": [], "entities": [[4, 7, "DOCTOR"]]}


def _read(folder: Path, name: str, item: object) -> list[Document]:
    path = folder / "corpus"
    path.write_text(json.dumps(item if name in ("jsonl", "doccano", "prodigy") else [item]))
    return read_corpus(path, name)


EXAMPLES: list[tuple[str, Any, dict[str, Any]]] = [
    ("jsonl", {"text": "Dr. Lee", "spans": [SPAN], "patient": "p1"}, {"patient": "p1"}),
    (
        "jsonl",
        {"text": "Dr. Lee", "spans": [SPAN], "patient": "p1", "meta": {"a": 1, "patient": "p1"}},
        {"a": 1, "patient": "p1"},
    ),
    ("jsonl", {"text": "Dr. Lee", "spans": [SPAN], "votes": 3, "x": None}, {"votes": 3, "x": None}),
    ("doccano", {"text": "Dr. Lee", "label": [[4, 7, "DOCTOR"]], "by": "a"}, {"by": "a"}),
    (
        "prodigy",
        {
            "text": "Dr. Lee",
            "spans": [SPAN],
            "patient": "p1",
            "meta": {"source": "w"},
            "answer": "accept",
            "tokens": [{"text": "Dr.", "start": 0, "end": 3, "id": 0}],
            "_input_hash": 1,
            "_task_hash": 2,
            "_annotator_id": "a",
        },
        {"source": "w", "patient": "p1", "_annotator_id": "a"},
    ),
    (
        "spacy-json",
        {
            "text": "Dr. Lee",
            "ents": [SPAN],
            "cats": {"note": 1.0},
            "tokens": [{"id": 0, "start": 0, "end": 3}],
            "sents": [{"start": 0, "end": 7}],
            "raw": "r",
        },
        {"cats": {"note": 1.0}, "raw": "r"},
    ),
    (
        "spacy-json",
        ["Dr. Lee", {"entities": [[4, 7, "DOCTOR"]], "tags": ["A", "B"], "patient": "p1"}],
        {"patient": "p1"},
    ),
    (
        "spacy-json",
        {"id": 1, "patient": "p1", "paragraphs": [{**PARAGRAPH, "cats": ["note"]}]},
        {"patient": "p1", "cats": ["note"]},
    ),
    (
        "presidio-research",
        {
            "full_text": "Dr. Lee",
            "spans": [SAMPLE],
            "template_id": 4,
            "metadata": {"Gender": "female", "id": "7"},
            "sample_id": 9,
            "ward": "3",
        },
        {"Gender": "female", "template_id": 4, "sample_id": 9, "ward": "3"},
    ),
    (
        "label-studio",
        {
            "annotations": [{"result": [RESULT]}],
            "data": {"text": "Dr. Lee", "ward": "3"},
            "meta": {"patient": "p1", "id": "u"},
            "inner_id": 1,
        },
        {"patient": "p1", "id": "u", "ward": "3"},
    ),
    (
        "label-studio",
        {"id": 7, "text": "Dr. Lee", "label": [VALUE], "patient": "p1", "annotator": 1},
        {"patient": "p1", "annotator": 1},
    ),
]


@pytest.mark.parametrize(("name", "item", "meta"), EXAMPLES)
def test_other_fields_are_kept_and_come_back(
    name: str, item: object, meta: dict[str, Any], tmp_path: Path
) -> None:
    documents = _read(tmp_path, name, item)
    assert [d.meta for d in documents] == [meta]
    assert [d.spans for d in documents] == [(Span(4, 7, "DOCTOR"),)]
    write_corpus(documents, tmp_path / "back", name)
    assert read_corpus(tmp_path / "back") == documents


def test_a_field_of_json_lines_groups_documents(tmp_path: Path) -> None:
    documents = _read(tmp_path, "jsonl", {"text": "a", "patient": "p1"})
    assert groups_in_meta(documents, "patient") == ["p1"]


@pytest.mark.parametrize(
    ("name", "item"),
    [
        ("jsonl", {"text": "Dr. Lee", "patient": "Zqx", "meta": {"patient": "p2"}}),
        ("doccano", {"text": "Dr. Lee", "patient": "Zqx", "meta": {"patient": "p2"}}),
        ("prodigy", {"text": "Dr. Lee", "patient": "Zqx", "meta": {"patient": "p2"}}),
        ("spacy-json", {"text": "Dr. Lee", "patient": "Zqx", "meta": {"patient": "p2"}}),
        ("spacy-json", {"patient": 1, "paragraphs": [{**PARAGRAPH, "patient": 2}]}),
        ("presidio-research", {"full_text": "Dr. Lee", "patient": 1, "metadata": {"patient": 2}}),
        ("label-studio", {"data": {"text": "Dr. Lee", "patient": 1}, "meta": {"patient": 2}}),
    ],
)
def test_two_values_of_a_field_are_refused(name: str, item: object, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="has two values of 'patient', one in its meta") as caught:
        _read(tmp_path, name, item)
    assert "Zqx" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "item"),
    [
        ("jsonl", {"text": "Dr. Lee", "boxes": [SPAN]}),
        ("prodigy", {"text": "Dr. Lee", "boxes": [SPAN]}),
        ("spacy-json", {"text": "Dr. Lee", "boxes": [SPAN]}),
        ("spacy-json", ["Dr. Lee", {"entities": [], "boxes": [SPAN]}]),
        ("spacy-json", {"paragraphs": [{**PARAGRAPH, "boxes": [SPAN]}]}),
        ("presidio-research", {"full_text": "Dr. Lee", "boxes": [SPAN]}),
        ("label-studio", {"text": "Dr. Lee", "boxes": [VALUE]}),
    ],
)
def test_annotations_among_other_fields_are_refused(
    name: str, item: object, tmp_path: Path
) -> None:
    with pytest.raises(CorpusError, match="unknown kind under 'boxes'"):
        _read(tmp_path, name, item)


@pytest.mark.parametrize(
    ("name", "item"),
    [
        ("doccano", {"text": "Dr. Lee", "meta": "Zqx"}),
        ("presidio-research", {"full_text": "Dr. Lee", "metadata": "Zqx"}),
        ("label-studio", {"data": {"text": "Dr. Lee"}, "meta": "Zqx"}),
    ],
)
def test_a_meta_that_is_no_object_is_refused(name: str, item: object, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="meta is not an object") as caught:
        _read(tmp_path, name, item)
    assert "Zqx" not in str(caught.value)


@pytest.mark.parametrize("name", WITH_META)
@pytest.mark.parametrize(
    "meta",
    [
        {"id": "u", "text": "t", "spans": "s", "label": "l", "data": "d"},
        {"id": None, "ward": "3"},
        {"meta": {"a": 1}},
        {"meta": "m", "id": {"b": 2}},
        {"template_id": 3, "sample_id": "s", "metadata": {"id": 4}},
        {"template_id": None, "id": 1},
        {"evidence": "e", "votes": [["a"]], "annotations": "n"},
        {"columns": {"id": "x", "text": "y", "spans": "z", "meta": "m", "ward": "3"}},
        {"columns": {}},
    ],
)
def test_names_in_meta_collide_with_none_of_a_format(
    name: str, meta: dict[str, Any], tmp_path: Path
) -> None:
    notes = [Document("d", "Dr. Lee", (Span(4, 7, "DOCTOR"),), meta)]
    write_corpus(notes, tmp_path / "out", name)
    assert read_corpus(tmp_path / "out", name) == notes


@pytest.mark.parametrize("name", ["jsonl", "csv", "parquet"])
def test_evidence_is_no_field_of_meta(name: str, tmp_path: Path) -> None:
    span = Span(4, 7, "DOCTOR")
    found = {span: Evidence(0.5, ("deny-list",))}
    notes = [Document("d", "Dr. Lee", (span,), {"evidence": "e"}, found)]
    write_corpus(notes, tmp_path / "out", name)
    assert read_corpus(tmp_path / "out", name) == notes


def test_groups_may_be_a_column_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text("id,text,patient\n1,Seen.,p1\n2,Left.,p2\n")
    documents = read_corpus(path)
    assert groups_in_meta(documents, "patient") == ["p1", "p2"]
    with pytest.raises(UsageError, match="has no 'ward' in meta; it has: patient"):
        groups_in_meta(documents, "ward")
