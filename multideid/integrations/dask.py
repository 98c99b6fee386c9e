"""De-identification of a column of a Dask data frame, partition by partition."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid.errors import MissingPackageError, UsageError
from multideid.fork_locks import ForkLock
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
    import dask.dataframe  # noqa: F401 (what is missing is said at once)
except ImportError:
    raise MissingPackageError("dask[dataframe]", "dask", __name__) from None

if TYPE_CHECKING:
    import dask.dataframe as dd
    import pandas as pd

_TURN = ForkLock()


def deidentify(  # noqa: PLR0913 (all but three by name)
    frame: dd.DataFrame,
    column: str,
    model: str | Path | Deidentifier = "en-default",
    *,
    recall: str | None = None,
    mode: str = "mask",
    key: Key | None = None,
    patient: str | None = None,
) -> dd.DataFrame:
    """Replace the PHI in a column of texts.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
    column : str
        Of strings. Missing values stay.
    model : str, Path or Deidentifier
        The name of a bundled model, a folder that all workers see, or a fitted
        de-identifier, which each task carries in its saved form.
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
    dask.dataframe.DataFrame
        Without attributes (``attrs``), and with two more columns: ``deid_failure``, why a note
        failed, whose text is missing then, and ``deid_spans``, the number of spans replaced.

    Raises
    ------
    UsageError
        If a column is missing or is none of strings, or there is no key for the mode.
    """
    if not hasattr(frame, "map_partitions"):
        raise UsageError(f"the data frame must be one of Dask; got a {type(frame).__name__}")
    check_columns(frame.columns, column, patient)
    check_mode(mode, key)
    empty = frame._meta
    _check_strings(empty[column].dtype, column)
    is_place = isinstance(model, str | Path)
    opened = open_model(model, recall)  # What is wrong with it is said here, before any work.
    rewrite = _Rewriting(
        column,
        patient,
        str(model) if is_place else opened.to_bytes(),
        recall if is_place else None,
        mode,
        key,
    )
    return frame.map_partitions(rewrite, meta=_result(empty, column))


def _check_strings(kind: Any, column: str) -> None:
    if kind.name == "category":
        # Its categories are the notes, and new texts are none of them.
        raise UsageError(f"column {column!r} holds categories; make strings of it with astype(str)")
    if kind.kind not in "OU" and kind.name not in ("string", "str"):
        raise UsageError(f"column {column!r} does not hold strings")


def _result(empty: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the result of a data frame without rows."""
    kind = empty[column].dtype
    added: dict[str, Any] = {FAILURE: empty[column].astype(kind), SPANS: 0}
    new = empty.assign(**added).astype({SPANS: "Int32"})
    new.attrs = {}
    return new


@dataclass(frozen=True)
class _Rewriting:
    """What is done to each partition; it is sent to the workers."""

    column: str
    patient: str | None
    model: str | bytes = field(repr=False)
    recall: str | None
    mode: str
    key: Key | None = field(repr=False)

    def __call__(self, part: pd.DataFrame) -> pd.DataFrame:
        # A model works in one thread at a time, and Dask's threads come together.
        with _TURN:
            replacer = replacer_of(self.mode, self.key)
            new = rewritten(part, self.column, self.patient, self._opened(), replacer)
        kind = part[self.column].dtype
        return new.astype({self.column: kind, FAILURE: kind})

    def _opened(self) -> Deidentifier:
        model, recall = self.model, self.recall
        if isinstance(model, bytes):
            return opened_once(model, lambda: load_bytes(model))
        return opened_once(manifest_of(model, recall), lambda: open_model(model, recall))
