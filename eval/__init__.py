"""How good predictions are, and whether a difference is more than chance."""

from multideid.eval.align import AlignmentError, align
from multideid.eval.compare import ClassComparison, Comparison, compare
from multideid.eval.comparison_report import format_comparison, format_z_table
from multideid.eval.distribution import (
    ClassWords,
    Distribution,
    distribution,
    format_distribution,
)
from multideid.eval.hipaa import HipaaView
from multideid.eval.leak import Leak, LeakCounts
from multideid.eval.randomization import randomization_p
from multideid.eval.report import format_evaluation
from multideid.eval.result import Evaluation, SpanScores, evaluate
from multideid.eval.scores import MacroScore, Score
from multideid.eval.several import comparisons_to_dict, format_comparisons
from multideid.eval.signature import Signature
from multideid.eval.significance import Interval, bootstrap_f, percentile_interval, z_statistic
from multideid.eval.span_metrics import SpanCounts, count_spans
from multideid.eval.token_metrics import ConfusionMatrix, count_tokens
from multideid.eval.tokens import TokenView
from multideid.eval.z_table import ZRow, z_table
from multideid.fingerprint import corpus_fingerprint

__all__ = [
    "AlignmentError",
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
    "Score",
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
