"""Evaluation: scores of predictions, and significance of differences."""

from multideid.document import corpus_fingerprint
from multideid.eval.compare import ClassComparison, Comparison, compare
from multideid.eval.metrics.align import AlignmentError, align
from multideid.eval.metrics.distribution import (
    ClassWords,
    Distribution,
    distribution,
    format_distribution,
)
from multideid.eval.metrics.evaluation import Evaluation, SpanScores, evaluate
from multideid.eval.metrics.hipaa import HipaaView
from multideid.eval.metrics.leak import Leak, LeakCounts
from multideid.eval.metrics.reliability import Bin, Reliability
from multideid.eval.metrics.scores import MacroScore, Score
from multideid.eval.metrics.span_metrics import SpanCounts, count_spans
from multideid.eval.metrics.token_metrics import ConfusionMatrix, count_tokens
from multideid.eval.metrics.tokens import TokenView
from multideid.eval.reports.comparison import (
    comparisons_to_dict,
    format_comparison,
    format_comparisons,
)
from multideid.eval.reports.evaluation import format_evaluation
from multideid.eval.reports.thesis_table import format_z_table
from multideid.eval.signature import Scoring, Signature
from multideid.eval.statistics.randomization import randomization_p
from multideid.eval.statistics.significance import (
    Interval,
    bootstrap_f,
    percentile_interval,
    z_statistic,
)
from multideid.eval.statistics.z_table import ZRow, z_table

__all__ = [
    "AlignmentError",
    "Bin",
    "ClassComparison",
    "ClassWords",
    "Comparison",
    "ConfusionMatrix",
    "Distribution",
    "Evaluation",
    "HipaaView",
    "Interval",
    "Leak",
    "LeakCounts",
    "MacroScore",
    "Reliability",
    "Score",
    "Scoring",
    "Signature",
    "SpanCounts",
    "SpanScores",
    "TokenView",
    "ZRow",
    "align",
    "bootstrap_f",
    "compare",
    "comparisons_to_dict",
    "corpus_fingerprint",
    "count_spans",
    "count_tokens",
    "distribution",
    "evaluate",
    "format_comparison",
    "format_comparisons",
    "format_distribution",
    "format_evaluation",
    "format_z_table",
    "percentile_interval",
    "randomization_p",
    "z_statistic",
    "z_table",
]
