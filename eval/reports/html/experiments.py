"""Experiments as reports: what can be drawn is drawn, and the tables stand below."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from multideid.eval.reports.html.blocks import Chart, Point, Report, Section, Text

Figures = Mapping[str, Any]
"""What an experiment's result gives as plain JSON values."""

_LEARNING = {"span_f": "span F1, strict", "token_f": "token F1, PHI or not"}


def experiment_report(figures: Figures, tables: str) -> Report:
    """Show an experiment.

    Parameters
    ----------
    figures : mapping
        The result as plain JSON values, as ``to_dict`` gives and files keep
        them; ``experiment`` names the experiment.
    tables : str
        The result as text, as ``to_text`` gives it.

    Returns
    -------
    Report
    """
    name = str(figures["experiment"])
    charts = tuple(_CHARTS[name](figures)) if name in _CHARTS else ()
    return Report(
        f"Experiment: {name}",
        (
            Section("charts", "Charts", charts),
            Section("tables", "Tables", tuple(_texts(figures, tables))),
        ),
    )


def _texts(figures: Figures, tables: str) -> Iterator[Text]:
    """Yield the tables, then as paragraphs of their own the notes and signatures."""
    notes = [f"Note: {note}." for note in dict.fromkeys(figures.get("notes", ()))]
    signatures = [source["line"] for source in figures.get("sources", ())]
    told = {*notes, "\n".join(signatures)}
    parts = (part for part in tables.split("\n\n") if part not in told)
    yield Text("\n\n".join(parts), "tables")
    yield from (Text(note, "note") for note in notes)
    yield from (Text(line, "signature") for line in signatures)


def _learning_curves(figures: Figures) -> Iterator[Chart]:
    points = figures["points"]
    several = len({point["corpus"] for point in points}) > 1
    for measure, title in _LEARNING.items():
        series: dict[str, list[Point]] = {}
        for point in points:
            name = f"{point['system']}, {point['corpus']}" if several else point["system"]
            y = point["scores"][measure]
            place = Point(100 * point["fraction"], y["estimate"], y["low"], y["high"])
            series.setdefault(name, []).append(place)
        x_title = "share of the training documents, %"
        yield Chart(f"Learning curve, {title}", x_title, title, series, log_x=True)


def _operating_points(figures: Figures) -> Iterator[Chart]:
    for corpus in dict.fromkeys(curve["corpus"] for curve in figures["curves"]):
        own = [curve for curve in figures["curves"] if curve["corpus"] == corpus]
        yield precision_recall_chart(f"Multi's precision over recall: {corpus}", own)
    yield _dial(figures["promises"])


def precision_recall_chart(title: str, curves: Sequence[Figures]) -> Chart:
    """Draw curves of precision over recall at token level, one a class.

    Parameters
    ----------
    title : str
    curves : sequence of mapping
        Each with ``label``, ``recall`` and ``precision``, the last two
        sequences of float of equal length.
    """
    series = {
        curve["label"]: [
            Point(*place) for place in zip(curve["recall"], curve["precision"], strict=True)
        ]
        for curve in curves
    }
    return Chart(title, "recall, tokens", "precision, tokens", series, f_lines=True)


def _dial(promises: Sequence[Figures]) -> Chart:
    wanted = sorted({promise["wanted"] for promise in promises})
    series: dict[str, list[Point]] = {"as asked": [Point(x, x) for x in wanted]}
    for promise in promises:
        found = promise["recall"]
        point = Point(promise["wanted"], found["estimate"], found["low"], found["high"])
        series.setdefault(promise["corpus"], []).append(point)
    return Chart("The recall dial", "recall asked for", "recall on held-out documents", series)


_CHARTS: Mapping[str, Callable[[Figures], Iterator[Chart]]] = {
    "learning-curve": _learning_curves,
    "operating-points": _operating_points,
}
