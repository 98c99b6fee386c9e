"""The examples in docstrings print what they say."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import multideid
from multideid.errors import MissingPackageError

ROOT = Path(multideid.__file__).parent
PARTS = (ROOT, *(ROOT / part for part in ("base_systems", "eval", "stacking")))
"""The package, and the folders that are symlinks in a checkout, which a search does not follow."""


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("multideid", *(part for part in parts if part != "__init__")))


MODULES = sorted(
    {
        _module(path)
        for part in PARTS
        for path in part.rglob("*.py")
        if ">>> " in path.read_text(encoding="utf-8")
    }
)


def test_every_part_has_examples() -> None:
    assert len(MODULES) > 50
    for part in ("base_systems", "eval", "stacking", "site"):
        assert any(name.startswith(f"multideid.{part}") for name in MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_print_what_they_say(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except MissingPackageError as error:
        pytest.skip(str(error))
    assert doctest.testmod(module).failed == 0
