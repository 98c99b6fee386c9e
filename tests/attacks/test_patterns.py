"""Regular expressions take linear time, so that no line of a note keeps a run busy for long."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import multideid.corpora.structured.recognition  # noqa: F401 (its patterns are looked at)
from attacks import growth, patterns
from multideid.resynthesis import contexts

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.mark.end_to_end
def test_every_pattern_of_the_package_takes_linear_time() -> None:
    # In a process of its own, where every module is imported for the first time.
    command = [sys.executable, SCRIPTS / "fuzz", "patterns"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, ""), run.stdout + run.stderr


@pytest.mark.parametrize(
    ("pattern", "way", "linear"),
    [
        (r"\s+x", "search", False),
        (r"\s+x", "match", True),
        (r"(?<!\s)\s++x", "search", True),
        (r"<!--.*?-->", "search", False),
        (r"<!--.*?-->", "scan", True),
        (r"\d*\d*x", "fullmatch", False),
    ],
)
def test_superlinear_time_is_noticed(
    monkeypatch: pytest.MonkeyPatch, pattern: str, way: str, linear: bool
) -> None:
    monkeypatch.setattr(growth, "SIZES", (1_000, 2_000, 4_000))
    assert (growth.slow_line(re.compile(pattern, re.DOTALL), way) is None) == linear


def test_exponential_time_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 0.05)
    assert patterns.bounded_line(re.compile("(?:a|aa)+b"), "match") == "no end"


def test_patterns_of_which_time_is_not_linear_see_short_texts_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []

    class Spy:
        def search(self, text: str) -> bool:
            seen.append(text)
            return True

        match = search

    monkeypatch.setattr(contexts, "_COMPILED", [("ID", Spy(), Spy())])
    assert contexts.label_of_context("a" * 9_000 + "#" + "b" * 9_000, 9_000, 9_001) == "ID"
    assert seen == ["a" * contexts.WINDOW, "b" * contexts.WINDOW]
    assert {contexts.__name__: contexts.WINDOW} == patterns.BOUNDED


def test_the_longest_time_on_short_texts_is_measured() -> None:
    quick, slow = re.compile("a+b"), re.compile("(?:a|aa)+b")
    assert patterns.longest_time(quick, "match", 20) * 50 < patterns.longest_time(slow, "match", 20)


def test_the_way_in_which_a_pattern_is_used_is_read_from_the_code() -> None:
    module = "multideid.corpora.structured.recognition"
    lines = Path(sys.modules[module].__file__ or "").read_text().split("\n")
    place = {line.split(" = ")[0]: n for n, line in enumerate(lines, start=1)}
    assert patterns.ways(module, place["_COLUMN"]) == {"fullmatch"}
    assert patterns.ways(module, place["_TAG"]) == {"match"}
    assert patterns.ways(module, place["_HL7_LINE"]) == {"search"}
