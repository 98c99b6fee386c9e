"""The report of a de-identification as a page: tables to sort, filter and save."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import IO, Any

from multideid.deid.report_records import Report
from multideid.deid.report_tables import Table, Totals, spans_table
from multideid.pages.frame import page_file, page_head, script_json

_TITLE = "De-identification"
_SCRIPT = "tables.js"
_NO_SCRIPT = "The tables need JavaScript, which is switched off."


class PageReport(Report):
    """One page of HTML: spans with the lowest scores first, and totals by label, system and note.

    It asks nothing of the network. Spans are written as they come; one line for each note is kept.
    """

    def __init__(self, file: IO[str], show_phi: bool) -> None:
        super().__init__(file, show_phi)
        self._totals = Totals()
        self._spans = spans_table(show_phi)
        file.write(f"{page_head(_TITLE, page_file(_SCRIPT))}<body>\n")
        # The rows come first, since they are not kept until the end.
        head = script_json(self._spans.head())
        file.write(f'<script type="application/json" id="spans">{head[:-1]},"rows":[')

    def _counted(self) -> Totals:
        return self._totals.copy()

    def _count_as(self, counted: Totals) -> None:
        self._totals = counted.copy()
        del self._totals.notes[counted.all.notes :]

    def _write(self, name: str, rows: Sequence[dict[str, Any]]) -> None:
        self._totals.add(name, rows)
        for row in rows:
            values = script_json([name, *row.values()])
            self._file.write(f"{self._between}{values}")
            self._between = ",\n"

    def finish(self) -> None:
        """Write the totals, and the page around them."""
        write = self._file.write
        write("]}</script>\n")
        shown = [*self._totals.tables(), (self._spans, None)]
        for table, rows in shown:
            if rows is not None:
                data = script_json({**table.head(), "rows": rows})
                write(f'<script type="application/json" id="{table.name}">{data}</script>\n')
        write(_header([table for table, _ in shown], self._show_phi))
        write(f"<main>\n{_key_figures(self._totals.figures())}")
        for table, _ in shown:
            write(_section(table))
        write(f"</main>\n<script>{page_file(_SCRIPT)}</script>\n</body>\n</html>\n")


def _header(tables: Iterable[Table], show_phi: bool) -> str:
    guard = (
        "This file quotes PHI. Keep it as safe as the notes."
        if show_phi
        else "This file quotes no PHI, but names the notes, and where in them PHI is."
    )
    links = "\n".join(f'<a href="#part-{table.name}">{table.title}</a>' for table in tables)
    return (
        f'<header>\n<p class="brand">multideid</p>\n<h1>{_TITLE}</h1>\n'
        f'<p class="guard">{guard}</p>\n<nav aria-label="Sections">\n{links}\n</nav>\n</header>\n'
        f"<noscript><p>{_NO_SCRIPT}</p></noscript>\n"
    )


def _key_figures(figures: Iterable[tuple[str, str, str]]) -> str:
    items = "\n".join(
        f"<div><dt>{name}</dt><dd><strong>{figure}</strong><span>{escape(detail)}</span></dd></div>"
        for name, figure, detail in figures
    )
    return f'<section><dl class="figures">\n{items}\n</dl></section>\n'


def _section(table: Table) -> str:
    heading = f"part-{table.name}-heading"
    return (
        f'<section id="part-{table.name}" aria-labelledby="{heading}">\n'
        f'<h2 id="{heading}">{table.title}</h2>\n<p class="lead">{table.lead}</p>\n'
        f'<div data-table="{table.name}"></div>\n</section>\n'
    )
