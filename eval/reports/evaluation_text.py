"""Evaluations as plain text."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from multideid.eval.metrics.evaluation import Evaluation
from multideid.eval.metrics.hipaa import HipaaView
from multideid.eval.metrics.leak import LeakCounts
from multideid.eval.metrics.token_metrics import NON_PHI, ConfusionMatrix
from multideid.eval.reports.text_cells import (
    LEAK_HEADER,
    AnyScore,
    count_cells,
    f_names,
    leak_cells,
    score_cells,
    section,
)
from multideid.labels import identifier_kind
from multideid.tables import text_table

_LISTED_CONFUSIONS = 10


def format_evaluation(evaluation: Evaluation) -> str:
    """Render every view, per class and overall, with the signature below."""
    tokenization, beta = evaluation.signature.tokenization, evaluation.signature.beta
    sections = [
        section("Spans, strict: start, end and label equal", _span_table(evaluation)),
        section(f"Tokens ({tokenization})", _token_table(evaluation)),
        _confusions(evaluation.tokens),
        section("PHI left standing, in letters and digits", leak_table(evaluation.leaks)),
        _hipaa(evaluation.hipaa, beta),
        "\n".join(f"Note: {note}." for note in evaluation.notes),
        str(evaluation.signature),
    ]
    return "\n\n".join(filter(None, sections))


def _span_table(evaluation: Evaluation) -> str:
    spans = evaluation.spans
    overall: dict[str, AnyScore] = {
        "micro": spans.strict.micro(),
        "macro": spans.strict.macro(),
        "relaxed: overlap, same label": spans.relaxed.micro(),
        "type-blind": spans.strict_type_blind.micro(),
        "type-blind, relaxed": spans.relaxed_type_blind.micro(),
    }
    return _score_table(spans.strict.per_class(), overall, evaluation.signature.beta)


def _token_table(evaluation: Evaluation) -> str:
    tokens = evaluation.tokens
    ways = len(tokens.labels)
    classes = {**tokens.per_class(), NON_PHI: tokens.non_phi()}
    overall: dict[str, AnyScore] = {
        "two-way (PHI or not)": tokens.two_way(),
        f"{ways}-way (PHI classes)": tokens.phi_classes(),
        f"{ways + 1}-way (with {NON_PHI})": tokens.all_classes(),
        "macro (PHI classes)": tokens.macro(),
    }
    return _score_table(classes, overall, evaluation.signature.beta)


def _score_table(
    classes: Mapping[str, AnyScore], overall: Mapping[str, AnyScore], beta: float
) -> str:
    header = ["", "P", "R", *f_names(beta), "gold", "predicted", "correct"]
    rows = [_score_row(name, score, beta) for name, score in classes.items()]
    rows.append([""] * len(header))
    rows += [_score_row(name, score, beta) for name, score in overall.items()]
    return text_table(header, rows)


def _score_row(name: str, score: AnyScore, beta: float) -> list[str]:
    return [name, *score_cells(score, beta), *count_cells(score)]


def _confusions(tokens: ConfusionMatrix) -> str:
    names = [NON_PHI, *tokens.labels]
    wrong = tokens.counts * ~np.eye(len(names), dtype=np.bool_)
    order = np.argsort(-wrong, axis=None, kind="stable")[:_LISTED_CONFUSIONS]
    pairs = [divmod(int(cell), len(names)) for cell in order if wrong.flat[cell]]
    if not pairs:
        return ""
    rows = [[names[g], names[p], f"{wrong[g, p]:,}"] for g, p in pairs]
    title = "Tokens most often given another class"
    return section(title, text_table(["gold", "predicted", "tokens"], rows, left=2))


def leak_table(leaks: LeakCounts) -> str:
    """Lay out the PHI left standing by class, by kind of identifier, and in all."""
    rows = [
        [label, identifier_kind(label), *leak_cells(leak)]
        for label, leak in leaks.per_class().items()
    ]
    rows.append([""] * (2 + len(LEAK_HEADER)))
    rows += [
        ["all", kind, *leak_cells(leak)]
        for kind, leak in leaks.per_kind().items()
        if leak.phi_characters
    ]
    rows.append(["all", "", *leak_cells(leaks.overall())])
    return text_table(["", "identifiers", *LEAK_HEADER], rows, left=2)


def _hipaa(view: HipaaView, beta: float) -> str:
    if not view.identifiers:
        return ""
    header = ["", "gold", "span P", "span R", *f_names(beta, "span ")]
    header += ["token P", "token R", *f_names(beta, "token ")]
    spans = {**view.spans.per_class(), "micro": view.spans.micro()}
    tokens = {**view.tokens.per_class(), "micro": view.tokens.phi_classes()}
    rows = [
        [name, f"{s.gold:,}", *score_cells(s, beta), *score_cells(tokens[name], beta)]
        for name, s in spans.items()
    ]
    return section("HIPAA identifiers (spans strict)", text_table(header, rows))
