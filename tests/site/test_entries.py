"""Lists of entries, one a line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from multideid.errors import ResourceError, UsageError
from multideid.site import regexes
from multideid.site.entries import EntryError, check_entry, read_list
from multideid.site.regexes import RegexError, check_regex, spans_of


def test_lists_have_one_entry_a_line_and_comments(tmp_path: Path) -> None:
    path = tmp_path / "staff.txt"
    path.write_bytes("\ufeff# staff\r\n\r\n Dr. Peña \r\n/B-[0-9]+/\n".encode())
    assert read_list(path) == ["Dr. Peña", "/B-[0-9]+/"]


def test_every_mistake_is_named_with_its_line_but_not_its_text(tmp_path: Path) -> None:
    path = tmp_path / "staff.txt"
    path.write_text("Alder\n/(Beech/\n\n---\n/(?<=Cedar)x/\n*\n")
    with pytest.raises(ResourceError) as caught:
        read_list(path)
    message = str(caught.value)
    assert [f"line {n}:" in message for n in (2, 4, 5, 6)] == [True] * 4
    assert not any(word in message for word in ("Beech", "Cedar"))


def test_a_list_in_another_encoding_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "staff.txt"
    path.write_bytes(b"Alder\nPe\xf1a\n")
    with pytest.raises(ResourceError, match="line 2"):
        read_list(path)
    with pytest.raises(ResourceError, match="cannot be read"):
        read_list(tmp_path / "none.txt")


@pytest.mark.parametrize("entry", ["!!", "*", "a*", " ".join("x" * 41), "/a*/", "/(a)\\1/"])
def test_entries_that_find_nothing_or_too_much_are_refused(entry: str) -> None:
    with pytest.raises(EntryError):
        check_entry(entry)


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ('"Alder"', "quotes around it"),
        ("'Alder'", "quotes around it"),
        ("\u201cAlder\u201d", "quotes around it"),
        ("/[A-Z]", "begins with / and does not end with it"),
        ("/alder/i", "flags are inside"),
    ],
)
def test_entries_that_would_never_be_found_are_refused(entry: str, problem: str) -> None:
    with pytest.raises(EntryError, match=problem) as caught:
        check_entry(entry)
    assert "lder" not in str(caught.value)


@pytest.mark.parametrize("entry", ["'Abd", "O'Neil", "and/or", "Alder, Beech"])
def test_marks_inside_of_entries_are_theirs(entry: str) -> None:
    check_entry(entry)


def test_lines_may_end_in_carriage_returns(tmp_path: Path) -> None:
    (tmp_path / "staff.txt").write_bytes(b"Alder\rBeech\r\rCedar")
    assert read_list(tmp_path / "staff.txt") == ["Alder", "Beech", "Cedar"]


@pytest.mark.parametrize("expression", ["(?<=a)b", r"(a)\1", "(", "x{100000}", "a|", "x" * 1001])
def test_expressions_beyond_linear_time_are_refused(expression: str, capfd) -> None:
    with pytest.raises(RegexError):
        check_regex(expression)
    assert capfd.readouterr().err == ""


def test_expressions_give_offsets_of_characters() -> None:
    text = "é😀 B-12\nB-345"
    assert [text[a:b] for a, b in spans_of(r"\bB-[0-9]+\b", text)] == ["B-12", "B-345"]


def test_half_a_character_in_a_note_is_no_error_and_in_an_expression_is_one() -> None:
    text = "\ud83d B-12 \udc00x"
    assert [text[a:b] for a, b in spans_of(r"B-[0-9]+", text)] == ["B-12"]
    with pytest.raises(RegexError, match="lone surrogate"):
        check_regex("\ud83d")


def test_without_re2_the_extra_is_named(monkeypatch) -> None:
    monkeypatch.setattr(regexes, "find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "re2", None)
    with pytest.raises(UsageError, match=r"pip install 'multideid\[patterns\]'"):
        check_regex("a+")
