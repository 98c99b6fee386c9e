"""Dataclasses of arrays alone, each kept in one file."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

from multideid.persistence.files import load_arrays, save_arrays


@dataclass(frozen=True, slots=True)
class ArrayRecord:
    """Base of a dataclass whose fields are all arrays.

    The file holds them in the order of the fields and under their names.
    """

    def save(self, folder: Path, name: str) -> None:
        """Write ``<name>.npz`` into `folder`."""
        save_arrays(folder, name, **{part.name: getattr(self, part.name) for part in fields(self)})

    @classmethod
    def load(cls, folder: Path, name: str) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If the file is missing or damaged.
        """
        arrays = load_arrays(folder, name)
        return cls(*(arrays[part.name] for part in fields(cls)))
