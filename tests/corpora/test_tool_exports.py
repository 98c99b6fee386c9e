"""Whole files in the forms that annotation tools export, and there and back again.

The forms are those of the tools' own test files and documentation (doccano's examples of import
and export, Label Studio's task format, the suite of WebAnno TSV 3 and the CAS JSON of INCEpTION,
Prodigy's ``db-out``, the samples of presidio-research); the texts are made up.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from multideid.corpora import detect_format, read_corpus, write_corpus
from multideid.document import Span
from multideid.errors import CorpusError

Spans = list[tuple[str, str]]
LAYER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
CORE = "de.tudarmstadt.ukp.dkpro.core.api"
NOTE = "Seen by Dr. Lee on 3/14. 😊 Ann Poe called."
MARKED = [("Lee", "DOCTOR"), ("3/14", "DATE"), ("Ann Poe", "PATIENT")]


def _at(text: str, units: bool = False) -> tuple[int, int]:
    """Return the offsets of a text in the note, in characters or in units of UTF-16."""
    start = NOTE.index(text)
    before = len(NOTE[:start].encode("utf-16-le")) // 2 if units else start
    return before, before + len(text)


DOCCANO = [
    {"id": 1, "text": NOTE, "label": [[*_at(text), label] for text, label in MARKED]},
    {"id": 2, "text": "No PHI.", "label": []},
]
DOCCANO_RELATIONS = [
    {
        "id": 6400,
        "text": NOTE,
        "entities": [
            {"id": n, "label": label, "start_offset": _at(text)[0], "end_offset": _at(text)[1]}
            for n, (text, label) in enumerate(MARKED)
        ],
        "relations": [{"id": 1, "from_id": 0, "to_id": 2, "type": "treats"}],
        "Comments": ["checked"],
    }
]


def _result(n: int, text: str, label: str) -> dict[str, Any]:
    start, end = _at(text, units=True)
    value = {"start": start, "end": end, "text": text, "labels": [label]}
    named = {"from_name": "ner", "to_name": "text", "type": "labels", "origin": "manual"}
    return {"id": f"oid{n}", "value": value, **named}


RESULTS = [_result(n, *marked) for n, marked in enumerate(MARKED)]
LABEL_STUDIO = [
    {
        "id": 1,
        "annotations": [
            {
                "id": 7,
                "completed_by": {"id": 1, "email": "anna@example.com", "first_name": ""},
                "result": RESULTS,
                "was_cancelled": False,
                "ground_truth": False,
                "created_at": "2022-10-31T21:19:19.131290Z",
                "lead_time": 7.662,
                "prediction": {"id": 1, "score": 0.72, "result": RESULTS[:1]},
                "result_count": 3,
            },
            {"id": 8, "completed_by": {"id": 2}, "result": [], "was_cancelled": True},
        ],
        "file_upload": "bc171829-notes.json",
        "drafts": [],
        "predictions": [{"id": 1, "model_version": "m0", "result": RESULTS[:1], "score": 0.72}],
        "agreement": 100.0,
        "data": {"text": NOTE, "ward": "3"},
        "meta": {},
        "inner_id": 1,
        "total_annotations": 1,
        "comment_authors": [],
    }
]
PRODIGY = [
    {
        "text": NOTE,
        "meta": {"source": "ward 3"},
        "_input_hash": 1557330022,
        "_task_hash": -1298236362,
        "_is_binary": False,
        "tokens": [{"text": "Seen", "start": 0, "end": 4, "id": 0, "ws": True}],
        "_view_id": "ner_manual",
        "spans": [
            {"start": _at(t)[0], "end": _at(t)[1], "token_start": 3, "token_end": 3, "label": label}
            for t, label in MARKED
        ],
        "answer": "accept",
        "_timestamp": 1668090000,
        "_annotator_id": "2022-11-10",
        "_session_id": "2022-11-10",
    }
]
PRESIDIO = [
    {
        "full_text": NOTE,
        "masked": "Seen by Dr. {{last_name}} on {{date}}. 😊 {{name}} called.",
        "spans": [
            {
                "entity_type": label,
                "entity_value": text,
                "start_position": _at(text)[0],
                "end_position": _at(text)[1],
            }
            for text, label in MARKED
        ],
        "template_id": 4,
        "metadata": None,
    }
]


def _lines(items: list[Any]) -> str:
    return "".join(f"{json.dumps(item)}\n" for item in items)


def _feature(n: int, kind: str, begin: int, end: int, **more: Any) -> dict[str, Any]:
    return {"%ID": n, "%TYPE": kind, "@sofa": 1, "begin": begin, "end": end, **more}


SOFA = {"sofaNum": 1, "sofaID": "_InitialView", "mimeType": "text", "sofaString": NOTE}
CAS = {
    "%TYPES": {
        LAYER: {
            "%NAME": LAYER,
            "%SUPER_TYPE": "uima.tcas.Annotation",
            "value": {"%NAME": "value", "%RANGE": "uima.cas.String"},
            "identifier": {"%NAME": "identifier", "%RANGE": "uima.cas.String"},
        }
    },
    "%FEATURE_STRUCTURES": [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", **SOFA},
        _feature(2, f"{CORE}.metadata.type.DocumentMetaData", 0, 43, documentTitle="note.txt"),
        _feature(3, f"{CORE}.segmentation.type.Sentence", 0, 24),
        _feature(4, f"{CORE}.segmentation.type.Token", 0, 4, order=0),
        *(
            _feature(n, LAYER, *_at(text, units=True), value=label)
            for n, (text, label) in enumerate(MARKED, start=5)
        ),
    ],
    "%VIEWS": {"_InitialView": {"%SOFA": 1, "%MEMBERS": [2, 3, 4, 5, 6, 7]}},
}
TSV = f"""#FORMAT=WebAnno TSV 3.3
#T_SP={CORE}.lexmorph.type.pos.POS|coarseValue|PosValue
#T_SP={LAYER}|identifier|value
#T_RL={CORE}.syntax.type.dependency.Dependency|DependencyType|flavor|BT_POS


#Text=Seen by Dr. Lee on 3/14.
1-1\t0-4\tSeen\t_\tVBN\t_\t_\t_\t_\t_\t
1-2\t5-7\tby\t_\tIN\t_\t_\t_\t_\t_\t
1-3\t8-11\tDr.\t_\tNNP\t_\t_\t_\t_\t_\t
1-4\t12-15\tLee\t_\tNNP\t*\tDOCTOR\t_\t_\t_\t
1-5\t16-18\ton\t_\tIN\t_\t_\t_\t_\t_\t
1-6\t19-24\t3/14.\t_\tCD\t_\t_\t_\t_\t_\t
1-6.1\t19-23\t3/14\t_\t_\t*\tDATE\t_\t_\t_\t

#Text=😊 Ann Poe called.
2-1\t25-27\t😊\t_\tSYM\t_\t_\t_\t_\t_\t
2-2\t28-31\tAnn\t_\tNNP\t*[1]\tPATIENT[1]\t_\t_\t_\t
2-3\t32-35\tPoe\t_\tNNP\t*[1]\tPATIENT[1]\t_\t_\t_\t
2-4\t36-42\tcalled\t_\tVBD\t_\t_\t_\t_\t_\t
2-5\t42-43\t.\t_\t.\t_\t_\t_\t_\t_\t
"""
EXPORTS = {
    "doccano": ("notes.jsonl", _lines(DOCCANO)),
    "doccano with relations": ("notes.jsonl", _lines(DOCCANO_RELATIONS)),
    "label-studio": ("notes.json", json.dumps(LABEL_STUDIO)),
    "prodigy": ("notes.jsonl", _lines(PRODIGY)),
    "presidio-research": ("notes.json", json.dumps(PRESIDIO)),
    "uima-json": ("notes/note.json", json.dumps(CAS)),
    "webanno-tsv": ("notes/note.tsv", TSV),
}


def _written(folder: Path, export: str) -> Path:
    """Write an export; return its path."""
    name, content = EXPORTS[export]
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path.parent if "/" in name else path


@pytest.mark.parametrize("export", EXPORTS)
def test_an_export_is_recognised_read_and_comes_back(export: str, tmp_path: Path) -> None:
    path, format = _written(tmp_path, export), export.split(maxsplit=1)[0]
    assert detect_format(path) == format
    documents = read_corpus(path)
    text, spans = documents[0].text, documents[0].spans
    assert text == (NOTE if format != "webanno-tsv" else NOTE.replace(". 😊", ".\n😊"))
    assert [(text[start:end], label) for start, end, label in spans] == MARKED
    write_corpus(documents, tmp_path / "back", format)
    back = read_corpus(tmp_path / "back")
    assert [(d.text, d.spans) for d in back] == [(d.text, d.spans) for d in documents]


HEAD = f"#FORMAT=WebAnno TSV 3.3\n#T_SP={LAYER}|value\n\n\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "#Text=Ann is\n#Text=here .\n1-1\t0-3\tAnn\tA\t\n1-2\t4-6\tis\t_\t\n"
            "1-3\t7-11\there\t_\t\n1-4\t12-13\t.\t_\t\n",
            [Span(0, 3, "A")],
        ),
        (
            "#Text=Ann Lee .\n1-1\t0-3\tAnn\t_\t\n1-1.1\t1-3\tnn\tA[1]\t\n1-2\t4-7\tLee\t_\t\n"
            "1-2.1\t4-5\tL\tA[1]\t\n1-3\t8-9\t.\t_\t\n",
            [Span(1, 5, "A")],
        ),
        (
            "#Text=Ann Lee .\n1-1\t0-3\tAnn\tA\\[0\\]\t\n1-2\t4-7\tLee\tA\\_B|C\\|D\t\n"
            "1-3\t8-9\t.\t_\t\n",
            [Span(0, 3, "A[0]"), Span(4, 7, "A_B")],
        ),
        (
            "#Text=Ann .\n1-1\t0-3\tAnn\tA[1]\t\n1-2\t4-5\t.\tA[1]\t\n\n"
            "#Text=Lee .\n2-1\t6-9\tLee\tA[1]\t\n2-2\t10-11\t.\t_\t\n",
            [Span(0, 9, "A")],
        ),
    ],
    ids=["lines of a sentence", "parts of tokens", "marks in labels", "over two sentences"],
)
def test_forms_of_webanno_tsv_come_back(
    body: str, expected: list[Span], tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    (tmp_path / "a.tsv").write_text(HEAD + body)
    documents = read_corpus(tmp_path, "webanno-tsv")
    assert list(documents[0].spans) == expected
    # Of two labels of one token, the first is kept, and the other is told.
    assert len(recwarn) == ("|" in body)
    write_corpus(documents, tmp_path / "back", "webanno-tsv")
    assert [(d.text, d.spans) for d in read_corpus(tmp_path / "back")] == [
        (d.text, d.spans) for d in documents
    ]


@pytest.mark.parametrize(
    ("cell", "problem"),
    [("*", "without a label"), ("_\t\n1-1.1\t1-1\t\tA", "span 1-1 is empty")],
    ids=["no label", "no character"],
)
def test_annotations_of_webanno_that_are_no_spans_are_refused(
    cell: str, problem: str, tmp_path: Path
) -> None:
    (tmp_path / "a.tsv").write_text(f"{HEAD}#Text=Ann\n1-1\t0-3\tAnn\t{cell}\t\n")
    with pytest.raises(CorpusError, match=problem):
        read_corpus(tmp_path, "webanno-tsv")
