"""``multideid review``: look at notes in the browser, correct them, and get a corpus."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multideid.cli.desk import open_desk, user_name
from multideid.cli.options.common import AsJson, Overwrite, Shared
from multideid.cli.options.corpora import CorpusFormat
from multideid.cli.options.models import Recall
from multideid.cli.options.review import Port, Reviewers
from multideid.cli.options.site import SiteFile
from multideid.cli.output import counted, print_figures
from multideid.cli.values import listed_names
from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.review import Store


class Order(StrEnum):
    """Orders of the queue."""

    teaching = "teaching"
    random = "random"
    given = "given"


NotesArgument = Annotated[
    Path,
    typer.Argument(metavar="NOTES", help="The corpus, or the file of an earlier review."),
]
ProposingModel = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        help="Name of a bundled model, or a model folder, that proposes spans. Default: that "
        "of the earlier session, else the spans of NOTES.",
    ),
]
ReviewFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Where every decision is saved, for its owner only. Default: NOTES with "
        "[b].review[/b] at the end.",
        show_default=False,
    ),
]
MoreLabels = Annotated[
    str | None,
    typer.Option(metavar="LIST", help="More labels to offer, separated by commas."),
]
TrainingCorpora = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="CORPUS",
        help="An annotated corpus that training learns from besides the reviewed notes; can "
        "be repeated.",
        show_default=False,
    ),
]
QueueOrder = Annotated[
    Order | None,
    typer.Option(
        help="Order of the notes: those first that teach most ([b]teaching[/b]: the model is least "
        "sure of them; one of five at random, to measure with), [b]random[/b], or as "
        "[b]given[/b]. Default: that of the earlier session, else teaching with --model.",
        show_default=False,
    ),
]
PrintAgreement = Annotated[
    bool, typer.Option("--agreement", help="Print the agreement of reviewers; open no page.")
]
ExportPath = Annotated[
    Path | None,
    typer.Option(
        metavar="PATH",
        help="Write the reviewed notes as a corpus; open no page. With a single "
        "[b]--reviewer[/b], that reviewer's version.",
        show_default=False,
    ),
]
ExportFormat = Annotated[
    str,
    typer.Option("--to", metavar="NAME", help="Format to export (see [b]multideid formats[/b])."),
]


def review(  # noqa: PLR0913 (the options of the command)
    notes: NotesArgument,
    *,
    model: ProposingModel = None,
    recall: Recall = None,
    site: SiteFile = None,
    file: ReviewFile = None,
    reviewer: Reviewers = None,
    labels: MoreLabels = None,
    train_with: TrainingCorpora = None,
    order: QueueOrder = None,
    port: Port = 0,
    format: CorpusFormat = None,
    agreement: PrintAgreement = False,
    export: ExportPath = None,
    to: ExportFormat = "jsonl",
    overwrite: Overwrite = False,
    shared: Shared = False,
    json: AsJson = False,
) -> None:
    """Review notes in the browser: see what was found, correct it by keyboard, and export it.

    The page is served to this machine only, and needs no network. Each decision is
    on disk before the page shows it as saved.
    """
    from multideid.review.setup import open_review

    store = open_review(
        notes,
        file,
        model=model,
        recall=recall,
        site=site,
        format=format,
        labels=listed_names(labels or ""),
        train_with=train_with or (),
        order=order,
    )
    if export is not None:
        who = _single(reviewer)
        return _export(store, who, export, to, overwrite=overwrite, shared=shared, json=json)
    if agreement:
        return _print_agreement(store, json)
    open_desk(store, reviewer or [user_name()], port)


def _single(reviewers: list[str] | None) -> str | None:
    if reviewers and len(reviewers) > 1:
        raise UsageError("--export takes one --reviewer, or none for what all say")
    return reviewers[0] if reviewers else None


def _export(  # noqa: PLR0913 (the options of the command)
    store: Store,
    reviewer: str | None,
    target: Path,
    to: str,
    *,
    overwrite: bool,
    shared: bool,
    json: bool,
) -> None:
    from multideid.corpora import write_corpus
    from multideid.review.outcome import disputed, reviewed_documents

    documents = list(reviewed_documents(store, reviewer))
    if not documents:
        whose = "" if reviewer is None else f" by {reviewer}"
        raise UsageError(f"{store.path}: no note is accepted{whose}; nothing was written")
    n = write_corpus(
        documents, target, to, overwrite=overwrite, inputs=[store.path], private=not shared
    )
    total, left = len(store.numbers()), len(disputed(store)) if reviewer is None else 0
    figures: dict[str, Any] = {"out": str(target), "format": to, "documents": n}
    text = f"{counted(n, 'reviewed note')} of {total} written to {target} ({to})"
    if left:
        text += f"\n{counted(left, 'note')} left out, on which reviewers differ: adjudicate first"
    print_figures({**figures, "notes": total, "disputed": left}, text, json)


def _print_agreement(store: Store, json: bool) -> None:
    from multideid.review.outcome import agreements, disputed
    from multideid.tables import text_table

    pairs, left = agreements(store), len(disputed(store))
    header = ["reviewers", "notes", "equal", "span F1", "token F1", "kappa"]
    rows = [
        [
            " and ".join(pair.reviewers),
            str(pair.notes),
            str(pair.notes_equal),
            *(f"{value:.4f}" for value in (pair.span_f1, pair.token_f1, pair.kappa)),
        ]
        for pair in pairs
    ]
    text = text_table(header, rows) if rows else "no two reviewers accepted the same note"
    figures = {"pairs": [pair.to_dict() for pair in pairs], "disputed": left}
    print_figures(figures, f"{text}\n\n{counted(left, 'note')} to adjudicate", json)
