"""Data frames of pandas: columns are rewritten, attributes left out, and all else stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import TYPE_CHECKING, Any

from multideid.arguments import is_missing
from multideid.deid.api import TEXT_COLUMN, as_options, figures
from multideid.deid.neutral_headings import NeutralHeadings
from multideid.deid.opening import open_run
from multideid.deid.options import DeidOptions
from multideid.deid.results import FrameResult
from multideid.deid.rows import rewrite_rows
from multideid.deid.run import Run
from multideid.deid.table_columns import FRAME, Columns, warn_of_kept_identifiers
from multideid.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd


def deidentify_frame(
    frame: pd.DataFrame,
    columns: str | Sequence[str] = TEXT_COLUMN,
    options: DeidOptions | None = None,
    *,
    id: str | None = None,
    patient: str | None = None,
) -> FrameResult:
    """De-identify columns of a data frame.

    Parameters
    ----------
    frame : pandas.DataFrame
    columns : str or sequence of str
        Names of the columns to rewrite. Missing values stay. A short value in a column that is
        named as an identifier or a date, or has the form of one, is replaced as a whole.
        Surrogates of the columns of a row agree.
    options : DeidOptions, optional
        Without a vault, which restores files only.
    id : str, optional
        The column that names the rows in failures and reports, and from which, without
        patients, surrogates follow. Default: their numbers.
    patient : str, optional
        The column that identifies the patient. Default: that of `options`.

    Returns
    -------
    FrameResult
        With a changed copy; the text of a row in `failures` is empty, there are no `attrs`, and
        names of other columns and of indices that repeat PHI are neutral (``column-2``).

    Raises
    ------
    UsageError
        If it is no data frame of pandas, a column is missing or repeated, a value is not
        a string, or options do not go together.
    ModelError
        If the model cannot be loaded.

    Warns
    -----
    IdentifierWarning
        If columns or indices that stay look like identifiers, or names of them repeat PHI.

    Examples
    --------
    >>> import pandas as pd
    >>> from multideid import deidentify_frame
    >>> notes = pd.DataFrame({"text": ["Seen on 3/14/2007."]})
    >>> deidentify_frame(notes).frame["text"][0]  # doctest: +SKIP
    'Seen on [DATE].'
    """
    _check_frame(frame)
    chosen = _frame_options(as_options(options), patient)
    names = _text_columns(frame, columns)
    rewritten = Columns(tuple(names), chosen.patient_field)
    with open_run(chosen) as opened:
        changed = _rewritten(frame, rewritten, opened.run, id)
    warn_of_kept_identifiers(frame, names)
    return FrameResult(frame=changed, **figures(opened.run))


def _frame_options(options: DeidOptions, patient: str | None) -> DeidOptions:
    if options.vault is not None:
        raise UsageError("a vault restores files; write the data frame to a file first")
    return options if patient is None else replace(options, patient_field=patient)


def _text_columns(frame: pd.DataFrame, columns: Any) -> list[Any]:
    is_list = isinstance(columns, Iterable) and not isinstance(columns, str)
    # A tuple may be the name of one column.
    is_name = isinstance(columns, tuple) and columns in frame.columns
    names = list(dict.fromkeys(columns)) if is_list and not is_name else [columns]
    if not names:
        raise UsageError("no column is named; name those with text")
    if any(map(is_missing, names)):
        raise UsageError("the name of a column is missing; name those with text")
    return names


def _rewritten(
    frame: pd.DataFrame, columns: Columns, run: Run, id_column: str | None = None
) -> pd.DataFrame:
    """Return a copy of a data frame with columns rewritten; missing values stay.

    Surrogates of the columns of a row agree.

    Parameters
    ----------
    frame : pandas.DataFrame
    columns : Columns
    run : Run
    id_column : str, optional
        The column that names the rows in failures. Default: their numbers.

    Raises
    ------
    UsageError
        If a column is missing or repeated, or a value is not a string; nothing has been
        processed then.
    """
    texts = columns.text
    named = [id_column, columns.patient, *texts]
    _only_columns(frame, (name for name in named if name is not None))
    for name in texts:
        _check_texts(frame[name], name)
    labels = None if id_column is None else map(str, frame[id_column])
    chosen = [part for name in named if name is not None for part in _parts(name)]
    headings = NeutralHeadings(_headings(frame), chosen)
    changed = _with_new_texts(frame, columns, run, labels, headings)
    headings.warn(FRAME)
    return _with_names(changed, headings.new_names())


def _headings(frame: pd.DataFrame) -> Iterator[str]:
    """Yield the names of columns, of levels of the index, and of axes."""
    for name in (*frame.columns, *frame.index.names, *frame.columns.names):
        yield from (part for part in _parts(name) if isinstance(part, str))


def _parts(name: Any) -> tuple[Any, ...]:
    """Return the name of a column on each level."""
    return name if isinstance(name, tuple) else (name,)


def _with_names(frame: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """Give columns, levels of the index, and axes of a data frame new names."""

    def renamed(name: Any) -> Any:
        if isinstance(name, tuple):
            return tuple(map(renamed, name))
        return names.get(name, name) if isinstance(name, str) else name

    if names:
        frame.columns = frame.columns.map(renamed).set_names(list(frame.columns.names))
        for axis in (frame.columns, frame.index):
            axis.names = list(map(renamed, axis.names))
    return frame


def _with_new_texts(
    frame: pd.DataFrame,
    columns: Columns,
    run: Run,
    labels: Iterable[str] | None,
    headings: NeutralHeadings,
) -> pd.DataFrame:
    names = columns.text
    texts = [_texts(frame[name]) for name in names]
    patients = repeat(None) if columns.patient is None else _patients(frame[columns.patient])
    cells = zip(zip(*texts, strict=True), patients, strict=False)
    of_rows = rewrite_rows(
        cells,
        list(map(str, names)),
        run,
        total=len(frame),
        names=(FRAME, FRAME),
        labels=labels,
        headings=headings,
    )
    new = list(zip(*of_rows, strict=True)) or [()] * len(names)
    changed = frame.copy()
    changed.attrs = {}  # They are free text.
    for name, old, cell in zip(names, texts, new, strict=True):
        # Where there was no text, there is none.
        kept = [None if before is None else text for before, text in zip(old, cell, strict=True)]
        changed[name] = _column_like(frame[name], kept)
    return changed


def _texts(column: pd.Series[Any]) -> list[str | None]:
    pairs = zip(column, column.isna(), strict=True)
    return [None if gone else text for text, gone in pairs]


def _column_like(old: pd.Series[Any], texts: list[str | None]) -> pd.Series[Any]:
    import pandas as pd

    new = pd.Series(texts, old.index, dtype=object)
    return new.astype("category" if isinstance(old.dtype, pd.CategoricalDtype) else old.dtype)


def _check_frame(frame: object) -> None:
    """Check that something is a data frame of pandas.

    Raises
    ------
    UsageError
        Says what to do with one of another library.
    """
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        library, kind = type(frame).__module__.partition(".")[0], type(frame).__name__
        raise UsageError(
            f"the data frame must be one of pandas; got {kind} of {library}: convert it, or "
            "rewrite each column with the model's deidentify"
        )


def _only_columns(frame: pd.DataFrame, names: Iterable[str]) -> None:
    for name in names:
        if list(frame.columns).count(name) != 1:
            raise UsageError(f"the data frame must have one column {name!r}")


def _check_texts(text: pd.Series[Any], name: str) -> None:
    for n, value in enumerate(text[text.notna()].tolist(), start=1):
        if not isinstance(value, str):
            kind = type(value).__name__
            raise UsageError(f"value {n} of column {name!r} is of type {kind}, not str")


def _patients(column: pd.Series[Any]) -> Iterator[Any]:
    pairs = zip(column, column.isna(), strict=True)
    return (None if gone else patient for patient, gone in pairs)
