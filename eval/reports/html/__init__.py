"""Reports as one self-contained page of HTML."""

from multideid.eval.reports.blocks import (
    Block,
    Chart,
    Figures,
    Folded,
    Form,
    HeatMap,
    Intervals,
    Point,
    Report,
    Section,
    Text,
)
from multideid.eval.reports.html.render import render_report
from multideid.eval.reports.html.report import check_report_place, comparison_report, write_report
from multideid.tables import Table

__all__ = [
    "Block",
    "Chart",
    "Figures",
    "Folded",
    "Form",
    "HeatMap",
    "Intervals",
    "Point",
    "Report",
    "Section",
    "Table",
    "Text",
    "check_report_place",
    "comparison_report",
    "render_report",
    "write_report",
]
