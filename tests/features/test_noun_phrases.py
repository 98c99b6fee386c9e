"""Noun phrases and their headings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from multideid.errors import UsageError
from multideid.features.noun_phrases import mesh_headings, noun_phrases
from multideid.knowledge.resources import remove_resource
from multideid.text.table import TokenTable

HEADINGS = (
    ("Heart Failure", "C14.280.434"),
    ("Insulin-Like Proteins", "D12.100"),
    ("Failure, Type 2", "C01"),
)


@pytest.fixture(autouse=True)
def mesh(add_mesh: Callable[..., str]) -> str:
    """Add three headings; return their fingerprint."""
    return add_mesh(*HEADINGS)


def phrases(*texts: str) -> list[str]:
    table = TokenTable.from_texts(texts)
    words = table.words()
    return [" ".join(words[first:stop]) for first, stop in noun_phrases(table)]


def headings(*texts: str) -> list[str]:
    """Return the descriptor of every token, "" where it has none."""
    column = mesh_headings().column(TokenTable.from_texts(texts))
    bounds = zip(column.indptr[column.rows], column.indptr[column.rows + 1], strict=True)
    found = [[column.names[i] for i in column.indices[a:b]] for a, b in bounds]
    return [next((name for name in names if name[1:].isdigit() and len(name) > 3), "")
            for names in found]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He had severe heart failure.", ["severe heart failure"]),
        ("the beta-blocker was stopped", ["beta - blocker"]),
        ("He was seen - twice.", []),
        ("chest pain\nknee pain", ["chest pain", "knee pain"]),
        ("", []),
    ],
)
def test_noun_phrases_are_runs_that_end_with_a_noun(text: str, expected: list[str]) -> None:
    assert phrases(text) == expected


def test_a_noun_phrase_does_not_reach_into_another_document() -> None:
    assert phrases("chest pain", "knee pain") == ["chest pain", "knee pain"]


def test_a_very_long_phrase_is_cut_to_its_end() -> None:
    assert phrases("pain " * 30) == [" ".join(["pain"] * 12)]


def test_all_of_a_phrase_has_the_heading_of_its_longest_part() -> None:
    assert headings("He had severe heart failure.") == ["", "", *["D900001"] * 3, ""]
    assert headings("The type 2 heart failures")[1:] == ["D900001"] * 4


def test_it_does_not_matter_how_a_term_is_parted() -> None:
    assert headings("insulin-like protein") == ["D900002"] * 4


def test_ancestors_of_a_heading_are_values() -> None:
    names = mesh_headings().column(TokenTable.from_texts(["heart failure"])).names
    assert set(names) == {"D900001", "C", "C14", "C14.280", "C14.280.434"}


def test_without_mesh_the_command_that_adds_it_is_named(mesh: str) -> None:
    table = TokenTable.from_texts(["heart failure"])
    mesh_headings("lexicon", mesh).column(table)
    with pytest.raises(UsageError, match=r"mesh has fingerprint .* is required"):
        mesh_headings("lexicon", "0" * 16).column(table.select([0]))
    remove_resource("mesh")
    with pytest.raises(UsageError, match="multideid resources add mesh FILE"):
        mesh_headings().column(table.select([0]))
