"""Views and templates of word classes: is the word known as a name, a place or neither?"""

from __future__ import annotations

from functools import lru_cache

from multideid.features.common import CAPITALS, LOWER, NORM
from multideid.features.layout import DOCUMENT_CASE
from multideid.features.templates import Template, each, joined
from multideid.features.views import View, of_value
from multideid.knowledge.word_classes import bundled_word_classes, class_bits

_MOST_CACHED = 100_000
_NAMES = ("given", "family", "rare given", "rare family")
_PLACES = ("place",)
_WORDS = ("common", "mesh", "clinical")

_FREQUENT = class_bits("given", "family", "place", "common", "mesh")
_RARE = class_bits("rare given", "rare family", "clinical")
_GROUPS = (class_bits(*_NAMES), class_bits(*_PLACES), class_bits(*_WORDS))


@lru_cache(_MOST_CACHED)
def _all_bits(word: str) -> int:
    return bundled_word_classes().bits(word)


def _bits(word: str, mask: int) -> str:
    return format(_all_bits(word) & mask, "x") if word.isalpha() else ""


def _frequent_classes(word: str) -> str:
    return _bits(word, _FREQUENT)


def _rare_classes(word: str) -> str:
    return _bits(word, _RARE)


def _group(word: str) -> str:
    """Return "n", "p" and "w" for words that may be names, places and ordinary words."""
    if not word.isalpha():
        return ""
    bits = _all_bits(word)
    return "".join(sign for sign, mask in zip("npw", _GROUPS, strict=True) if bits & mask) or "-"


def is_name(word: str) -> bool:
    """Return whether a lower-case word is known as a name of a person."""
    return _all_bits(word) & _GROUPS[0] > 0


FREQUENT_CLASSES = of_value("frequent word classes", LOWER, _frequent_classes)
RARE_CLASSES = of_value("rare word classes", LOWER, _rare_classes)
WORD_GROUP = of_value("word group", LOWER, _group)


def word_class_templates() -> list[Template]:
    """Return the templates of word classes, with those of neighbours and letter case."""
    return [
        *_with_neighbours(FREQUENT_CLASSES),
        *_with_neighbours(RARE_CLASSES),
        joined("word classes", (RARE_CLASSES, 0), (CAPITALS, 0), (DOCUMENT_CASE, 0)),
        *word_group_templates(),
    ]


def _with_neighbours(view: View) -> list[Template]:
    return [
        *each(view, (-1, 0, 1), "word classes"),
        joined("word classes", (view, 0), (CAPITALS, 0)),
        joined("word classes", (view, -1), (view, 0)),
        joined("word classes", (view, 0), (view, 1)),
        joined("word classes", (view, 0), (NORM, -1)),
        joined("word classes", (view, 0), (NORM, 1)),
    ]


def word_group_templates() -> list[Template]:
    """Return the templates of the three groups alone, in a wider window."""
    group, capitals = WORD_GROUP, CAPITALS
    return [
        *each(group, (-2, -1, 0, 1, 2), "word classes"),
        joined("word classes", (group, 0), (capitals, 0)),
        joined("word classes", (group, -1), (capitals, -1), (group, 0), (capitals, 0)),
        joined("word classes", (group, 0), (capitals, 0), (group, 1), (capitals, 1)),
        joined("word classes", (group, 0), (NORM, -1)),
        joined("word classes", (group, 0), (NORM, 1)),
        joined("word classes", (group, 0), (NORM, -1), (NORM, -2)),
        joined("word classes", (group, 0), (capitals, 0), (DOCUMENT_CASE, 0)),
    ]
