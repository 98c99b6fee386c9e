"""The report of an evaluation: one page of HTML that needs nothing else."""

from multideid.eval.reports.html.blocks import (
    Block,
    Chart,
    Figures,
    Folded,
    HeatMap,
    Intervals,
    Point,
    Report,
    Section,
    Table,
    Text,
)
from multideid.eval.reports.html.build import check_report_place, comparison_report, write_report
from multideid.eval.reports.html.experiments import experiment_report, precision_recall_chart
from multideid.eval.reports.html.render import render_report

__all__ = [
    "Block",
    "Chart",
    "Figures",
    "Folded",
    "HeatMap",
    "Intervals",
    "Point",
    "Report",
    "Section",
    "Table",
    "Text",
    "check_report_place",
    "comparison_report",
    "experiment_report",
    "precision_recall_chart",
    "render_report",
    "write_report",
]
