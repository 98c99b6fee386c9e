"""Evaluations and comparisons as plain text."""

from __future__ import annotations

from collections.abc import Mapping

from multideid.eval.compare import ClassComparison, Comparison
from multideid.eval.leak import Leak
from multideid.eval.result import Evaluation
from multideid.eval.scores import MacroScore, Score
from multideid.eval.significance import SIGNIFICANT_Z, Interval
from multideid.eval.text_table import text_table
from multideid.eval.token_metrics import NON_PHI


def format_evaluation(evaluation: Evaluation) -> str:
    """Render both views, per class and overall, with the signature below."""
    tokenization = evaluation.signature.tokenization
    sections = [
        _section("Spans, strict: start, end and label equal", _span_table(evaluation)),
        _section(f"Tokens ({tokenization})", _token_table(evaluation)),
        _leak_sentence(evaluation.leak),
        str(evaluation.signature),
    ]
    return "\n\n".join(sections)


def format_comparison(comparison: Comparison) -> str:
    """Render all systems side by side, with notes and the signature below."""
    f = _f_name(comparison.signature.beta)
    sections = [
        _section("Overall (intervals: 95%, bootstrap over documents)", _overall_table(comparison)),
        _section(f"Spans, strict {f} by class", _span_f_table(comparison)),
        _section(f"Tokens, {f} by class", _token_f_table(comparison.classes)),
    ]
    if comparison.reference is not None and len(comparison.evaluations) > 1:
        title = (
            f"Tokens, z of the difference from {comparison.reference} "
            f"(positive: better; *: |z| > {SIGNIFICANT_Z})"
        )
        sections.append(_section(title, _z_table(comparison.classes)))
    sections += [f"Note: {note}." for note in comparison.notes]
    return "\n\n".join([*sections, str(comparison.signature)])


def _section(title: str, table: str) -> str:
    return f"{title}\n\n{table}"


def _f_name(beta: float) -> str:
    return f"F{beta:g}"


def _span_table(evaluation: Evaluation) -> str:
    spans, beta = evaluation.spans, evaluation.signature.beta
    overall: dict[str, Score | MacroScore] = {
        "micro": spans.strict.micro(),
        "macro": spans.strict.macro(),
        "relaxed: overlap, same label": spans.relaxed.micro(),
        "type-blind": spans.strict_type_blind.micro(),
        "type-blind, relaxed": spans.relaxed_type_blind.micro(),
    }
    return _score_table(spans.strict.per_class(), overall, beta)


def _token_table(evaluation: Evaluation) -> str:
    tokens, beta = evaluation.tokens, evaluation.signature.beta
    ways = len(tokens.labels)
    classes = {**tokens.per_class(), NON_PHI: tokens.non_phi()}
    overall: dict[str, Score | MacroScore] = {
        "two-way (PHI or not)": tokens.two_way(),
        f"{ways}-way (PHI classes)": tokens.phi_classes(),
        f"{ways + 1}-way (with {NON_PHI})": tokens.all_classes(),
        "macro (PHI classes)": tokens.macro(),
    }
    return _score_table(classes, overall, beta)


def _score_table(
    classes: Mapping[str, Score], overall: Mapping[str, Score | MacroScore], beta: float
) -> str:
    header = ["", "P", "R", _f_name(beta), "gold", "predicted", "correct"]
    rows = [[name, *_cells(score, beta)] for name, score in classes.items()]
    rows.append([""] * len(header))
    rows += [[name, *_cells(score, beta)] for name, score in overall.items()]
    return text_table(header, rows)


def _cells(score: Score | MacroScore, beta: float) -> list[str]:
    figures = [_figure(x) for x in (score.precision, score.recall, score.f(beta))]
    if isinstance(score, MacroScore):
        return [*figures, "", "", ""]
    return [*figures, str(score.gold), str(score.predicted), str(score.correct)]


def _figure(value: float) -> str:
    return f"{value:.4f}"


def _leak_sentence(leak: Leak) -> str:
    return (
        f"Left standing: {leak.characters} of {leak.phi_characters} letters and digits of PHI "
        f"({leak.character_rate:.2%}), in {leak.documents} of {leak.n_documents} documents"
    )


def _overall_table(comparison: Comparison) -> str:
    f = _f_name(comparison.signature.beta)
    ways = len(comparison.labels)
    header = ["", "span P", "span R", f"span {f}", "interval"]
    header += ["PHI P", "PHI R", f"PHI {f}", f"{ways}-way {f}", "leaks"]
    if comparison.candidate is not None:
        header.append(f"span {f}: {comparison.candidate} less this")
    return text_table(header, [_overall_row(comparison, k) for k in comparison.evaluations])


def _overall_row(comparison: Comparison, system: str) -> list[str]:
    evaluation, beta = comparison.evaluations[system], comparison.signature.beta
    row = [system, *_cells(evaluation.spans.strict.micro(), beta)[:3]]
    row.append(_interval(comparison.intervals[system]))
    row += _cells(evaluation.tokens.two_way(), beta)[:3]
    row.append(_figure(evaluation.tokens.phi_classes().f(beta)))
    row.append(f"{evaluation.leak.documents}/{evaluation.leak.n_documents}")
    if comparison.candidate is not None:
        row.append(_difference(comparison.differences.get(system)))
    return row


def _interval(interval: Interval) -> str:
    return f"{interval.low:.4f}-{interval.high:.4f}"


def _difference(difference: Interval | None) -> str:
    if difference is None:
        return ""
    return f"{difference.estimate:+.4f} [{difference.low:+.4f}, {difference.high:+.4f}]"


def _span_f_table(comparison: Comparison) -> str:
    beta = comparison.signature.beta
    scores = {k: e.spans.strict.per_class() for k, e in comparison.evaluations.items()}
    gold = next(iter(scores.values()))
    rows = [
        [label, str(gold[label].gold), *(_figure(s[label].f(beta)) for s in scores.values())]
        for label in comparison.labels
    ]
    return text_table(["", "gold", *scores], rows)


def _token_f_table(classes: tuple[ClassComparison, ...]) -> str:
    rows = [[row.label, str(row.n), *map(_figure, row.f.values())] for row in classes]
    return text_table(["", "gold", *classes[0].f], rows)


def _z_table(classes: tuple[ClassComparison, ...]) -> str:
    rows = [[row.label, str(row.n), *map(_z, row.z.values())] for row in classes]
    return text_table(["", "n", *classes[0].z], rows)


def _z(value: float) -> str:
    return f"{value:+.2f}{'*' if abs(value) > SIGNIFICANT_Z else ' '}"
