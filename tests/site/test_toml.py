"""``site.toml``: values, and the line of every mistake."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.errors import ResourceError, UsageError
from multideid.site import Pattern, Site
from multideid.site.checks import RECALL_POINTS
from multideid.site.toml_lines import value_lines
from multideid.stacking.thresholds import OPERATING_POINTS

GOOD = """
recall = "high"
date-order = "day-first"
labels = ["DOCTOR", "LOCATION"]
min-score = 0.2

[allow]
files = ["allow.txt"]
entries = ["Ward round"]

[deny.DOCTOR]
files = ["staff.txt"]
entries = ["Zwick*"]

[[patterns]]
name = "ward"
label = "LOCATION"
regex = '\\bWd[0-9]{1,2}\\b'
context = ["bed", "Bay"]
score = 0.9
"""


def _write(folder: Path, text: str) -> Path:
    (folder / "allow.txt").write_text("Warfarin\n")
    (folder / "staff.txt").write_text("Alder\n")
    path = folder / "site.toml"
    path.write_text(text)
    return path


def _problems(folder: Path, text: str) -> str:
    with pytest.raises(ResourceError) as caught:
        Site.read(_write(folder, text))
    return str(caught.value)


def test_a_file_gives_all_that_a_site_can_have(tmp_path: Path) -> None:
    pattern = Pattern("ward", "LOCATION", r"\bWd[0-9]{1,2}\b", ("bed", "Bay"), 0.9)
    assert Site.read(_write(tmp_path, GOOD)) == Site(
        allow=("Ward round", "Warfarin"),
        deny={"DOCTOR": ("Zwick*", "Alder")},
        patterns=(pattern,),
        labels=["DOCTOR", "LOCATION"],
        recall="high",
        date_order="day-first",
        min_score=0.2,
    )


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('recall = "high"', 'recall = "higher"', 2),
        ('"day-first"', '"first"', 3),
        ('["DOCTOR", "LOCATION"]', '["DOCTOR",\n"location"]', 5),
        ("min-score = 0.2", "min-score = 2", 5),
        ("min-score = 0.2", "min-scor = 0.2", 5),
        ('entries = ["Ward round"]', 'entries = [\n"Ward round",\n"--"]', 11),
        ('entries = ["Ward round"]', 'entry = ["Ward round"]', 9),
        ('files = ["allow.txt"]', 'files = "allow.txt"', 8),
        ("[deny.DOCTOR]", "[deny.doctor]", 11),
        ('["Zwick*"]', '["*"]', 13),
        ("[0-9]{1,2}", "([0-9]{1,2}", 18),
        ('label = "LOCATION"', "", 15),
        ('["bed", "Bay"]', '["bed", "Bay 2"]', 19),
        ("score = 0.9", "score = 0.9\nflags = 1", 21),
        ('name = "ward"', "name = ward", 16),
    ],
)
def test_each_mistake_is_named_with_its_line(tmp_path, old, new, line) -> None:
    assert old in GOOD
    message = _problems(tmp_path, GOOD.replace(old, new, 1))
    assert f"site.toml: line {line}: " in message


def test_all_mistakes_are_named_at_once_and_values_are_not(tmp_path: Path) -> None:
    text = GOOD.replace('"high"', '"Alder"').replace('"Zwick*"', '"/Beech(/"')
    message = _problems(tmp_path, text)
    assert "line 2:" in message
    assert "line 13:" in message
    assert "Beech" not in message


def test_patterns_have_names_of_their_own(tmp_path: Path) -> None:
    again = "[[patterns]]\nname = 'ward'\nlabel = 'ID'\nregex = 'x'\n"
    assert "line 22: patterns.name" in _problems(tmp_path, GOOD + again)


def test_lists_of_a_file_are_beside_it_and_name_their_own_lines(tmp_path: Path) -> None:
    path = _write(tmp_path, GOOD)
    (tmp_path / "staff.txt").write_text("Alder\n??\n")
    with pytest.raises(ResourceError, match=r"staff\.txt: line 2"):
        Site.read(path)


def test_values_from_python_are_checked_alike() -> None:
    with pytest.raises(UsageError, match=r"deny DOCTOR 2: .*recall: must be one of"):
        Site(deny={"DOCTOR": ["Alder", "--"]}, recall="higher")
    with pytest.raises(UsageError, match="allow: must be a list"):
        Site(allow="Warfarin")


def test_a_site_does_not_show_its_lists() -> None:
    assert "Alder" not in repr(Site(deny={"DOCTOR": ["Alder"]}, allow=["Alder"]))


def test_lists_given_besides_a_file_are_joined_to_its_own() -> None:
    site = Site(allow=["a1"], deny={"ID": ["x"]}, recall="high")
    joined = site.with_values(allow=["b1"], deny={"ID": ["y"], "DATE": ["z"]}, recall=None)
    assert joined.allow == ("a1", "b1")
    assert joined.deny == {"ID": ("x", "y"), "DATE": ("z",)}
    assert joined.recall == "high"


def test_recall_points_are_those_of_models() -> None:
    assert tuple(OPERATING_POINTS) == RECALL_POINTS


KEY = st.sampled_from(["a", "b-c", '"d e"', "'f.g'"])
SCALAR = st.sampled_from(["1", "true", '"x # ] }"', "'y = ['", '"""\nm\n\nn"""', "1979-05-27"])


def _array(items: list[str]) -> str:
    return "[\n" + ", # c\n".join(items) + "\n]"


def _inline_table(items: list[str]) -> str:
    return "{" + ", ".join(f"k{n} = {item}" for n, item in enumerate(items)) + "}"


VALUE = st.recursive(
    SCALAR,
    lambda inner: (
        st.lists(inner, max_size=3).map(_array) | st.lists(inner, max_size=2).map(_inline_table)
    ),
    max_leaves=4,
)


def _leaves(value: Any, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    match value:
        case dict():
            inner = [leaf for k, v in value.items() for leaf in _leaves(v, (*place, k))]
        case list():
            inner = [leaf for n, v in enumerate(value) for leaf in _leaves(v, (*place, n))]
        case _:
            inner = []
    return [place, *inner] if place else inner


@given(st.lists(st.tuples(KEY, VALUE), max_size=4, unique_by=lambda pair: pair[0]), st.booleans())
def test_every_value_of_a_document_has_a_line(pairs, repeated) -> None:
    body = "".join(f"{key} = {value}  # comment\n" for key, value in pairs)
    text = f"{body}\n[t]\n{body}" + f"[[t.u]]\n{body}" * (1 + repeated)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError:  # Line ends inside inline tables.
        return
    lines = value_lines(text)
    assert [place for place in _leaves(content) if place not in lines] == []
    assert max(lines.values(), default=1) <= text.count("\n") + 1


def test_lines_are_those_of_the_values() -> None:
    text = 'a = 1\n[b]\nc = [ # two\n 2,\n "]"]\n[[d]]\ne.f = {g = 1}\n[[d]]\ne = """\n\n"""\n'
    lines = value_lines(text)
    assert {place: lines[place] for place in (("a",), ("b", "c", 1), ("d", 0, "e", "f", "g"),
            ("d", 1), ("d", 1, "e"))} == {
        ("a",): 1, ("b", "c", 1): 5, ("d", 0, "e", "f", "g"): 7, ("d", 1): 8, ("d", 1, "e"): 9,
    }  # fmt: skip


def test_an_entry_that_is_no_text_is_named_with_its_own_line(tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text('[deny.DOCTOR]\nentries = [\n "x y",\n 3,\n]\n')
    with pytest.raises(ResourceError, match=r"line 4: deny\.DOCTOR\.entries: must be a list of"):
        Site.read(tmp_path / "other.toml")


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("\nrecall = high", 2, "texts are in quotes"),
        ("agreement = yes", 1, "flags are true or false"),
        ("recall: high", 1, "a line is key = value"),
        ("recall = 'high'\nrecall = 'high'", 2, "a key is there twice"),
        ('[[patterns]]\nregex = "\\d+"', 2, "put regular expressions in single quotes"),
        ("[allow]\nentries = ['Alder' 'Beech']", 2, "no comma between its entries"),
        ("allow = ['Alder']", 1, r"must be a table: \[allow\], and below it entries or files"),
        ("[deny]\nDOCTOR = 'staff.txt'", 2, r"must be a table: \[deny.DOCTOR\]"),
        ("[deny]\nentries = ['Alder']", 2, r"tables of lists by label, such as \[deny.DOCTOR\]"),
        ("\n[deny.DOCTOR]", 2, "has neither files nor entries"),
        ("[allow]\nentries = ['Alder']\nrecall = 'high'", 3, "it belongs above all tables"),
        ("[deny.DOCTOR]\nfiles = ['staff.txt',\n'stuff.txt']", 3, "there is no file stuff.txt"),
        ("\npatients = 'table.csv'", 2, "there is no file table.csv"),
        ("[[patterns]]\nname = 'a'\nlabel = 'ID'\nregex = '/x/'", 4, "has slashes around it"),
        ("[[patterns]]\nname = 'a'\nlabel = 'ID'\nregex = '(?<=x)y'", 4, "such as look-around"),
        ("[patterns]\nname = 'a'", 1, r"each under \[\[patterns\]\]"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_what_to_do(tmp_path, text, line, problem) -> None:
    message = _problems(tmp_path, text)
    assert re.search(rf"site.toml: (.*; )?line {line}: .*{problem}", message)
    assert "Alder" not in message
