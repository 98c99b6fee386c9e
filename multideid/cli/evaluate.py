"""``multideid evaluate``: scores of predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multideid.cli.corpus_pairs import corpus_names
from multideid.cli.options.common import AsJson, Overwrite
from multideid.cli.options.evaluation import Beta, ReportFile, Tokenization
from multideid.cli.output import count_misaligned, print_figures
from multideid.cli.report import ReportDraft

if TYPE_CHECKING:
    from multideid.document import Document
    from multideid.eval import Comparison, Scoring

    Systems = Mapping[str, Sequence[Document]]


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
        str | None,
        typer.Option(
            metavar="NAME", help="Format of PRED, and of that of --against. Default: detected."
        ),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="PRED",
            help="What another system predicted for the same documents: both are shown side by "
            "side, with tests of the difference.",
        ),
    ] = None,
    tokenization: Tokenization = "multideid",
    beta: Beta = 1.0,
    report: ReportFile = None,
    overwrite: Overwrite = False,
    json: AsJson = False,
) -> None:
    """Score predicted spans against gold spans, at span and at token level.

    The corpora may have different formats; documents are paired by id, and
    their texts must be equal. F2 is shown along with the chosen F-measure.
    """
    from multideid.corpora import read_corpus
    from multideid.eval import Scoring

    others = [] if against is None else [against]
    draft = None if report is None else ReportDraft(report, [gold, predicted, *others], overwrite)
    expected, found = read_corpus(gold, gold_format), read_corpus(predicted, pred_format)
    systems = {"predicted": found}
    if against is not None:
        paths, theirs = [predicted, against], read_corpus(against, pred_format)
        systems = dict(zip(corpus_names(paths, paths), (found, theirs), strict=True))
    scoring = Scoring(tokenization=tokenization, beta=beta)
    alone = draft is None and against is None
    comparison = None if alone else _compared(expected, systems, scoring)
    figures, text = _shown(expected, systems, scoring, comparison)
    figures |= {"misaligned_spans": count_misaligned(expected, gold)}
    print_figures(figures, text, json)
    if draft is not None and comparison is not None:
        draft.add(gold.resolve().name, comparison, expected, systems)
        draft.write()


def _shown(
    gold: Sequence[Document], systems: Systems, scoring: Scoring, comparison: Comparison | None
) -> tuple[dict[str, Any], str]:
    """Return the figures of one system, or of both side by side, and their tables as text."""
    from multideid.eval import evaluate, format_comparison, format_evaluation

    if comparison is not None and len(systems) > 1:
        return comparison.to_dict(), format_comparison(comparison)
    (found,) = systems.values()
    evaluation = evaluate(gold, found, tokenization=scoring.tokenization, beta=scoring.beta)
    return evaluation.to_dict(), format_evaluation(evaluation)


def _compared(gold: Sequence[Document], systems: Systems, scoring: Scoring) -> Comparison:
    """Test the first system against the last one, if there are two."""
    from multideid.eval import compare

    if len(systems) == 1:
        return compare(gold, systems, scoring)
    candidate, reference = systems
    return compare(gold, systems, scoring, candidate=candidate, reference=reference)
