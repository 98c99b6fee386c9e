"""Nothing that files are named or hold steers a terminal, a spreadsheet or the command itself."""

from __future__ import annotations

import csv
import os
import subprocess
import sys

import pytest

from multideid.cli.error_handler import printable
from multideid.deid.report import open_report
from multideid.document import Document, Span

MULTIDEID = [sys.executable, "-m", "multideid"]


@pytest.mark.parametrize(
    "command",
    [
        ("deid", "{pipe}", "--out", "{out}"),
        ("predict", "{model}", "{pipe}", "--out", "{out}"),
        ("predict", "{model}", "{pipe}", "--out", "{out}", "--format", "plain"),
        ("train", "{pipe}", "--mode", "badge", "--out", "{out}"),
        ("convert", "{pipe}", "{out}", "--to", "brat"),
        ("evaluate", "{pipe}", "{pipe}"),
    ],
)
def test_a_pipe_as_input_is_refused_and_not_waited_for(invoke, model, tmp_path, command) -> None:
    os.mkfifo(tmp_path / "pipe")
    named = {"pipe": tmp_path / "pipe", "out": tmp_path / "out", "model": model}
    result = invoke(*(part.format(**named) for part in command))
    assert result.exit_code == 2
    assert "is a pipe or device" in result.stderr


def test_a_pipe_in_a_folder_is_skipped(deid, tmp_path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("B-1234")
    os.mkfifo(tmp_path / "in" / "b.txt")
    result = deid(tmp_path / "in", "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert "skipped: 1 not read" in result.stderr


def test_names_with_control_characters_do_not_steer_the_terminal(deid, tmp_path) -> None:
    folder = tmp_path / "in\x1b[31m\u202e"
    folder.mkdir()
    (folder / "a\x1b]0;owned\x07.txt").write_bytes(b"\xff\xff\x00")
    (folder / "b\x9b.pdf").write_bytes(b"%PDF")
    result = deid(folder, "--out", tmp_path / "out\x1b[2J")
    assert result.exit_code == 1
    assert all(c.isprintable() or c == "\n" for c in result.stderr + result.stdout)
    assert "a\\x1b]0;owned\\x07.txt" in result.stderr


def test_visible_characters_are_printed_as_they_are() -> None:
    assert printable("café/日本.txt\nnext") == "café/日本.txt\nnext"
    assert printable("a\tb\r\x7f\udce9") == "a\\tb\\r\\x7f\\udce9"


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_a_report_holds_no_formula(tmp_path, start) -> None:
    text = f"{start}SUM(A1:B2)"
    with open_report(tmp_path / "r.csv", show_phi=True, overwrite=False) as report:
        report.add(Document(f"{start}cmd.txt", text, (Span(0, 9, "ID"), Span(9, 11, "ID"))))
    _, first, second = csv.reader((tmp_path / "r.csv").read_text().splitlines())
    assert (first[0], first[-1]) == (f"'{start}cmd.txt", f"'{text[:9]}")
    assert second[-1] == "2)"


@pytest.mark.end_to_end
def test_a_reader_that_goes_away_ends_the_command_as_it_ends_others() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    run = subprocess.run(
        [*MULTIDEID, "formats"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (run.returncode, run.stderr) == (141, b"")
