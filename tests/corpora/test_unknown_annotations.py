"""Annotations of an unknown kind are an error, never dropped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from multideid.corpora import read_corpus
from multideid.errors import CorpusError


def test_brat_lines_of_an_unknown_kind_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Lee")
    known = "T1\tDOCTOR 0 3\tLee\n\nR1\tOf Arg1:T1 Arg2:T1\n#1\tAnnotatorNotes T1\tx\n"
    (tmp_path / "a.ann").write_text(known)
    assert len(read_corpus(tmp_path)[0].spans) == 1
    (tmp_path / "a.ann").write_text(f"{known}X2\tDOCTOR 0 3\tLee\n")
    with pytest.raises(CorpusError, match="line 5: an annotation of an unknown kind"):
        read_corpus(tmp_path)


def test_other_elements_beside_text_and_tags_are_refused(tmp_path: Path) -> None:
    body = '<TEXT>Lee</TEXT><TAGS></TAGS><SPANS><S a="0" b="3"/></SPANS>'
    (tmp_path / "a.xml").write_text(f"<deIdi2b2>{body}</deIdi2b2>")
    with pytest.raises(CorpusError, match="<SPANS> holds annotations of an unknown kind"):
        read_corpus(tmp_path, "i2b2-2014")


@pytest.mark.parametrize(
    "annotations", [[[0, 3, "DOCTOR"]], [{"begin": 0, "stop": 3, "type": "DOCTOR"}]]
)
def test_annotations_under_another_key_are_refused(tmp_path: Path, annotations: object) -> None:
    line = {"id": "1", "text": "Lee", "entities": annotations}
    (tmp_path / "a.jsonl").write_text(json.dumps(line))
    with pytest.raises(CorpusError, match="unknown kind under 'entities'"):
        read_corpus(tmp_path / "a.jsonl", "jsonl")


def test_other_keys_are_no_annotations(tmp_path: Path) -> None:
    line = {"id": "1", "text": "Lee", "codes": ["a", "b"], "pages": [1, 2], "entities": []}
    (tmp_path / "a.jsonl").write_text(json.dumps(line))
    assert len(read_corpus(tmp_path / "a.jsonl", "jsonl")) == 1
