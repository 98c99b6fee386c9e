"""``multideid train``: an annotated corpus in, a model out."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multideid.cli.modes import Plan
from multideid.cli.options import (
    AsJson,
    CorpusFormat,
    Jobs,
    Overwrite,
    Param,
    ShowProgress,
    Systems,
)
from multideid.cli.output import count_labels, counted, labels_table, print_figures
from multideid.cli.progress import progress_bar

if TYPE_CHECKING:
    import pandas as pd

    from multideid.document import Document


def train(  # noqa: PLR0913 (the options of the command)
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="The annotated corpus.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="MODEL", help="The model folder to make.")
    ],
    *,
    mode: Annotated[
        str,
        typer.Option(
            metavar="MODE",
            help="[b]multi[/b]: systems and a stacker that learns whom to trust. "
            "[b]mega[/b]: one learner with all their features. "
            "[b]vote[/b]: systems and a committee's vote. Or one system, by name.",
        ),
    ] = "multi",
    systems: Systems = None,
    folds: Annotated[
        int | None,
        typer.Option(metavar="N", help="For multi: parts of whole documents. Default: 5."),
    ] = None,
    recall: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="For multi: share of PHI tokens to find, such as 0.99, at the cost of precision.",
        ),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="For vote: majority, two-of-three or any. Default: majority."
        ),
    ] = None,
    param: Param = None,
    format: CorpusFormat = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="For multi and mega: what is drawn by lot follows from it. Default: 0.",
        ),
    ] = None,
    jobs: Jobs = None,
    overwrite: Overwrite = False,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """Train a model on an annotated corpus.

    A model holds words of its corpus: guard it as you guard the corpus.
    """
    from multideid.corpora import read_corpus
    from multideid.persistence import check_output

    plan = Plan.of(mode, systems, param, folds=folds, recall=recall, seed=seed, rule=rule)
    check_output(out, overwrite)
    documents = read_corpus(corpus, format)
    start = perf_counter()
    with progress_bar(progress) as on_progress:
        model = plan.make(jobs, on_progress).fit(documents)
    seconds = perf_counter() - start
    model.save(out, overwrite=overwrite)
    trust: pd.DataFrame | None = getattr(model, "trust_", None)
    figures = {**plan.to_dict(), **_figures(documents, seconds, trust)}
    print_figures({**figures, "model": str(out)}, _text(plan, figures, trust, out), json)


def _figures(
    documents: list[Document], seconds: float, trust: pd.DataFrame | None
) -> dict[str, Any]:
    return {
        "documents": len(documents),
        "spans": count_labels(documents),
        "seconds": round(seconds, 1),
        "trust": None if trust is None else trust.astype(float).to_dict("index"),
    }


def _text(plan: Plan, figures: dict[str, Any], trust: pd.DataFrame | None, out: Path) -> str:
    n = counted(figures["documents"], "document")
    parts = [
        f"{plan} trained on {n} in {figures['seconds']:g} s; model written to {out}",
        labels_table(figures["spans"]),
    ]
    if trust is not None:
        parts.append(f"Trust: how much the stacker leans on each system\n\n{_trust_table(trust)}")
    return "\n\n".join(parts)


def _trust_table(trust: pd.DataFrame) -> str:
    from multideid.tables import text_table

    rows = [[str(label), *(f"{x:.3f}" for x in row)] for label, *row in trust.itertuples()]
    return text_table(["", *map(str, trust.columns)], rows)
