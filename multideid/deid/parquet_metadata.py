"""The schema of a Parquet file without the metadata that its writer gave it.

Metadata is free text: comments on columns, and attributes of data frames and of cohorts. What
is kept is what gives columns their types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from multideid.deid.extension_types import NAME, PARAMETERS, extension_metadata
from multideid.deid.pandas_metadata import (
    PANDAS,
    pandas_metadata,
    pandas_names,
    with_pandas_names,
)

if TYPE_CHECKING:
    import pyarrow as pa


def without_metadata(schema: pa.Schema) -> pa.Schema:
    """Return a schema without metadata, except what is needed for types and indices.

    That is the part of pandas's metadata that says which columns are an index and which types
    they had, and the names and parameters of the extension types of Arrow and pandas. Columns
    of other extension types become those as which they are stored.
    """
    import pyarrow as pa

    raw = (schema.metadata or {}).get(PANDAS)
    kept = None if raw is None else pandas_metadata(raw, schema.names)
    return pa.schema(map(_field, schema), None if kept is None else {PANDAS: kept})


def other_names(schema: pa.Schema) -> list[str]:
    """Return the names in pandas's metadata, of levels of an index and of axes."""
    raw = (schema.metadata or {}).get(PANDAS)
    return [] if raw is None else pandas_names(raw)


def with_names(schema: pa.Schema, names: Mapping[str, str]) -> pa.Schema:
    """Return a schema with other names, also in pandas's metadata."""
    import pyarrow as pa

    raw = (schema.metadata or {}).get(PANDAS)
    metadata = None if raw is None else {PANDAS: with_pandas_names(raw, names)}
    return pa.schema(
        (field.with_name(names.get(field.name, field.name)) for field in schema), metadata
    )


def with_schema(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return a table with the names and metadata of a schema, and the types as it stores them."""
    import pyarrow as pa

    columns = [
        column if column.type.equals(field.type) else column.cast(field.type)
        for column, field in zip(table.columns, schema, strict=True)
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def _field(field: pa.Field) -> pa.Field:
    import pyarrow as pa

    metadata = field.metadata or {}
    extension = extension_metadata(metadata.get(NAME, b""), metadata.get(PARAMETERS, b""))
    return pa.field(field.name, _type(field.type), field.nullable, extension)


def _type(kind: pa.DataType) -> pa.DataType:
    """Return a type without the metadata of the fields in it."""
    import pyarrow as pa

    if isinstance(kind, pa.BaseExtensionType):
        # Arrow's own have no method for their parameters.
        parameters = getattr(kind, "__arrow_ext_serialize__", bytes)()
        is_kept = extension_metadata(kind.extension_name.encode(), parameters)
        return kind if is_kept else _type(kind.storage_type)
    if not kind.num_fields:
        return kind
    return next(make(kind) for is_of, make in _nested() if is_of(kind))


def _nested() -> list[tuple[Callable[[Any], bool], Callable[[Any], Any]]]:
    """Return, for each type with fields, how it is made of others."""
    import pyarrow as pa

    kinds = pa.types
    return [
        (kinds.is_struct, lambda kind: pa.struct(list(map(_field, kind)))),
        (
            kinds.is_map,
            lambda kind: pa.map_(_field(kind.key_field), _field(kind.item_field), kind.keys_sorted),
        ),
        (
            kinds.is_fixed_size_list,
            lambda kind: pa.list_(_field(kind.value_field), kind.list_size),
        ),
        (kinds.is_list, lambda kind: pa.list_(_field(kind.value_field))),
        (kinds.is_large_list, lambda kind: pa.large_list(_field(kind.value_field))),
        (kinds.is_list_view, lambda kind: pa.list_view(_field(kind.value_field))),
        (kinds.is_large_list_view, lambda kind: pa.large_list_view(_field(kind.value_field))),
    ]
