"""De-identification of a column of a Spark data frame, in batches on all workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from multideid.errors import MissingPackageError, UsageError
from multideid.integrations.partitions import (
    FAILURE,
    SPANS,
    check_columns,
    check_mode,
    opened_once,
    replacer_of,
    rewritten,
)
from multideid.models import manifest_of, open_model
from multideid.redact.keys import Key
from multideid.stacking.deidentifier import Deidentifier
from multideid.stacking.loading import load_bytes

try:
    from pyspark.sql.types import (
        ArrayType,
        DataType,
        IntegerType,
        MapType,
        StringType,
        StructField,
        StructType,
    )
except ImportError:
    raise MissingPackageError("pyspark", "spark", __name__) from None

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame


def deidentify(  # noqa: PLR0913 (all but three by name)
    frame: DataFrame,
    column: str,
    model: str | Path | Deidentifier = "en-default",
    *,
    recall: str | None = None,
    mode: str = "mask",
    key: Key | None = None,
    patient: str | None = None,
) -> DataFrame:
    """Replace the PHI in a column of texts.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
    column : str
        Of strings. Missing values stay.
    model : str, Path or Deidentifier
        The name of a bundled model, a folder that all workers see, or a fitted
        de-identifier, which is broadcast in its saved form.
    recall : {"balanced", "high", "maximum"}, optional
        As for `multideid.load`.
    mode : {"mask", "tag", "remove", "surrogate", "hash"}
    key : Key, optional
        For surrogates and hashes, which need one: workers share nothing else.
    patient : str, optional
        The column that identifies the patient, for surrogates. Default: each note has
        a patient of its own.

    Returns
    -------
    pyspark.sql.DataFrame
        Without metadata of columns, and with two more columns: ``deid_failure``, why a note
        failed, whose text is null then, and ``deid_spans``, the number of spans replaced.

    Raises
    ------
    UsageError
        If a column is missing or is none of strings, or there is no key for the mode.
    """
    schema = _schema(frame, column, patient)
    check_mode(mode, key)
    opened = _opener(frame, model, recall)

    def rewrite(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        replacer = replacer_of(mode, key)
        for batch in batches:
            yield rewritten(batch, column, patient, opened(), replacer)

    return frame.mapInPandas(rewrite, schema)


def _schema(frame: DataFrame, column: str, patient: str | None) -> StructType:
    check_columns(frame.columns, column, patient)
    if not isinstance(frame.schema[column].dataType, StringType):
        raise UsageError(f"column {column!r} does not hold strings")
    fields = [
        StructField(column, StringType()) if field.name == column else _field(field)
        for field in frame.schema.fields
    ]
    added = [StructField(FAILURE, StringType()), StructField(SPANS, IntegerType())]
    return StructType([*fields, *added])


def _field(field: StructField) -> StructField:
    """Return a field without metadata, such as comments, which is free text."""
    return StructField(field.name, _type(field.dataType), field.nullable)


def _type(kind: DataType) -> DataType:
    match kind:
        case StructType():
            return StructType([*map(_field, kind.fields)])
        case ArrayType():
            return ArrayType(_type(kind.elementType), kind.containsNull)
        case MapType():
            return MapType(_type(kind.keyType), _type(kind.valueType), kind.valueContainsNull)
    return kind


def _opener(
    frame: DataFrame, model: str | Path | Deidentifier, recall: str | None
) -> Callable[[], Deidentifier]:
    """Return a function that workers call; it gives the model, loaded once a process."""
    loaded = open_model(model, recall)  # What is wrong with it is said here, before any work.
    if isinstance(model, str | Path):
        return lambda: opened_once(manifest_of(model, recall), lambda: open_model(model, recall))
    packed = frame.sparkSession.sparkContext.broadcast(loaded.to_bytes())
    return lambda: opened_once(packed.value, lambda: load_bytes(packed.value))
