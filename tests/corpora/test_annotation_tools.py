"""Files of annotation tools, as their documentation shows them, and what is refused in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from multideid.corpora import detect_format, read_corpus, write_corpus
from multideid.document import Document, Span
from multideid.errors import CorpusError

LEE = (Span(4, 7, "DOCTOR"),)
TASK = {"text": "Dr. Lee", "_input_hash": 1, "_task_hash": 2}
SPAN = {"start": 4, "end": 7, "label": "DOCTOR"}
RESULT = {
    "value": {"start": 4, "end": 7, "text": "Lee", "labels": ["DOCTOR"]},
    "id": "gew3t9fgkg",
    "from_name": "label",
    "to_name": "text",
    "type": "labels",
    "origin": "manual",
}
ENTITY = {"id": 1662, "label": "DOCTOR", "start_offset": 4, "end_offset": 7}
SAMPLE = {"entity_type": "DOCTOR", "entity_value": "Lee", "start_position": 4, "end_position": 7}


def _task(*results: object, **more: object) -> list[object]:
    annotation = {"id": 9, "completed_by": 1, "was_cancelled": False, "result": [*results]}
    return [{"id": 1, "annotations": [annotation], "data": {"text": "Dr. Lee"}, **more}]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("doccano", {"text": "Dr. Lee", "labels": [[4, 7, "DOCTOR"]]}),
        ("doccano", {"id": 6400, "text": "Dr. Lee", "label": [[4, 7, "DOCTOR"]]}),
        (
            "doccano",
            {
                "id": 6400,
                "text": "Dr. Lee",
                "Comments": [],
                "entities": [ENTITY],
                "relations": [{"id": 273, "from_id": 1662, "to_id": 1663, "type": "of"}],
            },
        ),
        ("prodigy", {**TASK, "spans": [{**SPAN, "token_start": 2, "token_end": 2}]}),
        (
            "prodigy",
            {
                **TASK,
                "tokens": [{"text": "Dr.", "start": 0, "end": 3, "id": 0, "ws": True}],
                "spans": [SPAN],
                "_session_id": None,
                "answer": "accept",
            },
        ),
        ("label-studio", _task(RESULT)),
        ("label-studio", _task({"type": "relation", "from_id": "a", "to_id": "b"}, RESULT)),
        ("label-studio", [{"id": 7, "text": "Dr. Lee", "label": [RESULT["value"]]}]),
        (
            "presidio-research",
            [
                {
                    "full_text": "Dr. Lee",
                    "masked": "Dr. {{name}}",
                    "spans": [SAMPLE],
                    "template_id": 3,
                    "metadata": {"Gender": "female"},
                }
            ],
        ),
    ],
)
def test_examples_of_the_tools_are_recognised_and_read(
    name: str, content: object, tmp_path: Path
) -> None:
    path = tmp_path / "export"
    path.write_text(json.dumps(content))
    assert detect_format(path) == name
    assert [d.spans for d in read_corpus(path)] == [LEE]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("doccano", {"text": "Dr. Lee", "label": ["positive"]}, "unknown kind"),
        ("doccano", {"text": "Dr. Lee", "label": [[4, 7, "A"]], "entities": [ENTITY]}, "has both"),
        ("doccano", {"text": "Dr. Lee", "boxes": [[4, 7, "A"]]}, "unknown kind under 'boxes'"),
        ("doccano", {"text": "Dr. Lee", "label": [[4, 70, "A"]]}, "outside the text"),
        ("prodigy", {**TASK, "answer": "reject", "spans": [SPAN]}, "rejected or ignored"),
        ("prodigy", {**TASK, "answer": "accept", "accept": ["A"]}, "unknown kind under 'accept'"),
        ("prodigy", {**TASK, "spans": [{"start": 4, "end": 7}]}, "unknown kind"),
        ("label-studio", _task({**RESULT, "type": "choices"}), "unknown kind"),
        (
            "label-studio",
            _task({**RESULT, "value": {**RESULT["value"], "labels": ["A", "B"]}}),  # type: ignore[dict-item]
            "unknown kind",
        ),
        ("label-studio", _task(annotations=[{"id": 3, "label": 2, "user": 1}]), "unknown kind"),
        ("label-studio", _task(annotations=["x"]), "unknown kind"),
        (
            "label-studio",
            [{"id": 7, "text": "Dr. Lee", "ner": [RESULT["value"]]}],
            "unknown kind under 'ner'",
        ),
        # The export of doccano's older versions, which names labels by numbers only.
        (
            "label-studio",
            [{"id": 1, "text": "Dr. Lee", "annotations": [{**ENTITY, "label": 2, "user": 1}]}],
            "unknown kind under 'annotations'",
        ),
        ("label-studio", _task(annotations=[], predictions=[{"result": [RESULT]}]), "predictions"),
        ("label-studio", _task(annotations=[{"result": []}, {"result": []}]), "one annotator"),
        ("label-studio", _task(annotations=[{"result": [], "was_cancelled": True}]), "skipped"),
        ("label-studio", [{**_task()[0], "data": {"image": "1.jpg"}}], "no text"),  # type: ignore[dict-item]
        (
            "presidio-research",
            [{"full_text": "Dr. Lee", "spans": [{**SAMPLE, "entity_value": "Xyz"}]}],
            "not the one at its offsets",
        ),
    ],
)
def test_what_is_not_understood_is_refused(
    name: str, content: object, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "export"
    path.write_text(json.dumps(content))
    with pytest.raises(CorpusError, match=problem) as caught:
        read_corpus(path, name)
    assert "Lee" not in str(caught.value)


def test_an_annotator_can_be_chosen(tmp_path: Path) -> None:
    both = [{"completed_by": 1, "result": []}, {"completed_by": {"id": 2}, "result": [RESULT]}]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(_task(annotations=both)))
    found = read_corpus(path, "label-studio", annotator="2")
    assert found[0].spans == LEE
    with pytest.raises(CorpusError, match="by others only"):
        read_corpus(path, "label-studio", annotator="3")


def test_offsets_that_count_as_browsers_do_are_told_by_the_quoted_text(tmp_path: Path) -> None:
    value = {"start": 3, "end": 6, "text": "Lee", "labels": ["DOCTOR"]}
    task = {
        "annotations": [{"result": [{**RESULT, "value": value}]}],
        "data": {"text": "\U0001f600 Lee"},
    }
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task]))
    assert read_corpus(path)[0].spans == (Span(2, 5, "DOCTOR"),)


CAS = """{"%TYPES": {}, "%FEATURE_STRUCTURES": [
 {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView",
  "mimeType": "text", "sofaString": "\\ud83d\\ude00 Lee"},
 {"%ID": 2, "%TYPE": "uima.tcas.DocumentAnnotation", "@sofa": 1, "begin": 0, "end": 6},
 {"%ID": 3, "%TYPE": "KIND", "@sofa": 1, "begin": 3, "end": 6, "value": "DOCTOR"}],
 "%VIEWS": {"_InitialView": {"%SOFA": 1, "%MEMBERS": [2, 3]}}}"""


def test_a_cas_of_inception_is_read_by_units_of_utf_16(tmp_path: Path) -> None:
    layer = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
    (tmp_path / "a.json").write_text(CAS.replace("KIND", layer))
    assert detect_format(tmp_path) == "uima-json"
    assert read_corpus(tmp_path)[0].spans == (Span(2, 5, "DOCTOR"),)


def test_another_layer_of_a_cas_must_be_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(CAS.replace("KIND", "custom.Phi"))
    with pytest.raises(CorpusError, match=r"annotations of custom\.Phi; name the layer"):
        read_corpus(tmp_path)
    assert len(read_corpus(tmp_path, layer="custom.Phi")[0].spans) == 1


TSV = """#FORMAT=WebAnno TSV 3.3
#T_SP=custom.Span|value|identifier


#Text=Nikola Tesla was born in Smiljan.
1-1\t0-6\tNikola\tPERSON[1]\tQ9036[1]\t
1-2\t7-12\tTesla\tPERSON[1]\tQ9036[1]\t
1-3\t13-16\twas\t_\t_\t
1-4\t17-21\tborn\t_\t_\t
1-5\t22-24\tin\t_\t_\t
1-6\t25-32\tSmiljan\tLOC\tQ623728\t
1-7\t32-33\t.\t_\t_\t

#Text=He invented AC.
2-1\t34-36\tHe\t_\t_\t
2-2\t37-45\tinvented\t_\t_\t
2-3\t46-48\tAC\t_\t_\t
2-4\t48-49\t.\t_\t_\t
"""


def test_webanno_tsv_of_a_named_layer_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(TSV)
    assert detect_format(tmp_path) == "webanno-tsv"
    (found,) = read_corpus(tmp_path, layer="custom.Span")
    assert found.text == "Nikola Tesla was born in Smiljan.\nHe invented AC."
    assert found.spans == (Span(0, 12, "PERSON"), Span(25, 32, "LOC"))
    with pytest.raises(CorpusError, match=r"annotations of custom\.Span; name the layer"):
        read_corpus(tmp_path)


def test_tokens_that_are_not_at_their_offsets_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(TSV.replace("13-16\twas", "13-16\thas"))
    with pytest.raises(CorpusError, match="line 8: is not the token at its offsets"):
        read_corpus(tmp_path, layer="custom.Span")


CONLL_2003 = """-DOCSTART- -X- -X- O

U.N. NNP I-NP I-ORG
official NN I-NP O
Ekeus NNP I-NP I-PER
heads VBZ I-VP O
for IN I-PP O
Baghdad NNP I-NP I-LOC
. . O O

-DOCSTART- -X- -X- O

Rolf B-PER
Ekeus E-PER
"""


def test_conll_of_2003_is_read_in_all_its_schemes(tmp_path: Path) -> None:
    path = tmp_path / "eng.testa"
    path.write_text(CONLL_2003)
    assert detect_format(path) == "conll"
    first, second = read_corpus(path)
    assert first.text == "U.N. official Ekeus heads for Baghdad ."
    assert [first.text[a:b] for a, b, _ in first.spans] == ["U.N.", "Ekeus", "Baghdad"]
    assert second.spans == (Span(0, 10, "PER"),)


def test_a_line_that_is_no_token_and_tag_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("Dr. O\nLee DOCTOR\n")
    with pytest.raises(CorpusError, match="line 2: is not a token and a tag"):
        read_corpus(path, "conll")


@pytest.mark.parametrize("name", ["conll", "webanno-tsv"])
def test_spans_of_white_space_are_refused_where_tokens_are_written(
    name: str, tmp_path: Path
) -> None:
    note = Document("n", "Dr. Lee", (Span(3, 7, "DOCTOR"),))
    with pytest.raises(CorpusError, match="begins or ends with white space"):
        write_corpus([note], tmp_path / "out", name)


@pytest.mark.parametrize("name", ["doccano", "prodigy", "label-studio", "presidio-research"])
def test_meta_goes_with_a_document(name: str, tmp_path: Path) -> None:
    note = Document("n", "Dr. Lee", LEE, {"ward": "3"})
    write_corpus([note], tmp_path / "out", name)
    assert [d.meta for d in read_corpus(tmp_path / "out")] == [{"ward": "3"}]
