"""Every regular expression of the package, how it is used, and whether its time is linear."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from re import _compiler  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any, NamedTuple

import multideid
from attacks.growth import lines, seconds, slow_line
from multideid.resynthesis import contexts

Found = dict[tuple[str | bytes, int], set[tuple[str, int]]]
"""In which modules and lines each pattern, with its flags, was met."""

_HOME = Path(multideid.__file__).parent
_WAYS = {"match": "match", "fullmatch": "fullmatch"} | dict.fromkeys(
    ("search", "split", "findall", "finditer", "sub", "subn"), "search"
)


BOUNDED = {"multideid.resynthesis.contexts": contexts.WINDOW}
"""Modules with patterns that only see short texts, and the number of their characters."""
_MOST_SECONDS = 0.001
"""Processor time that such a pattern may take on the longest text that it sees."""

SECONDS = 20
"""Processor time after which a pattern counts as without end."""


def slow_patterns(every: bool = False) -> Iterator[str]:
    """Yield the patterns of the package that take more than linear time, with a line for each.

    Parameters
    ----------
    every : bool, default False
        As for `slow_line`.
    """
    for (pattern, flags), places in all_patterns().items():
        free = {place for place in places if place[0] not in BOUNDED}
        for way in sorted(set().union(*(ways(*place) for place in free))):
            line = bounded_line(re.compile(pattern, flags), way, every)
            if line is not None:
                yield f"{sorted(free)} {way} {pattern!r}: {line}"
        yield from _long_times(re.compile(pattern, flags), places - free)


def _long_times(pattern: re.Pattern[Any], places: set[tuple[str, int]]) -> Iterator[str]:
    """Yield where a pattern takes long on a text of the length to which its module cuts it."""
    for place in sorted(places):
        for way in ways(*place):
            worst = longest_time(pattern, way, BOUNDED[place[0]])
            if worst > _MOST_SECONDS:
                yield f"{place} {way} {pattern.pattern!r}: {worst:.4f} s"


def longest_time(pattern: re.Pattern[Any], way: str, size: int) -> float:
    """Return the processor time that a pattern takes at most on adversarial lines of a length."""
    made = lines(pattern.pattern, pattern.flags)
    return max(seconds(pattern, way, line(size), 5) for line in made)


def bounded_line(pattern: re.Pattern[Any], way: str, every: bool = False) -> object:
    """Return `slow_line`, or that there is no end of it."""
    signal.signal(signal.SIGVTALRM, _no_end)
    signal.setitimer(signal.ITIMER_VIRTUAL, 60 * SECONDS if every else SECONDS)
    try:
        return slow_line(pattern, way, every)
    except TimeoutError:
        return "no end"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _no_end(*_: object) -> None:
    raise TimeoutError


def all_patterns() -> Found:
    """Return the patterns that every module compiles when it is imported, or in its functions."""
    with compiled_patterns() as found:
        for module in list(modules()):
            for pattern, line in inline_patterns(module):
                found.setdefault((pattern, int(re.UNICODE)), set()).add((module.__name__, line))
    return found


@contextmanager
def compiled_patterns() -> Iterator[Found]:
    """Note each pattern that code of the package compiles meanwhile."""
    found: Found = {}
    original = _compiler.compile

    def compile_(pattern: Any, flags: int = 0) -> re.Pattern[Any]:
        made: re.Pattern[Any] = original(pattern, flags)
        if place := _caller():
            found.setdefault((made.pattern, made.flags), set()).add(place)
        return made

    re.purge()
    _compiler.compile = compile_
    try:
        yield found
    finally:
        _compiler.compile = original


def _caller() -> tuple[str, int] | None:
    """Return the module and line of the package that asks for a pattern, None for others'."""
    frame = sys._getframe(2)
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == "re":
        frame = frame.f_back
    name = frame.f_globals.get("__name__", "")
    return (name, frame.f_lineno) if name.split(".")[0] == "multideid" else None


def modules() -> Iterator[ModuleType]:
    """Import every module of the package whose libraries are installed."""
    for info in pkgutil.walk_packages([str(_HOME)], "multideid."):
        if not info.name.endswith("__main__"):
            with suppress(ImportError):
                yield importlib.import_module(info.name)


def inline_patterns(module: ModuleType) -> Iterator[tuple[str, int]]:
    """Yield what a module gives to functions such as `re.sub`, and where, as far as it is fixed."""
    for use in _uses(module.__name__):
        if use.of == "re":
            with suppress(NameError):
                expression = ast.Expression(use.arguments[0])
                yield eval(compile(expression, "pattern", "eval"), vars(module)), use.line


def ways(module: str, line: int) -> set[str]:
    """Return how the pattern made in this line is used: search, scan, match, fullmatch.

    If it has a name in the module, as the uses of the name say; otherwise as patterns without one.
    """
    uses, names = _uses(module), _names(module)
    here = {use.way for use in uses if use.of in ("re", "new") and use.line == line}
    named = {use.way for use in uses if line in names.get(use.of, ())}
    others = {use.way for use in uses if use.of not in ("re", "new", *names)}
    return here or named or others or {"search", "fullmatch"}


class _Use(NamedTuple):
    """A method of a pattern: "search" stands for all that may begin at every place."""

    of: str
    way: str
    line: int
    arguments: list[ast.expr]


@cache
def _uses(module: str) -> list[_Use]:
    tree = ast.parse(Path(sys.modules[module].__file__ or "").read_text())
    nodes = list(ast.walk(tree))
    arguments = {id(n.func): n.args for n in nodes if isinstance(n, ast.Call)}
    return [
        _use(node, arguments.get(id(node), []))
        for node in nodes
        if isinstance(node, ast.Attribute) and node.attr in _WAYS
    ]


def _use(method: ast.Attribute, arguments: list[ast.expr]) -> _Use:
    of = "re" if ast.unparse(method.value) == "re" else _object(method.value)
    way = _WAYS[method.attr]
    if of != "re" and method.attr == "match" and len(arguments) > 1:
        # From the end of the match before, as a rule; a pattern without a name, from anywhere.
        way = "scan" if of.isupper() else "search"
    return _Use(of, way, method.lineno, arguments)


def _object(value: ast.expr) -> str:
    if isinstance(value, ast.Name):
        return value.id
    return "new" if ast.unparse(value).startswith("re.compile(") else ""


@cache
def _names(module: str) -> dict[str, range]:
    """Return the lines of the assignments in which a module compiles patterns, by name."""
    return {
        node.targets[0].id: range(node.lineno, (node.end_lineno or 0) + 1)
        for node in ast.parse(Path(sys.modules[module].__file__ or "").read_text()).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and "re.compile(" in ast.unparse(node.value)
    }
