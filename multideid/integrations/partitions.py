"""De-identification of batches of rows, as clusters hand them to their workers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from multideid.arguments import check_text
from multideid.document import Document, FailedDocument
from multideid.errors import UsageError, failed_with
from multideid.integrations.coded_notes import found_in_readable
from multideid.integrations.note_names import note_name
from multideid.redact.keys import Key
from multideid.redact.modes import Replacer
from multideid.redact.redaction import make_replacer, redact
from multideid.redact.surrogates import Surrogates
from multideid.site.patients import PATIENT
from multideid.stacking.deidentifier import Deidentifier

if TYPE_CHECKING:
    import pandas as pd

FAILURE, SPANS = "deid_failure", "deid_spans"
"""Names of the columns that are added."""

_KEYED = ("surrogate", "hash")
_MODELS: dict[str, Deidentifier] = {}
"""The model that this worker process used last, by the digest of its bytes or manifest."""


def check_columns(names: Iterable[str], column: str, patient: str | None) -> None:
    """Check the columns of a data frame.

    Raises
    ------
    UsageError
        If one is missing or there twice, or one that is added is there already.
    """
    check_text("column", column)
    check_text("patient", patient, optional=True)
    known = list(names)
    for name in (column, patient):
        if name is not None and known.count(name) != 1:
            raise UsageError(f"the data frame must have one column {name!r}")
    taken = {FAILURE, SPANS} & set(known)
    if taken:
        raise UsageError(f"the data frame has a column {min(taken)!r} already")


def check_mode(mode: str, key: Key | None) -> None:
    """Check a mode and the key that some need, since workers share nothing else.

    Raises
    ------
    UsageError
        If the mode is unknown, or its key is missing.
    """
    check_text("mode", mode)
    if mode in _KEYED and key is None:
        raise UsageError(f"mode {mode!r} needs a key, so that all workers replace alike")
    make_replacer(mode, key)


def replacer_of(mode: str, key: Key | None) -> Replacer:
    """Return the replacer of a mode, with surrogates that agree within a patient."""
    if mode == "surrogate":
        return Surrogates(key, patient=PATIENT)
    return make_replacer(mode, key)


def opened_once(content: bytes, opened: Callable[[], Deidentifier]) -> Deidentifier:
    """Return a model, loaded once in this process.

    Parameters
    ----------
    content : bytes
        What no other model has: its bytes, or its manifest.
    opened : callable
        Loads it.
    """
    # Not the object's id or the path: other bytes may have the same.
    name = hashlib.sha256(content).hexdigest()
    if name not in _MODELS:
        _MODELS.clear()
        _MODELS[name] = opened()
    return _MODELS[name]


def rewritten(
    batch: pd.DataFrame,
    column: str,
    patient: str | None,
    model: Deidentifier,
    replacer: Replacer,
) -> pd.DataFrame:
    """Return a batch with new texts, and with two more columns.

    Parameters
    ----------
    batch : pandas.DataFrame
    column : str
        The texts. Missing ones stay missing.
    patient : str, optional
        The column that identifies the patient.
    model : Deidentifier
    replacer : Replacer

    Returns
    -------
    pandas.DataFrame
        `FAILURE` has why a note failed, whose text is missing then; `SPANS` the number of spans.
    """
    missing = batch[column].isna().tolist()
    patients = [None] * len(batch) if patient is None else batch[patient].tolist()
    rows = zip(batch[column], patients, missing, strict=True)
    documents = [
        Document(note_name(text), text, meta={PATIENT: who}) for text, who, gone in rows if not gone
    ]
    found = found_in_readable(documents, model.predict_each)
    results = [(None, None, None) if gone else _result(next(found), replacer) for gone in missing]
    texts, failures, spans = zip(*results, strict=True) if results else ((), (), ())
    changed = {column: list(texts), FAILURE: list(failures), SPANS: list(spans)}
    new = batch.assign(**changed).astype({SPANS: "Int32"})
    new.attrs = {}  # They are free text.
    return new


def _result(found: Document | FailedDocument, replacer: Any) -> tuple[Any, Any, Any]:
    """Return the new text, the failure and the number of spans of a note."""
    if isinstance(found, FailedDocument):
        return None, found.problem, None
    try:
        return redact(found, replacer), None, len(found.spans)
    except Exception as error:
        return None, failed_with(error), None
