"""JSON and JSON Lines: values under chosen keys change, everything else stays."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.corpora.identifier_names import IdentifierWarning
from multideid.corpora.structure import Content, ReadingOptions
from multideid.corpora.structured.json_paths import JsonPath
from multideid.corpora.structured.json_source import json_slot, json_strings
from multideid.corpora.structured.json_text import FORMAT
from multideid.corpora.structured.reading import reading_options
from multideid.corpora.structured.slots import Change, Source
from multideid.errors import CorpusError, UsageError

LINES = (
    '{"id": 7, "note": "Seen by Dr. Lee. \\u00e9 \\"x\\" \\ud83d\\ude00", "rate": 1.10}\n'
    "\n"
    '{"id": 8,   "note": null}\r\n'
    '{"id": "9", "note": ["B-1", "B-2"], "deep": {"note": "B-3"}}'
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


def _records(data: str | bytes, **options: object):
    raw = data.encode() if isinstance(data, str) else data
    content = Content(io.BytesIO(raw), "file", options.get("encoding"))
    return list(FORMAT.structure.records(content, ReadingOptions(**options)))


@pytest.mark.filterwarnings("ignore::multideid.corpora.identifier_names.IdentifierWarning")
def test_values_under_a_key_are_read_line_by_line_and_the_rest_stays(opened) -> None:
    file = opened(LINES, json_paths=("note",))
    assert file.format == "json"
    assert file.free == ['Seen by Dr. Lee. é "x" 😀', "B-1", "B-2"]
    assert [record.name for record in file.records] == ["line 1", "line 2", "line 3", "line 4"]
    assert file.unchanged() == file.data
    values = [len(record.values) for record in file.records]
    assert values == [1, 0, 0, 2]


def test_changed_line_stays_json_and_keeps_all_other_characters(opened) -> None:
    record = opened(LINES, json_paths=("note",)).records[0]
    new = record.rendered([[Change(12, 15, 'a"b\né')]]).decode()
    assert new == LINES.splitlines(keepends=True)[0].replace("Lee", 'a\\"b\\n\\u00e9')
    assert json.loads(new)["rate"] == 1.1


@given(VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_strings_and_numbers_of_any_json_are_found_at_their_paths(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    source = Source(text)
    for string in json_strings(text):
        here = value
        for part in string.path:
            here = here[part]
        slot = json_slot(source, string)
        assert slot.text == here if string.quoted else json.loads(slot.text) == here
    assert source.rendered({}) == text


@given(st.text(max_size=8), st.text(max_size=4), st.booleans(), st.data())
def test_any_string_can_be_changed_in_any_part(text, new, ascii_only, data) -> None:
    raw = json.dumps({"a": text, "b": 1}, ensure_ascii=ascii_only)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    source = Source(raw)
    slot = json_slot(source, next(json_strings(raw)))
    written = source.rendered({slot: [Change(start, end, new)]})
    assert json.loads(written) == {"a": text[:start] + new + text[end:], "b": 1}


def test_items_of_a_list_are_records(opened) -> None:
    file = opened(' [ {"text": "B-1"}, {"n": [1, {"a": "]"}], "text": "B-2"},\n 3 ] ')
    assert [(r.name, [v.text for v in r.values]) for r in file.records] == [
        ("item 1", ["B-1"]),
        ("item 2", ["B-2"]),
        ("item 3", []),
    ]
    assert file.unchanged() == file.data
    assert not any(record.separable for record in file.records)


def test_numbers_under_chosen_keys_are_read_too(opened) -> None:
    file = opened('{"mrn": 4458812, "text": "of 4458812"}', json_paths=("mrn", "text"))
    assert file.known == [("4458812", "MEDICALRECORD")]
    assert json.loads(file.masked()) == {"mrn": "[MEDICALRECORD]", "text": "of [MEDICALRECORD]"}
    assert json.loads(file.changed(lambda text, label: "77"))["mrn"] == 77


def test_keys_that_name_identifiers_decide_unless_the_value_is_a_text(opened) -> None:
    note = "Ann Lee " * 20
    data = json.dumps({"patient_name": "Ann Lee", "author": note})
    file = opened(data, json_paths=("patient_name", "author"))
    assert file.known == [("Ann Lee", "PATIENT")]
    assert file.free == [note]
    assert b"Lee" not in file.masked()


def test_other_keys_that_look_like_identifiers_are_named_in_a_warning() -> None:
    line = '{"text": "x", "mrn": "123", "who": {"contact": "a@b.org"}, "code": "E11"}\n'
    with pytest.warns(IdentifierWarning) as caught:
        _records(line * 2)
    (warning,) = [str(w.message) for w in caught]
    assert warning.startswith("file: all but the chosen text is kept as it is")
    assert "'mrn', 'contact'; choose them too with --json-path" in warning
    assert "123" not in warning


def test_file_without_the_key_is_refused() -> None:
    with pytest.raises(CorpusError, match="JSON without a text under text: name the keys"):
        _records('{"note": "Lee"}')
    with pytest.raises(CorpusError, match=r"under a\.b or c:"):
        _records('{"note": "Lee"}', json_paths=("a.b", "c"))


def test_records_are_named_by_their_id_and_patient_if_chosen() -> None:
    data = '{"k": {"id": 5}, "p": "P7", "text": "x"}\n{"text": "y"}\n'
    first, second = _records(data, json_id="k.id", patient_field="p")
    assert (first.name, first.patient) == ("id 5", "P7")
    assert (second.name, second.patient) == ("line 2", None)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ('{"text": "x"}\n{"text": "Zan\n', "line 2: not valid JSON at column"),
        ('{"text": "x"}\n{"text": 1' + "0" * 5000 + "}\n", "line 2: JSON with too long a number"),
        (b'{"text": "x"}\n{"text": "\xff"}\n', "line 2: not UTF-8"),
    ],
)
def test_line_that_cannot_be_read_is_named_and_not_quoted(data, problem) -> None:
    with pytest.raises(CorpusError, match=problem) as caught:
        _records(data)
    assert "Zan" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ('{"a": 1}', True),
        ('[{"a": 1}]', True),
        ('["note", "note"]', True),
        ("[1, 2]", False),
        ("[**2007-3-14**] seen", False),
        ("{seen} today", False),
        ('{"a": 1', False),
        ("plain", False),
    ],
)
def test_json_is_recognised_and_notes_are_not_taken_for_it(data, found) -> None:
    assert FORMAT.structure.recognise(Content(io.BytesIO(data.encode()), "file")) is found


def test_encoding_and_byte_order_mark_are_kept() -> None:
    data = b"\xef\xbb\xbf" + '{"text": "caf\u00e9 Lee"}\n{"text": "Lee"}\n'.encode()
    records = _records(data)
    changes = [[Change(5, 8, "\u0141")]]
    assert records[0].rendered(changes) == data.splitlines(keepends=True)[0].replace(
        b"Lee", "\u0141".encode()
    )
    latin = '{"text": "caf\u00e9"}\n{}\n'.encode("windows-1252")
    first, _ = _records(latin, encoding="windows-1252")
    assert first.values[0].text == "caf\u00e9"
    assert first.render({}) == latin.splitlines(keepends=True)[0]


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        *((b"", name) for name in (None, "utf-8", "utf-8-sig")),
        *((b"\xef\xbb\xbf", name) for name in (None, "utf-8", "utf-8-sig", "cp1252")),
    ],
)
def test_lines_are_written_with_the_byte_order_mark_of_the_file_alone(mark, encoding) -> None:
    data = mark + '{"text": "caf\u00e9 Lee"}\n{"text": "\u0141 Lee"}\n'.encode()
    content = Content(io.BytesIO(data), "file", encoding)
    assert FORMAT.structure.recognise(content)
    first, second = _records(data, encoding=encoding)
    assert [first.values[0].text, second.values[0].text] == ["caf\u00e9 Lee", "\u0141 Lee"]
    assert first.render({}) + second.render({}) == data


@pytest.mark.parametrize(
    ("path", "chosen"),
    [
        ("text", [("text",), ("text", 0), (3, "text")]),
        ("notes.text", [("notes", 2, "text"), ("notes", "text")]),
        ("$.notes[*].text", [("notes", 2, "text")]),
        ("notes[1].text", [("notes", 1, "text")]),
        ("..text", [("a", 1, "b", "text"), ("text",)]),
        ("a.*", [("a", "x")]),
        ('["a.b"].c', [("a.b", "c")]),
    ],
)
def test_paths_choose_values(path, chosen) -> None:
    assert all(JsonPath(path).matches(each) for each in chosen)
    for other in (("x",), ("notes", 2, "title"), ("notes", 3, "t", "u"), ("text", "inner")):
        assert not JsonPath(path).matches(other)


@pytest.mark.parametrize("path", ["", "$", "a..", "a b..", "[", "a[x]", "."])
def test_malformed_path_is_refused(path) -> None:
    with pytest.raises(UsageError, match="path of JSON keys"):
        reading_options(json_paths=(path,))


def test_options_are_checked() -> None:
    with pytest.raises(UsageError, match="unknown encoding 'klingon'"):
        reading_options(encoding="klingon")
    with pytest.raises(UsageError, match="not for files that are read as text"):
        reading_options(as_text=True, json_paths=("a",))
    assert reading_options(encoding="CP1252").encoding == "cp1252"


def test_all_that_is_in_a_chosen_object_is_chosen(opened) -> None:
    line = '{"note": {"head": "a", "parts": [{"body": "b", "n": 5}], "mrn": "445"}, "other": "c"}\n'
    read = opened(line, json_paths=("note",))
    assert read.free == ["a", "b", "5"]
    assert read.known == [("445", "MEDICALRECORD")]
