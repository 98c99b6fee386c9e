"""Reports as one self-contained page of HTML."""

from multideid.eval.reports.html.render import check_report_place, render_report, write_report
from multideid.eval.reports.html.report import comparison_report

__all__ = ["check_report_place", "comparison_report", "render_report", "write_report"]
