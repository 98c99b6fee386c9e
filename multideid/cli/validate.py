"""``multideid validate``: how safe notes are, from a sample that people read."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated

import typer

from multideid.cli.error_handler import handle_errors, print_notice
from multideid.cli.option_groups import SiteOptions, with_groups
from multideid.cli.options.common import AsJson, Jobs, Overwrite, Seed
from multideid.cli.options.corpora import CorpusFormat, OutCorpus
from multideid.cli.options.models import PassThrough, Recall
from multideid.cli.options.reading import LanguageCheck, OnOrOff
from multideid.cli.options.replacing import KeyFile
from multideid.cli.output import counted, print_figures
from multideid.errors import UsageError

validate = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    # A traceback may hold document text.
    pretty_exceptions_enable=False,
    help="Say with which confidence how much PHI is left, from a random sample that people read.",
    epilog="Example: [b]multideid validate sample notes/ --bound 0.01 --out sample.jsonl[/b]",
)

_BOUNDS = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
_LEAKS = (0, 1, 2, 5, 10)

Level = Annotated[
    float, typer.Option("--level", metavar="P", help="Confidence of bounds and intervals.")
]
ValidatedModel = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="MODEL",
        help="The model to validate: a folder, or the name of a bundled one.",
        show_default=False,
    ),
]
Predicted = Annotated[
    Path | None,
    typer.Option(
        "--predicted",
        metavar="CORPUS",
        help="The same notes with what a model or another tool found, instead of --model.",
        show_default=False,
    ),
]


def _size(*, level: Level = 0.95, json: AsJson = False) -> None:
    """Print how many notes must be read to exclude a share of leaking notes."""
    from multideid.eval.statistics.proportions import sample_size
    from multideid.tables import text_table

    sizes = {b: {k: sample_size(b, k, level) for k in _LEAKS} for b in _BOUNDS}
    figures = {str(bound): {str(k): n for k, n in row.items()} for bound, row in sizes.items()}
    rows = [[f"{bound:.1%}", *(f"{n:,}" for n in row.values())] for bound, row in sizes.items()]
    heads = [f"{k} leaking" for k in _LEAKS]
    table = text_table(["fewer than", *heads], rows)
    text = f"notes to read, of which so many may leak; {level:.0%} confidence\n\n{table}"
    print_figures({"level": level, "notes": figures}, text, json)


ReleasedNotes = Annotated[
    Path, typer.Argument(metavar="NOTES", help="The corpus of all notes to be released.")
]
PlanFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Where to keep which notes were drawn; for you only. Default: OUT with "
        "[b].plan.json[/b] at the end.",
        show_default=False,
    ),
]
ShareBound = Annotated[
    float,
    typer.Option(metavar="SHARE", help="The share of leaking notes that is to be excluded."),
]
LeaksAllowed = Annotated[
    int,
    typer.Option(min=0, metavar="N", help="How many of the sample may leak all the same."),
]
SampleSize = Annotated[
    int | None,
    typer.Option(
        "--notes",
        min=1,
        metavar="N",
        help="Draw so many. Default: as many as the bound needs.",
        show_default=False,
    ),
]
StratifyBy = Annotated[
    str | None,
    typer.Option(
        metavar="FIELD",
        help="Field of the notes' meta, such as the department, of whose values each gets "
        "its share.",
    ),
]
DrawSeed = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="To draw the same notes again. Default: random."),
]
SampleFormat = Annotated[str, typer.Option("--to", metavar="NAME", help="Format of the sample.")]


def _sample(  # noqa: PLR0913 (the options of the command)
    notes: ReleasedNotes,
    out: OutCorpus,
    *,
    plan: PlanFile = None,
    bound: ShareBound = 0.01,
    level: Level = 0.95,
    leaks: LeaksAllowed = 0,
    number: SampleSize = None,
    stratify: StratifyBy = None,
    seed: DrawSeed = None,
    to: SampleFormat = "jsonl",
    format: CorpusFormat = None,
    overwrite: Overwrite = False,
    json: AsJson = False,
) -> None:
    """Draw notes at random for people to read, without spans, and a plan to keep.

    Let one or two people mark all PHI in them, each alone and without a model: by
    multideid review, or in any tool that writes one of the formats.
    """
    from multideid.corpora import iter_corpus, write_corpus
    from multideid.files import refuse_same
    from multideid.validation import SampleOptions, draw_sample, write_plan

    place = plan or out.with_name(f"{out.name}.plan.json")
    refuse_same({"the notes": notes}, {"the sample": out, "the plan": place})
    if place.exists() and not overwrite:
        raise UsageError(f"{place} already exists; choose another path or allow overwriting")
    options = SampleOptions(bound, level, leaks, number, stratify, seed)
    drawn, documents = draw_sample(lambda: iter_corpus(notes, format), options)
    n = write_corpus(documents, out, to, overwrite=overwrite, inputs=[notes])
    write_plan(drawn, place)
    figures = {
        "out": str(out),
        "plan": str(place),
        "notes": n,
        "population": drawn.n_population,
        "strata": len(drawn.strata),
        "fingerprint": drawn.fingerprint,
    }
    text = (
        f"{counted(n, 'note')} of {drawn.n_population:,} written to {out} ({to}), without "
        f"spans\nkeep {place} from the readers; its fingerprint is {drawn.fingerprint}"
    )
    print_figures(figures, text, json)


PlanArgument = Annotated[Path, typer.Argument(metavar="PLAN", help="The plan of the sample.")]
ReadSamples = Annotated[
    list[Path],
    typer.Argument(
        metavar="READ",
        help="The sample with what people marked: a corpus for each reader, at most two, or "
        "the file of a review.",
    ),
]
CountedReviewers = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Whose review counts; can be given twice. Default: all."),
]
FiguresFile = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write the figures as JSON, signed."),
]
PageFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write an HTML page to print and sign, without PHI."),
]


@with_groups
def _report(  # noqa: PLR0913 (the options of the command)
    plan: PlanArgument,
    read: ReadSamples,
    *,
    model: ValidatedModel = None,
    predicted: Predicted = None,
    recall: Recall = None,
    knowledge: SiteOptions,
    pass_through: PassThrough = None,
    reviewer: CountedReviewers = None,
    format: CorpusFormat = None,
    out: FiguresFile = None,
    report: PageFile = None,
    key_file: KeyFile = None,
    language_check: LanguageCheck = OnOrOff.on,
    overwrite: Overwrite = False,
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Compare what people marked in the sample with what a model finds.

    The options of the model must be those with which the notes are de-identified.
    Nothing that is printed or written holds text or ids of notes.
    """
    from multideid.cli.validation_input import ModelChoice, readings_of
    from multideid.deid.options import find_key
    from multideid.files import refuse_same
    from multideid.validation import read_plan, signed
    from multideid.validation import validate as measure
    from multideid.validation.page import to_page, to_plain

    outputs = {"the figures": out, "the report": report}
    chosen = {name: path for name, path in outputs.items() if path is not None}
    refuse_same({"the plan": plan, **{f"reading {p}": p for p in read}}, chosen)
    _check_free(chosen.values(), overwrite)
    if report is not None:
        from multideid.eval.reports.html import check_report_place, write_report

        check_report_place(report, overwrite)
    site = knowledge.chosen()
    checked = language_check is OnOrOff.on
    choice = ModelChoice(model, predicted, recall, site, pass_through, checked, jobs)
    drawn = read_plan(plan)
    readings = readings_of(drawn, read, reviewer, format)
    found, conditions = choice.run([note.with_spans(()) for note in readings.gold])
    validation = measure(drawn, readings, found, conditions)
    # The key of the environment is for surrogates; a signature is asked for by name.
    key = None if key_file is None else find_key(key_file)
    content = signed(validation.to_dict(), key)
    if out is not None:
        _write(out, json_format.dumps(content, indent=1) + "\n")
    if report is not None:
        write_report(report, to_page(validation, content), overwrite)
    print_figures(content, to_plain(validation, content), json)


def _check_free(paths: object, overwrite: bool) -> None:
    for path in paths:  # type: ignore[attr-defined]
        if path.exists() and not overwrite:
            raise UsageError(f"{path} already exists; choose another path or allow overwriting")


def _write(path: Path, text: str) -> None:
    from multideid.files import atomic_output

    with atomic_output(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _check(
    report: Annotated[Path, typer.Argument(metavar="FILE", help="The JSON of a report.")],
    *,
    key_file: KeyFile = None,
) -> None:
    """Check that the figures of a report were not changed, and print its digest."""
    from multideid.deid.options import find_key
    from multideid.validation import check_report

    try:
        content = json_format.loads(report.read_bytes())
    except (ValueError, RecursionError):
        raise UsageError(f"{report} is not the JSON of a report") from None
    key = None if key_file is None else find_key(key_file)
    digest = check_report(content, key)
    how = "the digest" if key is None else "the digest and the key"
    typer.echo(f"unchanged, by {how}: {digest}")


def _simulate(  # noqa: PLR0913 (the options of the command)
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
    """Measure on annotated notes how often the intervals hold the true figures."""
    from multideid.cli.validation_input import ModelChoice
    from multideid.corpora import read_corpus
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
    caption = f"{samples} samples of {notes} notes of {len(kept)}, {level:.0%} intervals"
    figures = {"notes": notes, "coverage": [row.to_dict() for row in rows]}
    print_figures(figures, Table.of(caption, columns, rows).to_text(), json)


def _add(name: str, command: object, example: str) -> None:
    epilog = f"Example: [b]multideid validate {example}[/b]"
    validate.command(name, epilog=epilog)(handle_errors(command))  # type: ignore[arg-type]


_add("size", _size, "size")
_add("sample", _sample, "sample notes/ --bound 0.01 --out sample.jsonl")
_add(
    "report",
    _report,
    "report sample.jsonl.plan.json anna.jsonl --model en-default --report page.html",
)
_add("check", _check, "check report.json")
_add("simulate", _simulate, "simulate gold/ --model model/ --notes 100")
