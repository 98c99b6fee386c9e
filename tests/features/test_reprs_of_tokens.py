"""What is shown of objects that hold text of documents does not show it."""

from __future__ import annotations

import numpy as np
import pytest

from multideid.base_systems.mimic.patterns import Notes
from multideid.base_systems.mimic.plain_text import plain_text
from multideid.base_systems.transformer.alignment import Piece
from multideid.document import Document
from multideid.features.chunks import CHUNK
from multideid.features.views import TYPE, of_type_set
from multideid.knowledge.link_grammar.parser import Linkage, Word
from multideid.site.words import Words
from multideid.text.numbering import Numbering
from multideid.text.splitting import split_batch
from multideid.text.table import TokenTable
from multideid.text.type_memo import TypeMemo

MARK = "Zanzibar"
TABLE = TokenTable.from_documents([Document("n", f"Mr. {MARK} came, e\u0301 {MARK}")])
LETTERS = of_type_set("the word itself", lambda word: [word])


def _numbering() -> Numbering:
    number = Numbering()
    number[MARK]
    return number


def _memo() -> object:
    memo = TypeMemo(len, np.int64)
    memo([MARK])
    return memo._known


OBJECTS = {
    "Column": TYPE.column(TABLE),
    "Column of chunks": CHUNK.column(TABLE),
    "SetColumn": LETTERS.column(TABLE),
    "TokenTable": TABLE,
    "Tokens": split_batch(TABLE.texts),
    "WholeWords": Notes(TABLE).words.columns,
    "PlainText": plain_text(TABLE.texts[0]),
    "Piece": Piece(slice(0, 1), MARK, np.array([0]), np.array([8])),
    "Word": Word(0, 8, MARK),
    "Linkage": Linkage((Word(0, 8, MARK),), ()),
    "Words": Words.of(TABLE),
    "Numbering": _numbering(),
    "TypeMemo": _memo(),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_are_shown_without_text(name: str) -> None:
    shown = f"{OBJECTS[name]!r} {OBJECTS[name]}"
    assert MARK.lower() not in shown.lower()
