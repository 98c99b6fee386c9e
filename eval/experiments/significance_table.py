"""Two F-measures a class and the z value of their difference, with what is compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from multideid.eval.metrics.evaluation import Evaluation
from multideid.eval.reports.comparison_text import format_z_table
from multideid.eval.reports.text_cells import figure
from multideid.eval.statistics.significance import SIGNIFICANT_Z, mark_of_z
from multideid.eval.statistics.z_table import ZRow, z_table
from multideid.tables import text_table


@dataclass(frozen=True, slots=True)
class SignificanceTable:
    """Two sets of predictions, class by class, as the thesis's Tables B.1 to B.8.

    Parameters
    ----------
    first, second : str
        What is compared; a z is positive where the second is better.
    rows : tuple of ZRow
        Token level: every PHI class, then non-PHI, then PHI of any class.
    """

    first: str
    second: str
    rows: tuple[ZRow, ...]

    @classmethod
    def of(
        cls, first: str, second: str, evaluations: tuple[Evaluation, Evaluation]
    ) -> SignificanceTable:
        """Compare two evaluations, which may be of different documents."""
        return cls(first, second, z_table(*evaluations))

    @property
    def overall(self) -> ZRow:
        """The row of PHI of any class."""
        return self.rows[-1]

    def better(self, side: int) -> tuple[str, ...]:
        """Return the classes in which a side, 0 or 1, is significantly better."""
        sign = 1 if side else -1
        return tuple(row.label for row in self.rows[:-1] if row.z * sign > SIGNIFICANT_Z)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "first": self.first,
            "second": self.second,
            "rows": [{**asdict(row), "n": list(row.n), "f": list(row.f)} for row in self.rows],
        }


def format_tables(tables: Sequence[SignificanceTable]) -> str:
    """Render the first table, and of all, if there are more, the row of any PHI."""
    first = tables[0]
    parts = [format_z_table(first.rows, first.first, first.second)]
    if len(tables) > 1:
        rows = [[t.first, *map(figure, t.overall.f), _z(t.overall.z)] for t in tables]
        parts.append(text_table(["any PHI", "F", first.second, "Z   "], rows))
    return "\n\n".join(parts)


def _z(value: float) -> str:
    return f"{value:+.5f}{mark_of_z(value):<3}"
