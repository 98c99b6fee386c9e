"""The columns of a table: those that are rewritten, and a look at those that are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from multideid.corpora.identifier_names import warn_of_identifiers
from multideid.deid.neutral_headings import shown_heading

if TYPE_CHECKING:
    import pandas as pd

FRAME = "data frame"
"""What a table that is in no file is called."""
SAMPLE = 200
"""Values of a column that are looked at."""


class Columns(NamedTuple):
    """Names of columns.

    Parameters
    ----------
    text : tuple of str
        To be rewritten.
    patient : str, optional
        Identifies the patient of a row.
    """

    text: tuple[str, ...]
    patient: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All names."""
        return (*self.text, *filter(None, [self.patient]))


def warn_of_kept_identifiers(frame: pd.DataFrame, rewritten: Iterable[str]) -> None:
    """Warn of columns and indices of a data frame as `warn_of_kept_values`."""
    old, names = set(rewritten), list(frame.columns)
    kept = [name for name in names if name not in old and names.count(name) == 1]
    columns = {str(name): frame[name].dropna().head(SAMPLE) for name in kept}
    levels = {
        "index" if level is None else str(level): frame.index.get_level_values(n).dropna()[:SAMPLE]
        for n, level in enumerate(frame.index.names)
    }
    values = {name: list(map(str, sample)) for name, sample in {**levels, **columns}.items()}
    warn_of_kept_values(values, FRAME, [*map(str, names), *levels])


def warn_of_kept_values(
    values: Mapping[str, list[str]], table: object, names: Sequence[str]
) -> None:
    """Warn of columns that stay as they are, and look like identifiers or notes.

    By their names or their values.

    Parameters
    ----------
    values : mapping of str to list of str
        The first values of the columns that are not rewritten.
    table : object
        Its name.
    names : sequence of str
        Of all columns. Those that look like PHI are shown by their numbers.
    """
    remedy = "leave them out, or name them as columns too"
    warn_of_identifiers(table, values, remedy, partial(shown_heading, names=names))
