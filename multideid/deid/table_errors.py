"""Tables that cannot be read or written: each costs no other file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from multideid.errors import CorpusError, MultideidError, failed_with


class TableError(Exception):
    """A table that cannot be read; the message holds none of its text."""


@contextmanager
def as_table_error() -> Iterator[None]:
    """Turn what an odd table raises into the error of this table, which does not end the run.

    The libraries that read and write tables raise errors of any type, which may quote them.
    """
    try:
        yield
    except CorpusError as error:
        where = f"{error.where}: " if error.where else ""
        raise TableError(f"{where}{error.problem}") from None
    except (TableError, MultideidError, OSError):
        raise
    except Exception as error:
        raise TableError(failed_with(error)) from None
