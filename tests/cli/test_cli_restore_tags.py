"""``multideid restore`` reads tagged texts as text, not as the markup they look like."""

from __future__ import annotations

import gzip

import pytest

from multideid.redact import keys

FILES = {
    "begins.txt": b"B-1234 was here, B-4321 too.\n",
    "whole.txt": b"B-1234",
    "tags.txt": b"B-1234 <5 mg> B-4321",
    "element.xml": b"<r><a>B-1234</a><b>B-1234 was here.</b></r>",
    "root.xml": b"<p>B-1234</p>",
    "labels.xml": b"<ID><NAME>by B-1234</NAME></ID>",
    "value.json": b'{"text": "B-1234"}',
    "lines.jsonl": b'{"text": "B-1234"}\n{"text": "<ID><X>B-1234</X></ID>"}\n',
    "fhir.json": b'{"resourceType": "Observation", "code": {"text": "B-1234"}, "note": [{"text": '
    b'"B-1234 was here"}], "text": {"div": "<div>B-1234 <b>here</b></div>"}}',
    "code.json": b'{"resourceType": "Patient", "id": "4458812", "meta": {"tag": [{"code": '
    b'"4458812"}]}}',
    "message.hl7": b"MSH|^~\\&|A|B|C|D|20070314||ORU^R01|1|P|2.4\rPID|1||4458812\r"
    b"OBX|1|TX|a||B-1234||||||F\rOBX|2|TX|a||B-1234 was here||||||F\r",
    "note.rtf": b"{\\rtf1 B-1234 was here.\\par}",
    "table.csv": b'id,text\n1,B-1234\n2,"B-1234 was here"\n3,<b>B-1234</b> x\n',
    "packed.txt.gz": gzip.compress(b"B-1234 was here", mtime=0),
}


@pytest.mark.parametrize("mode", ["tag", "mask", "hash"])
def test_files_that_begin_with_phi_are_restored(deid, invoke, tmp_path, monkeypatch, mode) -> None:
    monkeypatch.setattr(keys, "_COST", 2)
    monkeypatch.setenv("MULTIDEID_KEY", "a secret of sixteen bytes")
    (tmp_path / "in").mkdir()
    for name, data in FILES.items():
        (tmp_path / "in" / name).write_bytes(data)
    vault, column = ("--vault", tmp_path / "vault"), ("--column", "text")
    run = deid(tmp_path / "in", "--out", tmp_path / "out", "--as", mode, *vault, *column)
    assert run.exit_code == 0, run.output
    written = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert b"1234" not in b"".join(written.values()) or mode == "tag"
    result = invoke("restore", tmp_path / "out", "--out", tmp_path / "back", *vault, *column)
    assert result.exit_code == 0, result.output
    for name, data in FILES.items():
        read = gzip.decompress if name.endswith("gz") else bytes
        assert read((tmp_path / "back" / name).read_bytes()) == read(data), name


def test_changed_text_with_tags_is_not_restored(deid, invoke, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(keys, "_COST", 2)
    monkeypatch.setenv("MULTIDEID_KEY", "a secret of sixteen bytes")
    (tmp_path / "a.json").write_text('{"text": "B-1234"}')
    vault = ("--vault", tmp_path / "vault")
    deid(tmp_path / "a.json", "--out", tmp_path / "out", "--as", "tag", *vault)
    path = tmp_path / "out" / "a.json"
    path.write_text(path.read_text().replace("1234", "1235"))
    result = invoke("restore", path, "--out", tmp_path / "back", *vault)
    assert result.exit_code == 1
    assert "a.json: differs from the text that was written" in result.stderr


def test_a_stream_that_begins_with_a_tag_is_restored(deid, invoke, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(keys, "_COST", 2)
    monkeypatch.setenv("MULTIDEID_KEY", "a secret of sixteen bytes")
    vault = ("--vault", tmp_path / "vault")
    written = deid("-", "--as", "tag", *vault, stdin=b"B-1234 was here").stdout_bytes
    assert written == b"<ID>B-1234</ID> was here"
    assert invoke("restore", "-", *vault, stdin=written).stdout_bytes == b"B-1234 was here"
