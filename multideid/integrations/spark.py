"""De-identification of a column of a Spark data frame, in batches on all workers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid.document import Document, FailedDocument
from multideid.errors import MissingPackageError, UsageError
from multideid.models import open_model
from multideid.redact.keys import Key
from multideid.redact.modes import Replacer
from multideid.redact.redaction import make_replacer, redact
from multideid.redact.surrogates import Surrogates
from multideid.stacking.deidentifier import Deidentifier
from multideid.stacking.loading import load_bytes

try:
    from pyspark.sql.types import IntegerType, StringType, StructField, StructType
except ImportError:
    raise MissingPackageError("pyspark", "spark", __name__) from None

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame

FAILURE, SPANS = "deid_failure", "deid_spans"
"""Names of the columns that are added."""

_KEYED = ("surrogate", "hash")
_PATIENT = "patient"
_MODELS: dict[object, Deidentifier] = {}
"""The models of this worker process: each is loaded once."""


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
        With two more columns: ``deid_failure``, why a note failed, whose text is null then,
        and ``deid_spans``, the number of spans replaced.

    Raises
    ------
    UsageError
        If a column is missing or is none of strings, or there is no key for the mode.
    """
    schema = _schema(frame, column, patient)
    if mode in _KEYED and key is None:
        raise UsageError(f"mode {mode!r} needs a key, so that all workers replace alike")
    make_replacer(mode, key)
    opened = _opener(frame, model, recall)

    def rewrite(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        replacer = Surrogates(key, patient=_PATIENT) if mode == "surrogate" else mode
        for batch in batches:
            yield _rewritten(batch, column, patient, opened(), replacer)  # type: ignore[arg-type]

    return frame.mapInPandas(rewrite, schema)


def _schema(frame: DataFrame, column: str, patient: str | None) -> StructType:
    for name in filter(None, [column, patient]):
        if frame.columns.count(name) != 1:
            raise UsageError(f"the data frame must have one column {name!r}")
    if not isinstance(frame.schema[column].dataType, StringType):
        raise UsageError(f"column {column!r} does not hold strings")
    taken = {FAILURE, SPANS} & set(frame.columns)
    if taken:
        raise UsageError(f"the data frame has a column {min(taken)!r} already")
    fields = [
        StructField(column, StringType()) if field.name == column else field
        for field in frame.schema.fields
    ]
    added = [StructField(FAILURE, StringType()), StructField(SPANS, IntegerType())]
    return StructType([*fields, *added])


def _opener(
    frame: DataFrame, model: str | Path | Deidentifier, recall: str | None
) -> Callable[[], Deidentifier]:
    """Return a function that workers call; it gives the model, loaded once a process."""
    open_model(model, recall)  # What is wrong with it is said here, before any work.
    if isinstance(model, str | Path):
        return lambda: _once((str(model), recall), lambda: open_model(model, recall))
    packed = frame.sparkSession.sparkContext.broadcast(open_model(model, recall).to_bytes())
    return lambda: _once(id(packed), lambda: load_bytes(packed.value))


def _once(name: object, opened: Callable[[], Deidentifier]) -> Deidentifier:
    if name not in _MODELS:
        _MODELS.clear()
        _MODELS[name] = opened()
    return _MODELS[name]


def _rewritten(
    batch: pd.DataFrame,
    column: str,
    patient: str | None,
    model: Deidentifier,
    replacer: Replacer,
) -> pd.DataFrame:
    missing = batch[column].isna().tolist()
    patients = [None] * len(batch) if patient is None else batch[patient].tolist()
    rows = zip(batch[column], patients, missing, strict=True)
    documents = [
        Document(_name(text), text, meta={_PATIENT: who}) for text, who, gone in rows if not gone
    ]
    found = model.predict_each(documents)
    results = [(None, None, None) if gone else _result(next(found), replacer) for gone in missing]
    texts, failures, spans = zip(*results, strict=True) if results else ((), (), ())
    changed = {column: list(texts), FAILURE: list(failures), SPANS: list(spans)}
    return batch.assign(**changed).astype({SPANS: "Int32"})


def _name(text: str) -> str:
    """Return a name that a note has in every batch, and on a worker that repeats it.

    Without a patient, surrogates follow from it: with numbers of rows, the notes of one row in
    all batches would have one patient.
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _result(found: Document | FailedDocument, replacer: Any) -> tuple[Any, Any, Any]:
    """Return the new text, the failure and the number of spans of a note."""
    if isinstance(found, FailedDocument):
        return None, found.problem, None
    try:
        return redact(found, replacer), None, len(found.spans)
    except Exception as error:
        # The message may quote the note.
        return None, f"failed with {type(error).__name__}", None
