"""No object of the readers and of de-identification shows document text when it is printed."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any

import pytest

from multideid import corpora, deid

TEXT = "Martha Alder"
HOLDING = {
    "around", "attributes", "data", "form", "frame", "headings", "parent", "patient", "pieces",
    "records", "resource", "rows", "sentences", "tags", "text", "texts", "value", "values",
}  # fmt: skip
"""Names of fields with text of documents, unless their types are others."""
OTHERWISE = ("int", "Callable", "Pattern", "Place", "[Text]", "tuple[str, ...]")
NAMES_OF_COLUMNS = "multideid.deid.table_columns.Columns"


def _classes(package: ModuleType) -> Iterator[type[Any]]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for each in vars(importlib.import_module(found.name)).values():
            if inspect.isclass(each) and each.__module__ == found.name:
                yield each


def _types(kind: type[Any]) -> dict[str, str]:
    if is_dataclass(kind):
        return {each.name: str(each.type) for each in fields(kind)}
    names = kind._fields if issubclass(kind, tuple) and hasattr(kind, "_fields") else ()
    return {name: str(kind.__annotations__[name]) for name in names}


def _filled(kind: type[Any]) -> Any:
    """Return an object with text in each field that may hold any; None without such a field."""
    held = {
        name: TEXT if name in HOLDING and not any(o in of for o in OTHERWISE) else None
        for name, of in _types(kind).items()
    }
    if not any(held.values()):
        return None
    if not is_dataclass(kind):
        return kind._make(held.values())  # type: ignore[attr-defined]
    made = object.__new__(kind)
    for name, value in held.items():
        object.__setattr__(made, name, value)
    return made


KINDS = {
    f"{kind.__module__}.{kind.__qualname__}": kind
    for package in (corpora, deid)
    for kind in _classes(package)
}
FILLED = {name: made for name, kind in KINDS.items() if (made := _filled(kind)) is not None}
FILLED.pop(NAMES_OF_COLUMNS, None)


@pytest.mark.parametrize("name", FILLED)
def test_no_representation_shows_text(name: str) -> None:
    assert TEXT not in repr(FILLED[name])


def test_classes_with_text_are_found() -> None:
    assert "multideid.corpora.structured.slots.Slot" in FILLED
    assert "multideid.deid.run.Rewritten" in FILLED
