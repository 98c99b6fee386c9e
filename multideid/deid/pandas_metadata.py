"""What pandas writes into a Parquet file about a data frame, without what it does not need.

It says which columns are the index, and which types columns had. The attributes of the data
frame, which are free text, are in it too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

PANDAS = b"pandas"
"""The key of the metadata in a file."""

_TYPES = frozenset(
    "bool bytes categorical complex128 complex256 complex64 date datetime datetimetz decimal empty "
    "float16 float32 float64 floating int16 int32 int64 int8 integer interval mixed mixed-integer "
    "object period string time timedelta timedelta64 uint16 uint32 uint64 uint8 unicode".split()
)
_LIST = re.compile(r"list\[(.*)\]")
_VERSION = re.compile(r"\d+(?:\.\d+){1,3}")
_ANY = "object"
_DESCRIBED = ("index_columns", "column_indexes", "columns")
_NAMES = {"name", "field_name"}
_TEXT = {"pandas_type": "unicode", "numpy_type": _ANY, "metadata": {"encoding": "UTF-8"}}


def pandas_metadata(raw: bytes, columns: Collection[str]) -> bytes | None:
    """Return the part of pandas's metadata that restores an index and types.

    Parameters
    ----------
    raw : bytes
    columns : collection of str
        The names of the columns of the file.

    Returns
    -------
    bytes or None
        None if it is in another form.
    """
    try:
        return json.dumps(_kept(json.loads(raw), columns)).encode()
    except Exception:
        return None


def pandas_names(raw: bytes) -> list[str]:
    """Return the names in metadata that `pandas_metadata` returned."""
    described = json.loads(raw)
    parts = (part for key in _DESCRIBED for part in described[key] if isinstance(part, dict))
    return [part["name"] for part in parts if isinstance(part["name"], str)]


def with_pandas_names(raw: bytes, names: Mapping[str, str]) -> bytes:
    """Return metadata that `pandas_metadata` returned with other names."""

    def renamed(part: Any) -> Any:
        if isinstance(part, str):
            return names.get(part, part)
        new = {key: names.get(part[key], part[key]) for key in _NAMES & part.keys()}
        return {**part, **new}

    described = json.loads(raw)
    new = {key: list(map(renamed, described[key])) for key in _DESCRIBED}
    if any(part["field_name"] in names for part in described["columns"]):
        # Columns may have been numbers or dates, which the new names are not.
        new["column_indexes"] = [{**level, **_TEXT} for level in new["column_indexes"]]
    return json.dumps({**described, **new}).encode()


def _kept(given: Mapping[str, Any], columns: Collection[str]) -> dict[str, Any]:
    index = [_index(level, columns) for level in given["index_columns"]]
    described = [part for part in given["columns"] if part["field_name"] in columns]
    version = given.get("pandas_version")
    return {
        "index_columns": index,
        "column_indexes": [_column(level) for level in given.get("column_indexes", ())],
        "columns": [
            _column(column, is_level=column["field_name"] in index) for column in described
        ],
        "creator": {"library": "pyarrow"},
        "pandas_version": version if _VERSION.fullmatch(str(version)) else None,
    }


def _index(level: Any, columns: Collection[str]) -> Any:
    """Return the column of a level, or the description of a range."""
    if isinstance(level, str) and level in columns:
        return level
    if level["kind"] != "range":
        raise ValueError("an unknown index")
    numbers = {part: int(level[part]) for part in ("start", "stop", "step")}
    return {"kind": "range", "name": _name(level["name"]), **numbers}


def _column(column: Mapping[str, Any], *, is_level: bool = True) -> dict[str, Any]:
    """Return the description of a column; a level may have another name than its column."""
    field, name = _name(column["field_name"]), _name(column["name"])
    kind = column["pandas_type"]
    return {
        "name": name if is_level or name is None else field,
        "field_name": field,
        "pandas_type": kind if _is_type(kind) else _ANY,
        "numpy_type": _dtype(column["numpy_type"]),
        "metadata": _details(column.get("metadata")),
    }


def _name(name: Any) -> str | int | float | None:
    if not isinstance(name, str | int | float | None):
        raise TypeError("the name of a column is a structure")
    return name


def _is_type(kind: Any) -> bool:
    while isinstance(kind, str) and (inner := _LIST.fullmatch(kind)):
        kind = inner[1]
    return kind in _TYPES


def _dtype(name: Any) -> str:
    import pandas as pd

    try:
        pd.api.types.pandas_dtype(name)
    except (TypeError, ValueError):
        return _ANY
    return str(name)


def _details(given: Any) -> dict[str, Any] | None:
    """Return the details of a type: numbers, flags, time zones and encodings."""
    if given is None:
        return None
    kept = {
        name: given[name]
        for name in ("num_categories", "ordered", "precision", "scale")
        if isinstance(given.get(name), int)
    }
    zone, encoding = given.get("timezone"), given.get("encoding")
    kept |= {"timezone": zone} if _is_zone(zone) else {}
    return kept | ({"encoding": encoding} if encoding == "UTF-8" else {})


def _is_zone(name: Any) -> bool:
    return isinstance(name, str) and _dtype(f"datetime64[ns, {name}]") != _ANY
