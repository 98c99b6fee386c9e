"""Checks of a site's values, which name the place of every mistake."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from multideid.redact.actions import ANY, PRESETS, action_problem
from multideid.redact.surrogates import DATE_ORDERS
from multideid.site.entries import EntryError, check_entry, is_regex
from multideid.site.regexes import RegexError, check_regex

Place = tuple[str | int, ...]
"""Names and positions that lead to a value, such as ``("deny", "DOCTOR", 3)``."""

RECALL_POINTS = ("balanced", "high", "maximum")

_LABEL = re.compile(r"[A-Z][A-Z0-9_-]*")
_MOST_CONTEXT = 100
PATTERN_KEYS = ("name", "label", "regex", "context", "score")


class Mistake(NamedTuple):
    """A value that cannot be used.

    Parameters
    ----------
    place : tuple of str and int
    problem : str
        Holds no value that may be PHI.
    """

    place: Place
    problem: str

    def __str__(self) -> str:
        names = [str(part + 1) if isinstance(part, int) else part for part in self.place]
        return f"{' '.join(names)}: {self.problem}"


Mistakes = Iterator[Mistake]


def mistakes_of(values: Mapping[str, Any]) -> Mistakes:
    """Yield the mistakes in the values of a site, by the names of `Site`'s parameters."""
    for name, check in _CHECKS.items():
        if values.get(name) is not None:
            yield from check((name,), values[name])


def entry_mistakes(place: Place, entries: object) -> Mistakes:
    """Yield the mistakes in a list of entries."""
    if not _is_list_of_text(entries):
        yield Mistake(place, "must be a list of entries in quotes")
        return
    for n, entry in enumerate(entries):
        try:
            check_entry(entry)
        except EntryError as error:
            yield Mistake((*place, n), str(error))


def label_mistakes(place: Place, label: object) -> Mistakes:
    """Yield the mistake of a label, if there is one."""
    if not isinstance(label, str) or not _LABEL.fullmatch(label):
        yield Mistake(place, "a label is in capitals, such as DOCTOR")


def _deny(place: Place, lists: object) -> Mistakes:
    if not isinstance(lists, Mapping):
        yield Mistake(place, "must have a list of entries for each label")
        return
    for label, entries in lists.items():
        yield from label_mistakes((*place, label), label)
        yield from entry_mistakes((*place, label), entries)


def _patterns(place: Place, patterns: object) -> Mistakes:
    if not isinstance(patterns, Sequence) or isinstance(patterns, str):
        yield Mistake(place, "must be a list of patterns, in a file each under [[patterns]]")
        return
    names = []
    for n, pattern in enumerate(patterns):
        values = pattern._asdict() if hasattr(pattern, "_asdict") else pattern
        if not isinstance(values, Mapping):
            yield Mistake((*place, n), "must be a pattern, with name, label and regex")
            continue
        yield from _pattern((*place, n), values)
        if values.get("name") in names:
            yield Mistake((*place, n, "name"), "another pattern has this name")
        names.append(values.get("name"))


def _pattern(place: Place, values: Mapping[str, Any]) -> Mistakes:
    for key in values:
        if key not in PATTERN_KEYS:
            known = ", ".join(PATTERN_KEYS)
            yield Mistake((*place, key), f"unknown key; the keys of a pattern are {known}")
    for key in PATTERN_KEYS[:3]:
        if not isinstance(values.get(key), str) or not values[key]:
            yield Mistake((*place, key), f"a pattern needs a {key}, in quotes")
    if isinstance(values.get("label"), str):
        yield from label_mistakes((*place, "label"), values["label"])
    if isinstance(values.get("regex"), str):
        yield from _regex((*place, "regex"), values["regex"])
    yield from _context((*place, "context"), values.get("context", ()))
    yield from _share((*place, "score"), values.get("score", 1.0))


def _regex(place: Place, expression: str) -> Mistakes:
    if is_regex(expression):
        yield Mistake(place, "has slashes around it, which belong to entries of lists only")
        return
    try:
        check_regex(expression)
    except RegexError as error:
        yield Mistake(place, str(error))


def _context(place: Place, words: object) -> Mistakes:
    if not _is_list_of_text(words):
        yield Mistake(place, "must be a list of words in quotes")
    elif len(words) > _MOST_CONTEXT:
        yield Mistake(place, f"has more than {_MOST_CONTEXT} words")
    else:
        for n, word in enumerate(words):
            if not word.isalnum():
                yield Mistake((*place, n), "a context word is one word, without marks")


def _share(place: Place, value: object) -> Mistakes:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= 1:  # type: ignore[operator]
        yield Mistake(place, "must be a number from 0 to 1")


def _labels(place: Place, labels: object) -> Mistakes:
    if not _is_list_of_text(labels) or not labels:
        yield Mistake(place, "must be a list of labels in quotes")
        return
    for n, label in enumerate(labels):
        yield from label_mistakes((*place, n), label)


def _actions(place: Place, actions: object) -> Mistakes:
    if not isinstance(actions, Mapping):
        yield Mistake(place, "must have an action for each label")
        return
    for label, action in actions.items():
        if label != ANY:
            yield from label_mistakes((*place, label), label)
        if problem := action_problem(str(label), action):
            yield Mistake((*place, label), problem)


def _one_of(*choices: str) -> Callable[[Place, object], Mistakes]:
    def check(place: Place, value: object) -> Mistakes:
        if value not in choices:
            yield Mistake(place, f"must be one of {', '.join(choices)}")

    return check


def _flag(place: Place, value: object) -> Mistakes:
    if not isinstance(value, bool):
        yield Mistake(place, "must be true or false")


def _is_list_of_text(value: object) -> TypeGuard[Sequence[str]]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return False
    return all(isinstance(item, str) for item in value)


_CHECKS: Mapping[str, Callable[[Place, Any], Mistakes]] = {
    "allow": entry_mistakes,
    "deny": _deny,
    "patterns": _patterns,
    "labels": _labels,
    "recall": _one_of(*RECALL_POINTS),
    "date_order": _one_of(*DATE_ORDERS),
    "min_score": _share,
    "actions": _actions,
    "agreement": _flag,
    "preset": _one_of(*PRESETS),
}
