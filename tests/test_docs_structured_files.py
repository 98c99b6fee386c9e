"""The examples of the page on structured files give the outputs shown on it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from multideid.cli import app
from multideid.corpora.registry import structured_formats

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "structured-files.md"
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```', re.MULTILINE | re.DOTALL)


@pytest.mark.end_to_end
def test_commands_of_the_page_print_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for kind, name, content in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if name:
            Path(name).write_text(content, encoding="utf-8")
        elif kind == "python":
            exec(compile(content, PAGE.name, "exec"), names)
        else:
            assert kind == "console"
            _run(content)


def _run(session: str) -> None:
    """Run the commands of a session, which begin with a dollar sign, and compare the outputs."""
    for part in session.split("$ ")[1:]:
        command, _, shown = part.partition("\n")
        program, *arguments = shlex.split(command)
        if program == "cat":
            output = Path(*arguments).read_text(encoding="utf-8")
        else:
            assert program == "multideid"
            result = CliRunner().invoke(app, arguments)
            assert result.exit_code == 0, (command, result.output)
            output = result.stdout
        if shown:
            assert output == shown, command


HEADINGS = {
    "i2b2-2006": "Annotated XML",
    "i2b2-2014": "Annotated XML",
    "gzip": "Compressed files",
    "zip": "Compressed files",
    "hl7": "HL7 v2",
    "fhir": "FHIR R4 in JSON",
    "json": "JSON and JSON Lines",
    "cda": "CDA and C-CDA",
    "xml": "XML",
    "rtf": "RTF",
    "docx": "Word documents",
    "pdf": "PDF",
    "xlsx": "Excel workbooks",
}
"""The heading under which the page has an example of each format."""


def test_every_format_that_is_read_by_structure_is_on_the_page() -> None:
    assert {known.name for known in structured_formats()} == HEADINGS.keys()
    page = PAGE.read_text(encoding="utf-8")
    assert [h for h in HEADINGS.values() if not re.search(f"^## {h}", page, re.MULTILINE)] == []
