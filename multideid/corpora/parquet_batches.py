"""Read and write Parquet files in batches of rows, independently of their row groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from multideid.corpora.source import require_file, unreadable
from multideid.errors import CorpusError, MissingPackageError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

_BUFFER = 1 << 20
_BATCH_BYTES = 1 << 22
_BATCH_ROWS = 1024
_GROUP_BYTES = 1 << 24


def read_schema(path: Path) -> pa.Schema:
    """Return the names and types of a file's columns, and its metadata.

    Raises
    ------
    CorpusError
        If it is not a readable Parquet file.
    """
    with _opened(path) as file:
        return file.schema_arrow


def count_rows(path: Path) -> int:
    """Read a whole file and return its number of rows; raises as `read_batches`."""
    return sum(batch.num_rows for batch in read_batches(path))


def read_batches(path: Path) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a file in batches of about four megabytes, none of them empty.

    Larger row groups are not read as a whole.

    Raises
    ------
    CorpusError
        If the file cannot be read, or contains invalid UTF-8.
    """
    with _opened(path) as file:
        for batch in file.iter_batches(_rows_at_once(file.metadata), use_threads=False):
            # Invalid UTF-8 would otherwise raise later, with an error that quotes it.
            batch.validate(full=True)
            if batch.num_rows:
                yield batch


def require_pyarrow() -> None:
    """Raise `MissingPackageError` unless the package that reads and writes Parquet is there."""
    if find_spec("pyarrow") is None:
        raise MissingPackageError("pyarrow", "parquet", "a Parquet file")


@contextmanager
def _opened(path: Path) -> Iterator[parquet.ParquetFile]:
    require_pyarrow()
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(require_file(path), buffer_size=_BUFFER, pre_buffer=False) as file:
            yield file
    except OSError as exc:
        if exc.errno is not None:
            raise unreadable(path, exc) from None
        raise _damaged(path) from None
    except (pa.ArrowException, ValueError):
        raise _damaged(path) from None


def _damaged(path: Path) -> CorpusError:
    return CorpusError(path, "not a readable Parquet file; it may be damaged or cut short")


def _rows_at_once(metadata: parquet.FileMetaData) -> int:
    groups = range(metadata.num_row_groups)
    size = sum(metadata.row_group(n).total_byte_size for n in groups)
    return int(max(1, min(_BATCH_ROWS, _BATCH_BYTES * metadata.num_rows // max(1, size))))


def row_groups(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Yield tables of about sixteen megabytes, to be written as row groups."""
    import pyarrow as pa

    group: list[pa.RecordBatch] = []
    for batch in batches:
        group.append(batch)
        if sum(b.nbytes for b in group) > _GROUP_BYTES:
            yield pa.Table.from_batches(group)
            group = []
    if group:
        yield pa.Table.from_batches(group)
