"""Reading of ``site.toml``: the values of a site, or the line of every mistake."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from multideid.errors import ResourceError, reason
from multideid.site.checks import Mistake, Place, mistakes_of
from multideid.site.entries import Problem, mistakes, read_list
from multideid.site.lists import pattern_of
from multideid.site.toml_lines import value_lines

_FILES, _ENTRIES = "files", "entries"
_SCALARS = {
    "patients": "patients",
    "labels": "labels",
    "recall": "recall",
    "date-order": "date_order",
    "min-score": "min_score",
    "actions": "actions",
    "preset": "preset",
    "agreement": "agreement",
}
_TABLES = ("allow", "deny", "patterns")
_SYNTAX = {
    "Invalid value": "texts are in quotes, and flags are true or false",
    "Expected '='": "a line is key = value",
    "Invalid statement": "a line is key = value, or a [table]",
    "Cannot overwrite": "a key is there twice",
    "Cannot declare": "a table is there twice",
    "Unescaped": "put regular expressions in single quotes",
    "Unclosed array": "a list has no ], or no comma between its entries",
    "Unterminated": "a text has no closing quote",
    "Illegal character": "a text has no closing quote",
}
"""What the beginnings of the parser's messages mean, without the file's values."""

_WHERE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


def read_site(path: Path) -> dict[str, Any]:
    """Return the parameters of `Site` that a ``site.toml`` gives.

    Files of lists are relative to its folder.

    Raises
    ------
    ResourceError
        If it, or a list that it names, cannot be read or has mistakes; names the
        line of each.
    """
    text = _text(path)
    content = _parsed(path, text)
    found = [*_content_mistakes(content), *_missing_files(path.parent, content)]
    values = _values(content)
    found += [Mistake(_place(m.place), m.problem) for m in mistakes_of(values)]
    if found:
        lines = value_lines(text)
        raise mistakes(path, {Problem(_line(lines, m.place), _named(m)) for m in found})
    return _with_files(path.parent, content, values)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise ResourceError(path, f"cannot be read: {reason(error)}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ResourceError(path, "not UTF-8", f"line {line}") from None


def _parsed(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # The message may quote the file, which names people.
        found = _WHERE.search(str(error))
        line = found[1] if found and found[1] else str(text.count("\n") + 1)
        hints = (hint for start, hint in _SYNTAX.items() if str(error).startswith(start))
        hint = next((f": {hint}" for hint in hints), "")
        raise ResourceError(path, f"is not valid TOML{hint}", f"line {line}") from None
    except RecursionError:
        raise ResourceError(path, "is not valid TOML: it nests too deeply") from None


def _content_mistakes(content: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield the mistakes that only a file can have: unknown keys, and wrong tables."""
    known = (*_SCALARS, *_TABLES)
    for key in content:
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"the keys are {', '.join(known)}"
            yield Mistake((key,), f"unknown key; {hint}")
    if not isinstance(content.get("patients", ""), str):
        yield Mistake(("patients",), "must be the name of a file, in quotes")
    for place, value in _list_tables(content):
        if isinstance(value, Mapping):
            yield from _table_mistakes(place, value)
        else:
            yield Mistake(place, _no_table(place))


def _table_mistakes(place: Place, table: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield the mistakes of the table of a list."""
    for key in table:
        if key not in (_FILES, _ENTRIES):
            is_outer = key in _SCALARS and not isinstance(table[key], Mapping)
            hint = "it belongs above all tables" if is_outer else "a list has files and entries"
            yield Mistake((*place, key), f"unknown key; {hint}")
    if not table:
        yield Mistake(place, "has neither files nor entries")
    yield from _list_mistakes((*place, _FILES), table.get(_FILES, []), "file names")
    yield from _list_mistakes((*place, _ENTRIES), table.get(_ENTRIES, []), "entries")


def _no_table(place: Place) -> str:
    if place[-1] in ("deny", _FILES, _ENTRIES):
        return "must be tables of lists by label, such as [deny.DOCTOR]"
    return f"must be a table: [{'.'.join(map(str, place))}], and below it entries or files"


def _missing_files(folder: Path, content: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield the names of files that are not there; mistakes in files have lines of their own."""
    named: list[tuple[Place, Any]] = [(("patients",), content.get("patients"))]
    for place, table in _list_tables(content):
        files = table.get(_FILES) if isinstance(table, Mapping) else None
        named += [((*place, _FILES, n), file) for n, file in enumerate(_list_of(files))]
    for place, name in named:
        if isinstance(name, str) and not _is_there(folder / name):
            problem = f"there is no file {name}; names are relative to the folder of site.toml"
            yield Mistake(place, problem)


def _is_there(path: Path) -> bool:
    return os.path.exists(path) and not os.path.isdir(path)


def _list_of(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _list_mistakes(place: Place, values: Any, what: str) -> Iterator[Mistake]:
    """Yield the mistake of each value that is no text."""
    problem = f"must be a list of {what} in quotes"
    if not isinstance(values, list):
        yield Mistake(place, problem)
        return
    for n, value in enumerate(values):
        if not isinstance(value, str):
            yield Mistake((*place, n), problem)


def _list_tables(content: Mapping[str, Any]) -> Iterator[tuple[Place, Any]]:
    if "allow" in content:
        yield ("allow",), content["allow"]
    deny = content.get("deny", {})
    if not isinstance(deny, Mapping):
        yield ("deny",), None
        return
    for label, table in deny.items():
        yield ("deny", label), table


def _values(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values for `mistakes_of`, and for `Site` if there are none."""
    values = {name: content[key] for key, name in _SCALARS.items() if key in content}
    tables = {place: table for place, table in _list_tables(content) if isinstance(table, Mapping)}
    for place, table in tables.items():
        entries = table.get(_ENTRIES, [])
        if any(_list_mistakes(place, entries, "")):
            # It was refused already, with its line.
            entries = []
        if place == ("allow",):
            values["allow"] = entries
        else:
            values.setdefault("deny", {})[place[1]] = entries
    if "patterns" in content:
        values["patterns"] = content["patterns"]
    return values


def _place(place: Place) -> Place:
    """Return the place in the file of a value in `Site`."""
    depth = {"allow": 1, "deny": 2}.get(str(place[0]))
    if depth is None or len(place) <= depth:
        return _dashed(place)
    return (*place[:depth], _ENTRIES, *place[depth:])


def _dashed(place: Place) -> Place:
    names = {name: key for key, name in _SCALARS.items()}
    return (names.get(str(place[0]), place[0]), *place[1:])


def _line(lines: Mapping[Place, int], place: Place) -> int:
    """Return the line of a value, or of the nearest one that encloses it."""
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)


def _named(mistake: Mistake) -> str:
    """Return a problem with the name of the key, which a line may not show."""
    names = [part for part in mistake.place if isinstance(part, str)]
    return f"{'.'.join(names)}: {mistake.problem}"


def _with_files(
    folder: Path, content: Mapping[str, Any], values: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the values with the entries of the files of lists."""
    found = dict(values)
    entries: Callable[[Any], tuple[str, ...]] = lambda table: tuple(_entries(folder, table))  # noqa: E731
    if "allow" in content:
        found["allow"] = entries(content["allow"])
    if "deny" in content:
        found["deny"] = {label: entries(table) for label, table in content["deny"].items()}
    if "patients" in content:
        found["patients"] = folder / content["patients"]
    found["patterns"] = tuple(pattern_of(values) for values in content.get("patterns", []))
    return found


def _entries(folder: Path, table: Mapping[str, Any]) -> Iterator[str]:
    yield from table.get(_ENTRIES, [])
    for name in table.get(_FILES, []):
        yield from read_list(folder / name)
