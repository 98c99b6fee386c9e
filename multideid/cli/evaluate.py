"""``multideid evaluate``: scores of predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from multideid.cli.options.common import AsJson, Overwrite
from multideid.cli.options.evaluation import Beta, ReportFile, Tokenization
from multideid.cli.output import count_misaligned, print_figures
from multideid.cli.report import ReportDraft


def evaluate(  # noqa: PLR0913 (the options of the command)
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="The corpus with gold spans.")],
    predicted: Annotated[
        Path, typer.Argument(metavar="PRED", help="The same documents with predicted spans.")
    ],
    *,
    gold_format: Annotated[
        str | None, typer.Option(metavar="NAME", help="Format of GOLD. Default: detected.")
    ] = None,
    pred_format: Annotated[
        str | None, typer.Option(metavar="NAME", help="Format of PRED. Default: detected.")
    ] = None,
    tokenization: Tokenization = "multideid",
    beta: Beta = 1.0,
    report: ReportFile = None,
    overwrite: Overwrite = False,
    json: AsJson = False,
) -> None:
    """Score predicted spans against gold spans, at span and at token level.

    The two corpora may have different formats; documents are paired by id, and
    their texts must be equal. F2 is shown along with the chosen F-measure.
    """
    from multideid.corpora import read_corpus
    from multideid.eval import Scoring, compare, format_evaluation
    from multideid.eval import evaluate as score

    draft = None if report is None else ReportDraft(report, [gold, predicted], overwrite)
    expected, found = read_corpus(gold, gold_format), read_corpus(predicted, pred_format)
    evaluation = score(expected, found, tokenization=tokenization, beta=beta)
    figures = {**evaluation.to_dict(), "misaligned_spans": count_misaligned(expected, gold)}
    print_figures(figures, format_evaluation(evaluation), json)
    if draft is not None:
        systems = {"predicted": found}
        comparison = compare(expected, systems, Scoring(tokenization=tokenization, beta=beta))
        draft.add(gold.resolve().name, comparison, expected, systems)
        draft.write()
