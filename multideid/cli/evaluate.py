"""``multideid evaluate``: how good predictions are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from multideid.cli.options import AsJson, Beta, Overwrite, Tokenization
from multideid.cli.output import print_figures
from multideid.cli.report import ReportDraft, ReportFile


def evaluate(  # noqa: PLR0913 (the options of the command)
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="The corpus with gold spans.")],
    predicted: Annotated[
        Path, typer.Argument(metavar="PRED", help="The same documents with predicted spans.")
    ],
    *,
    gold_format: Annotated[
        str | None, typer.Option(metavar="NAME", help="Format of GOLD. Default: recognised.")
    ] = None,
    pred_format: Annotated[
        str | None, typer.Option(metavar="NAME", help="Format of PRED. Default: recognised.")
    ] = None,
    tokenization: Tokenization = "multideid",
    beta: Beta = 1.0,
    report: ReportFile = None,
    overwrite: Overwrite = False,
    json: AsJson = False,
) -> None:
    """Score predicted spans against gold ones, at span and at token level.

    The two corpora may have different formats; documents are paired by id,
    and their texts must be equal. F2 is shown beside the F-measure asked for.
    """
    from multideid.corpora import read_corpus
    from multideid.eval import compare, format_evaluation
    from multideid.eval import evaluate as score

    draft = None if report is None else ReportDraft(report, [gold, predicted], overwrite)
    there, found = read_corpus(gold, gold_format), read_corpus(predicted, pred_format)
    evaluation = score(there, found, tokenization=tokenization, beta=beta)
    print_figures(evaluation.to_dict(), format_evaluation(evaluation), json)
    if draft is not None:
        systems = {"predicted": found}
        comparison = compare(there, systems, tokenization=tokenization, beta=beta)
        draft.add(gold.resolve().name, comparison, there, systems)
        draft.write()
