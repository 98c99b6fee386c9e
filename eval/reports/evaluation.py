"""Tables of one system's scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from multideid.eval.metrics.evaluation import Evaluation
from multideid.eval.metrics.leak import LeakCounts
from multideid.eval.metrics.token_metrics import NON_PHI, ConfusionMatrix
from multideid.eval.reports.blocks import Block, Text, to_text
from multideid.eval.reports.cells import (
    LEAK_HEADER,
    AnyScore,
    count_cells,
    f_names,
    leak_cells,
    score_cells,
)
from multideid.eval.reports.reliability import reliability_table
from multideid.labels import identifier_kind
from multideid.tables import Table

_LISTED_CONFUSIONS = 10


def format_evaluation(evaluation: Evaluation) -> str:
    """Format all scores as text, per class and overall, with the signature below."""
    return to_text(_blocks(evaluation))


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    yield span_table(evaluation)
    yield token_table(evaluation)
    yield from _confusions(evaluation.tokens)
    yield leak_table(evaluation.leaks)
    yield from _hipaa_tables(evaluation)
    if evaluation.reliability is not None:
        yield reliability_table(evaluation.reliability)
    yield from (Text(note, "note") for note in evaluation.notes)
    yield Text(str(evaluation.signature), "signature")


def span_table(evaluation: Evaluation) -> Table:
    """Return the span-level scores per class, and overall under each matching."""
    spans = evaluation.spans
    overall: dict[str, AnyScore] = {
        "micro": spans.strict.micro(),
        "macro": spans.strict.macro(),
        "relaxed: overlap, same label": spans.relaxed.micro(),
        "type-blind": spans.strict_type_blind.micro(),
        "type-blind, relaxed": spans.relaxed_type_blind.micro(),
    }
    caption = "Spans, strict: start, end and label equal"
    return _score_table(caption, spans.strict.per_class(), overall, evaluation.signature.beta)


def token_table(evaluation: Evaluation) -> Table:
    """Return the token-level scores per class and overall."""
    tokens, ways = evaluation.tokens, len(evaluation.labels)
    classes = {**tokens.per_class(), NON_PHI: tokens.non_phi()}
    overall: dict[str, AnyScore] = {
        "two-way (PHI or not)": tokens.two_way(),
        f"{ways}-way (PHI classes)": tokens.phi_classes(),
        f"{ways + 1}-way (with {NON_PHI})": tokens.all_classes(),
        "macro (PHI classes)": tokens.macro(),
    }
    caption = f"Tokens ({evaluation.signature.tokenization})"
    return _score_table(caption, classes, overall, evaluation.signature.beta)


def _score_table(
    caption: str, classes: Mapping[str, AnyScore], overall: Mapping[str, AnyScore], beta: float
) -> Table:
    header = ("class", "P", "R", *f_names(beta), "gold", "predicted", "correct")
    rows = tuple(
        (name, *score_cells(score, beta), *count_cells(score))
        for name, score in [*classes.items(), *overall.items()]
    )
    return Table(caption, header, rows, foot=len(overall))


def _confusions(tokens: ConfusionMatrix) -> Iterator[Table]:
    names = [NON_PHI, *tokens.labels]
    wrong = tokens.counts * ~np.eye(len(names), dtype=np.bool_)
    order = np.argsort(-wrong, axis=None, kind="stable")[:_LISTED_CONFUSIONS]
    pairs = [divmod(int(cell), len(names)) for cell in order if wrong.flat[cell]]
    if pairs:
        rows = tuple((names[g], names[p], f"{wrong[g, p]:,}") for g, p in pairs)
        header = ("gold", "predicted", "tokens")
        yield Table("Most frequent confusions of tokens", header, rows, left=2)


def leak_table(leaks: LeakCounts) -> Table:
    """Return the leaked PHI by class, by kind of identifier, and overall."""
    classes = [
        (label, identifier_kind(label), *leak_cells(leak))
        for label, leak in leaks.per_class().items()
    ]
    kinds = [
        ("all", kind, *leak_cells(leak))
        for kind, leak in leaks.per_kind().items()
        if leak.phi_characters
    ]
    rows = (*classes, *kinds, ("all", "", *leak_cells(leaks.overall())))
    header = ("class", "identifiers", *LEAK_HEADER)
    return Table("Leaked PHI, in letters and digits", header, rows, left=2, foot=len(kinds) + 1)


def _hipaa_tables(evaluation: Evaluation) -> Iterator[Table]:
    view, beta = evaluation.hipaa, evaluation.signature.beta
    if not view.identifiers:
        return
    header = ("identifier", "gold", "span P", "span R", *f_names(beta, "span "))
    header += ("token P", "token R", *f_names(beta, "token "))
    spans = {**view.spans.per_class(), "micro": view.spans.micro()}
    tokens = {**view.tokens.per_class(), "micro": view.tokens.phi_classes()}
    rows = tuple(
        (name, f"{s.gold:,}", *score_cells(s, beta), *score_cells(tokens[name], beta))
        for name, s in spans.items()
    )
    yield Table("HIPAA identifiers (spans strict)", header, rows)
