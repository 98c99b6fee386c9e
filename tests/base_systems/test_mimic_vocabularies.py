"""Whatever a rule's pattern can match, its anchor leads to.

The alternatives of each pattern are spelled out, one text for each, so that a word
that is in a pattern but not in its anchor's word classes is noticed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, product
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

import pytest

from multideid.base_systems.mimic import (
    addresses,
    contacts,
    contexts,
    dates,
    hospitals,
    identifiers,
    locations,
    names,
)
from multideid.base_systems.mimic.patterns import Notes, Rule
from multideid.text.table import TokenTable

MODULES = (addresses, contacts, contexts, dates, hospitals, identifiers, locations, names)
RULES = {
    f"{module.__name__.rpartition('.')[2]}.{name}": rule
    for module in MODULES
    for name, rule in vars(module).items()
    if isinstance(rule, Rule)
}
BEFORE = ("", ". ", "\n", "aa, ")
BEHIND = (
    "",
    " ",
    "\nSmith",
    " Smith",
    " (Smith ",
    " 1234",
    ". Smith went",
    ": A12345\n",
    "Smith",
    "234",
    "\n1",
)
# Anchored at the words of long lists, which the alternatives of a pattern do not contain.
ANCHORED_AT_LISTS = {"contexts._BARE_NAME", "locations._CAPITALISED", "locations._CITY_STATE"}
CATEGORIES = {"CATEGORY_DIGIT": "5", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "w",
              "CATEGORY_NOT_WORD": ",", "CATEGORY_NOT_DIGIT": "w"}  # fmt: skip


class Defaults(NamedTuple):
    """Which parts of a pattern that may be missing are there, unless the others are tried."""

    blanks: bool = False
    words: bool = False
    lookahead: bool = False


ALL_DEFAULTS = (
    Defaults(blanks=True),
    Defaults(True, True),
    Defaults(True, False, True),
    Defaults(),
)


def alternatives(pattern: str, defaults: Defaults) -> list[str]:
    """Spell out a pattern, one string for each choice at each fork, the rest by default."""
    return _of_sequence(_parser.parse(pattern), {}, defaults)


def _of_sequence(items: Iterable[Any], groups: dict[int, str], defaults: Defaults) -> list[str]:
    parts = [_of_item(str(op), value, groups, defaults) for op, value in items]
    first = [part[0] for part in parts]
    found = ["".join(first)]
    for n, part in enumerate(parts):
        found += ["".join([*first[:n], other, *first[n + 1 :]]) for other in part[1:]]
    return found


def _of_item(op: str, value: Any, groups: dict[int, str], defaults: Defaults) -> list[str]:
    found = [""]  # Assertions depend on the text around, which is varied separately.
    match op:
        case "LITERAL":
            found = [chr(value)]
        case "IN":
            found = _of_set(value)
        case "NOT_LITERAL" | "ANY":
            found = ["w"]
        case "BRANCH":
            found = [text for branch in value[1] for text in _of_sequence(branch, groups, defaults)]
        case "SUBPATTERN":
            found = _of_sequence(value[3], groups, defaults)
            groups[value[0]] = found[0]
        case "GROUPREF":
            found = [groups[value]]
        case "MAX_REPEAT" | "MIN_REPEAT":
            low, high, items = value
            some = [text * max(low, 1) for text in _of_sequence(items, groups, defaults)]
            if some[0].isspace() and high > len("   "):  # Words are joined by blanks.
                some = [f"{some[0]}{text}{some[0]}" for text in some]
            present = defaults.words or (defaults.blanks and some[0].isspace())
            found = some if low else [*some, ""] if present else ["", *some]
        case "ASSERT" if value[0] > 0 and defaults.lookahead:
            found = _of_sequence(value[1], groups, defaults)
    return found


def _of_set(members: Sequence[Any]) -> list[str]:
    found = []
    for op, value in members:
        if str(op) == "NEGATE":
            return ["w"]
        if str(op) == "CATEGORY":
            found.append(CATEGORIES[str(value)])
        else:
            found.append(
                chr(value if str(op) == "LITERAL" else value[0] + (value[1] - value[0]) // 2)
            )
    return found


@pytest.mark.parametrize("name", sorted(RULES.keys() - ANCHORED_AT_LISTS))
def test_the_anchor_of_a_rule_leads_to_every_alternative_of_its_pattern(name: str) -> None:
    rule = RULES[name]
    some, *others = (alternatives(rule.pattern.pattern, default) for default in ALL_DEFAULTS)
    spelled = list(dict.fromkeys(chain(some, *others)))
    texts = [a + text + b for text, a, b in product(spelled, BEFORE, BEHIND)]
    notes = Notes(TokenTable.from_texts(texts))
    expected = [match.span() for match in rule.pattern.finditer(notes.text)]
    assert [match.span() for match in notes.finditer(rule)] == expected
    # Nothing would be tested by a spelling that the pattern itself never matches.
    note = notes.words.note_of([start for start, _ in expected])
    matched = {spelled[n] for n in (note // (len(BEFORE) * len(BEHIND))).tolist()}
    assert _words(some) - _words(matched) == set()


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in re.findall(r"[^\W\d_]{2,}", text)}
