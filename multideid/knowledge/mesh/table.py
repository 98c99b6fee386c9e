"""Tables with a row a descriptor or a tree number, their columns parted by tabs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from multideid.errors import ResourceError
from multideid.knowledge.mesh.descriptors import Descriptor

ID, NAME, TREE = "mesh_id", "mesh_name", "mesh_tree_number"


def read_table(lines: Iterable[str], path: Path) -> Iterator[Descriptor]:
    """Yield what each row tells of a descriptor.

    Parameters
    ----------
    lines : iterable of str
        The first names the columns: ``mesh_id`` and ``mesh_name``, and
        ``mesh_tree_number`` where there are tree numbers.
    path : Path
        Named in errors.

    Raises
    ------
    ResourceError
        If a column is missing, or a row is not what it should be.
    """
    rows = enumerate((line.rstrip("\r\n").split("\t") for line in lines), 1)
    _, columns = next(rows, (1, []))
    missing = [name for name in (ID, NAME) if name not in columns]
    if missing:
        raise ResourceError(path, f"has no column {missing[0]}", "line 1")
    for number, row in rows:
        if row != [""]:
            yield _descriptor(row, columns, path, number)


def _descriptor(row: list[str], columns: list[str], path: Path, line: int) -> Descriptor:
    if len(row) != len(columns):
        problem = f"has {len(row)} columns where the first line has {len(columns)}"
        raise ResourceError(path, problem, f"line {line}")
    values = dict(zip(columns, row, strict=True))
    try:
        return Descriptor.of(values[ID], [values[NAME]], [values.get(TREE, "")])
    except ValueError as error:
        raise ResourceError(path, str(error), f"line {line}") from None
