"""One row for a system, or for Multi of some systems, and the tables of such rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from multideid.eval.experiments.committees import ALL, ALL_WITHOUT, ALONE, BASE, WITH, WITHOUT
from multideid.eval.experiments.outcomes import Difference
from multideid.eval.metrics.scores import Score
from multideid.eval.reports.text_cells import figure, p_cell, section
from multideid.eval.statistics.significance import MARKS
from multideid.tables import text_table

_TABLES = {
    "Each system alone": (ALONE,),
    "Multi of the base set, with one system more, and with one less": (BASE, WITH, WITHOUT),
    "Multi of all systems, and with one less": (ALL, ALL_WITHOUT),
}
_TESTS = f"p: approximate randomization over documents; {MARKS}"


@dataclass(frozen=True, slots=True)
class SystemsRow:
    """A system, or Multi of some, on one corpus.

    Parameters
    ----------
    corpus : str
    change : {"alone", "base", "with", "without", "all", "all without"}
        The system alone; Multi of the base set, with the system added or left
        out; Multi of all systems, or of all but this one.
    system : str
        "" with "base" and "all".
    tokens : Score
        At token level, PHI or not.
    spans : Score
        Strict.
    leaking : int
        Documents in which PHI is left standing.
    stacker_seconds : float or None
        Of fitting Multi's stacker; None for a system alone.
    from_base : Difference or None
        From Multi of the base set; None for itself.
    from_all : Difference or None
        From Multi of all systems; only with "all without".
    """

    corpus: str
    change: str
    system: str
    tokens: Score
    spans: Score
    leaking: int
    stacker_seconds: float | None
    from_base: Difference | None
    from_all: Difference | None

    @property
    def title(self) -> str:
        """What tables call it."""
        return self.system if self.change == ALONE else f"{self.change} {self.system}".strip()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "corpus": self.corpus,
            "change": self.change,
            "system": self.system,
            "tokens": self.tokens.to_dict(),
            "spans": self.spans.to_dict(),
            "leaking": self.leaking,
            "stacker_seconds": self.stacker_seconds,
            "from_base": self.from_base and self.from_base.to_dict(),
            "from_all": self.from_all and self.from_all.to_dict(),
        }


def row_sections(rows: Sequence[SystemsRow]) -> Iterator[str]:
    """Yield a table of the systems alone, one of the base set, and one of all systems."""
    for title, changes in _TABLES.items():
        own = [row for row in rows if row.change in changes]
        if own:
            yield section(f"{title}\n({_TESTS})", _table(own, is_of_all=ALL in changes))


def _table(rows: Sequence[SystemsRow], *, is_of_all: bool) -> str:
    header = ["corpus", "", "PHI P", "PHI R", "PHI F1", "span F1", "leaks", "stacker s"]
    header += _header(BASE)
    cells = [[*_cells(row), *_difference(row.from_base)] for row in rows]
    if is_of_all:
        header += _header(ALL)
        cells = [[*c, *_difference(row.from_all)] for c, row in zip(cells, rows, strict=True)]
    return text_table(header, cells, left=2)


def _cells(row: SystemsRow) -> list[str]:
    figures = (row.tokens.precision, row.tokens.recall, row.tokens.f1, row.spans.f1)
    seconds = "" if row.stacker_seconds is None else f"{row.stacker_seconds:.1f}"
    return [row.corpus, row.title, *map(figure, figures), str(row.leaking), seconds]


def _header(other: str) -> list[str]:
    return [f"PHI - {other}", "p   ", f"span - {other}", "p   "]


def _difference(found: Difference | None) -> list[str]:
    if found is None:
        return [""] * 4
    return [
        f"{found.token_f:+.4f}",
        p_cell(found.token_p),
        f"{found.span_f:+.4f}",
        p_cell(found.span_p),
    ]
