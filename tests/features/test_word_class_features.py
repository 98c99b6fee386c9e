"""Word class views say whether a word is known as a name, a place or neither, in any case."""

from __future__ import annotations

import pytest

from multideid.document import Document
from multideid.features.word_classes import WORD_GROUP, word_class_templates
from multideid.text.table import TokenTable


def groups(text: str) -> list[str]:
    column = WORD_GROUP.column(TokenTable.from_documents([Document("d", text)]))
    return [column.names[code] for code in column.codes]


@pytest.mark.parametrize(
    ("word", "group"),
    [
        ("Deepika", "n"),
        ("DEEPIKA", "n"),
        ("crepitus", "w"),
        ("Xqzzt", "-"),
        ("2150", ""),
        (".", ""),
    ],
)
def test_a_word_belongs_to_the_groups_that_know_it(word: str, group: str) -> None:
    assert groups(word) == [group]


def test_a_word_may_be_a_name_a_place_and_a_word() -> None:
    assert groups("may") == ["npw"]


def test_template_names_are_distinct() -> None:
    names = [template.name for template in word_class_templates()]
    assert len(set(names)) == len(names)
