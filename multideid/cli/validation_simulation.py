"""``multideid validate simulate``: how often intervals hold the true figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from multideid.cli.error_handler import print_notice
from multideid.cli.options.common import AsJson, Jobs, Seed
from multideid.cli.options.corpora import CorpusFormat
from multideid.cli.options.models import Recall
from multideid.cli.options.validation import Level, Predicted, ValidatedModel
from multideid.cli.output import print_figures


def simulate(  # noqa: PLR0913 (the options of the command)
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="A corpus whose PHI is marked.")],
    *,
    model: ValidatedModel = None,
    predicted: Predicted = None,
    recall: Recall = None,
    format: CorpusFormat = None,
    notes: Annotated[int, typer.Option(min=1, metavar="N", help="Notes of a sample.")] = 100,
    samples: Annotated[int, typer.Option(min=1, metavar="N", help="Samples to draw.")] = 1000,
    level: Level = 0.95,
    seed: Seed = 0,
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Measure on annotated notes how often the intervals contain the true figures."""
    from multideid.cli.validation_input import ModelChoice
    from multideid.corpora import read_corpus
    from multideid.eval.reports.cells import level_cell
    from multideid.tables import Column, Table
    from multideid.validation import note_outcomes, simulate

    choice = ModelChoice(model, predicted, recall, jobs=jobs)
    documents = read_corpus(gold, format)
    found, _ = choice.run([document.with_spans(()) for document in documents])
    kept = [(a, b) for a, b in zip(documents, found, strict=True) if b is not None]
    if len(kept) < len(documents):
        print_notice(f"{len(documents) - len(kept)} notes failed and are left out")
    outcomes = note_outcomes([a for a, _ in kept], [b for _, b in kept])
    rows = simulate(outcomes, notes, samples, seed, level)
    columns = [
        Column("interval", "what"),
        Column("truth", "truth", ".4f"),
        Column("samples", "samples"),
        Column("held", lambda row: row.held / row.samples if row.samples else None, ".3f"),
        Column("width", "width", ".4f"),
    ]
    caption = f"{samples} samples of {notes} notes of {len(kept)}, {level_cell(level)} intervals"
    figures = {"notes": notes, "coverage": [row.to_dict() for row in rows]}
    print_figures(figures, Table.of(caption, columns, rows).to_text(), json)
