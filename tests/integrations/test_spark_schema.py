"""The schema of a de-identified Spark data frame, without a cluster."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

pytest.importorskip("pyspark", reason="needs multideid[spark]")

from pyspark.sql import types

from multideid.integrations import spark


def test_metadata_of_columns_do_not_come_out() -> None:
    comment = {"comment": "Martha Alder"}
    inner = types.StructType([types.StructField("a", types.LongType(), False, comment)])
    kinds = {
        "text": types.StringType(),
        "n": types.LongType(),
        "struct": inner,
        "list": types.ArrayType(inner, False),
        "map": types.MapType(types.StringType(), inner, False),
    }
    fields = [types.StructField(name, kind, False, comment) for name, kind in kinds.items()]
    schema = types.StructType(fields)
    frame = SimpleNamespace(columns=schema.names, schema=schema)
    new = spark._schema(frame, "text", None)
    assert "Martha" not in new.json()
    assert [field.simpleString() for field in new.fields[:5]] == [
        field.simpleString() for field in fields
    ]
    assert [field.nullable for field in new.fields[:5]] == [True, False, False, False, False]
