"""Tables of one system's scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from multideid.eval.metrics.evaluation import Evaluation
from multideid.eval.metrics.leak import LeakCounts
from multideid.eval.metrics.reliability import Reliability
from multideid.eval.metrics.token_metrics import NON_PHI, ConfusionMatrix
from multideid.eval.reports.blocks import Block, Text, to_text
from multideid.eval.reports.cells import AnyScore, f_betas, leak_columns, prf_columns
from multideid.labels import identifier_kind
from multideid.tables import Column, Record, Table

_LISTED_CONFUSIONS = 10
_RELIABILITY = (
    Column("score", "name"),
    Column("spans", "bin.spans", ",d"),
    Column("mean score", "bin.score", ".3f"),
    Column("inside PHI", "bin.inside", ".3f"),
    Column("overlap PHI", "bin.overlap", ".3f"),
    Column("right, strict", "bin.strict", ".3f"),
)


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
    rows = [Record(name=k, score=score) for k, score in (*classes.items(), *overall.items())]
    counts = ("gold", "predicted", "correct")
    columns = (
        Column("class", "name"),
        *prf_columns("", "score", f_betas(beta)),
        *(Column(name, partial(_count, name), ",d") for name in counts),
    )
    return replace(Table.of(caption, columns, rows), foot=len(overall))


def _count(name: str, row: Record) -> int | None:
    """Return a count of a row's score; a mean has none."""
    return getattr(row.score, name, None)


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
    classes = [(k, identifier_kind(k), leak) for k, leak in leaks.per_class().items()]
    kinds = [("all", k, leak) for k, leak in leaks.per_kind().items() if leak.phi_characters]
    rows = [
        Record(label=label, kind=kind, leak=leak)
        for label, kind, leak in (*classes, *kinds, ("all", "", leaks.overall()))
    ]
    columns = (Column("class", "label"), Column("identifiers", "kind"), *leak_columns("", "leak"))
    table = Table.of("Leaked PHI, in letters and digits", columns, rows, left=2)
    return replace(table, foot=len(kinds) + 1)


def _hipaa_tables(evaluation: Evaluation) -> Iterator[Table]:
    view, betas = evaluation.hipaa, f_betas(evaluation.signature.beta)
    if not view.identifiers:
        return
    spans = {**view.spans.per_class(), "micro": view.spans.micro()}
    tokens = {**view.tokens.per_class(), "micro": view.tokens.phi_classes()}
    rows = [Record(name=k, spans=score, tokens=tokens[k]) for k, score in spans.items()]
    columns = (
        Column("identifier", "name"),
        Column("gold", "spans.gold", ",d"),
        *prf_columns("span", "spans", betas),
        *prf_columns("token", "tokens", betas),
    )
    yield Table.of("HIPAA identifiers (spans strict)", columns, rows)


def reliability_table(reliability: Reliability) -> Table:
    """Return the share of spans that are PHI, by score."""
    names = {f"{found.low:g} to {found.high:g}": found for found in reliability.bins}
    rows = [Record(name=k, bin=v) for k, v in {**names, "all": reliability.overall()}.items()]
    unscored = f"; {reliability.unscored:,} have none" if reliability.unscored else ""
    errors = f"{reliability.error:.4f} (inside), {reliability.overlap_error:.4f} (overlap)"
    caption = f"Scores of spans{unscored}. Expected calibration error {errors}"
    return replace(Table.of(caption, _RELIABILITY, rows), foot=1)
