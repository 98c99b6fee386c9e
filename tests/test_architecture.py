"""Who may import whom: the floors of the design, and no circle between files."""

from __future__ import annotations

import ast
import graphlib
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TOP_FOLDERS = ("base_systems", "eval", "stacking")

FLOORS = {
    "accents": 1,
    "arguments": 1,
    "arrays": 1,
    "blas_threads": 1,
    "csr": 1,
    "document": 1,
    "errors": 1,
    "evidence": 1,
    "estimator": 1,
    "files": 1,
    "fork_locks": 1,
    "highlight": 1,
    "isolation": 1,
    "label_schemes": 1,
    "labels": 1,
    "lazy": 1,
    "leftovers": 1,
    "locks": 1,
    "meta_fields": 1,
    "pages": 1,
    "parallel": 1,
    "plugins": 1,
    "spans": 1,
    "tables": 1,
    "timing": 1,
    "corpora": 2,
    "knowledge": 2,
    "persistence": 2,
    "text": 2,
    "features": 3,
    "redact": 3,
    "taggers": 3,
    "scoring": 4,
    "site": 4,
    "learners": 5,
    "resynthesis": 5,
    "samples": 5,
    "base_systems": 6,
    "stacking": 6,
    "deid": 7,
    "integrations": 7,
    "models": 7,
    "testing": 7,
    "eval": 8,
    "review": 9,
    "validation": 9,
    "__main__": 10,
    "cli": 10,
}
# Floors whose units may use one another; on the rest each unit keeps to itself.
OPEN_FLOORS = {1, 7, 10}
ALLOWED = {("knowledge", "text")}
HIGHEST_FOR = {"redact": 2, "samples": 2, "site": 3}


def _modules() -> dict[str, Path]:
    """Find every file of the package by its import name, symlinks left aside."""
    folders = [ROOT / "multideid", *(ROOT / name for name in TOP_FOLDERS)]
    found = {}
    for folder in folders:
        for path in folder.rglob("*.py"):
            place = path.relative_to(ROOT)
            if place.parts[0] == "multideid" and place.parts[1] in TOP_FOLDERS:
                continue
            found[_import_name(place)] = path
    return found


def _import_name(place: Path) -> str:
    parts = list(place.with_suffix("").parts)
    if parts[0] in TOP_FOLDERS:
        parts.insert(0, "multideid")
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = _modules()
FILES = sorted(name for name in MODULES if name != "multideid")


LONGEST_CHAIN = 16
LONGEST_FUNCTION = 60


class File(NamedTuple):
    """What the tests look at in a file."""

    imports: list[ast.Import | ast.ImportFrom]
    """Anywhere in it."""
    first_imports: list[ast.Import | ast.ImportFrom]
    """Those that run when it is imported."""
    functions: list[tuple[str, int]]
    """Names and numbers of lines."""


@cache
def _file(name: str) -> File:
    # Only this is kept: the trees of all files would slow down every collection of garbage.
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    tried = [inner for node in tree.body if isinstance(node, ast.Try) for inner in node.body]
    return File(
        [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)],
        [node for node in tree.body + tried if isinstance(node, ast.Import | ast.ImportFrom)],
        [
            (node.name, (node.end_lineno or 0) - node.lineno + 1)
            for node in nodes
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ],
    )


def _imports(name: str) -> set[str]:
    """Return the modules of ours that a file imports."""
    return _modules_in(name, _file(name).imports)


def _modules_in(name: str, nodes: list[ast.Import | ast.ImportFrom]) -> set[str]:
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        else:
            base = _base(name, node)
            members = {f"{base}.{alias.name}" for alias in node.names}
            found.update((members & MODULES.keys()) or {base})
    return {module for module in found if module in MODULES and module not in (name, "multideid")}


def _base(name: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    is_package = MODULES[name].name == "__init__.py"
    parents = name.split(".") + [""] * is_package
    return ".".join(filter(None, [*parents[: -node.level], node.module]))


def _unit(module: str) -> str:
    """Return what keeps to itself: a file or folder of the package, or one base system."""
    parts = module.split(".")[1:]
    return ".".join(parts[:2] if parts[0] == "base_systems" else parts[:1])


def _floor(module: str) -> int:
    return FLOORS[module.split(".")[1]]


def _may_import(source: str, target: str) -> bool:
    mine, theirs = _floor(source), _floor(target)
    if _unit(source) == _unit(target) or (mine == theirs and mine in OPEN_FLOORS):
        return True
    if (_unit(source), _unit(target)) in ALLOWED:
        return True
    return theirs < mine and theirs <= HIGHEST_FOR.get(_unit(source), mine)


def test_every_part_of_the_package_has_a_floor() -> None:
    assert {module.split(".")[1] for module in FILES} <= FLOORS.keys()


def test_the_guide_for_contributors_shows_the_floors() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", guide, re.MULTILINE)
    parts = [(re.sub(r"\([^)]*\)", "", row), int(floor)) for floor, row in rows]
    shown = {name: floor for row, floor in parts for name in re.findall(r"`(\w+)`", row)}
    assert shown == FLOORS


def test_files_import_only_what_their_floors_may() -> None:
    pairs = [(module, target) for module in FILES for target in sorted(_imports(module))]
    assert len(pairs) > len(FILES)
    assert [pair for pair in pairs if not _may_import(*pair)] == []


def test_no_circle_between_files() -> None:
    graph = {module: _imports(module) for module in FILES}
    graphlib.TopologicalSorter(graph).prepare()


def test_no_chain_of_imports_is_long() -> None:
    graph = {module: _modules_in(module, _file(module).first_imports) for module in FILES}
    chains: dict[str, list[str]] = {}
    for module in graphlib.TopologicalSorter(graph).static_order():
        below = [chains[target] for target in graph.get(module, ())]
        chains[module] = [module, *max(below, key=len, default=[])]
    assert [chain for chain in chains.values() if len(chain) > LONGEST_CHAIN] == []


def test_no_function_is_long() -> None:
    functions = [(module, *function) for module in FILES for function in _file(module).functions]
    assert [function for function in functions if function[2] > LONGEST_FUNCTION] == []


def test_the_rules_would_catch_a_breach() -> None:
    assert not _may_import("multideid.text.table", "multideid.corpora.brat")
    assert not _may_import("multideid.base_systems.mist.tagger", "multideid.base_systems.lbj")
    assert not _may_import("multideid.stacking.multi", "multideid.base_systems.mist")
    assert not _may_import("multideid.redact.modes", "multideid.features.views")
    assert _may_import("multideid.eval.reports.evaluation_text", "multideid.stacking.multi")


def test_imports_between_folders_are_absolute() -> None:
    relative = [
        module
        for module in MODULES
        for node in _file(module).imports
        if isinstance(node, ast.ImportFrom) and node.level > 1
    ]
    assert relative == []


def test_array_types_are_named_in_one_file() -> None:
    sources = {name: MODULES[name].read_text(encoding="utf-8") for name in FILES}
    assert [name for name in FILES if "NDArray" in sources[name]] == ["multideid.arrays"]
