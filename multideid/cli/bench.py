"""``multideid bench``: the speed of a model on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multideid.cli.hidden_output import hidden_output
from multideid.cli.options.common import AsJson
from multideid.cli.options.corpora import CorpusFormat
from multideid.cli.options.models import ModelArgument
from multideid.cli.output import print_figures

if TYPE_CHECKING:
    from multideid.document import Document
    from multideid.eval.speed import Speed
    from multideid.stacking import Deidentifier


def bench(  # noqa: PLR0913 (the options of the command)
    model: ModelArgument,
    corpus: Annotated[
        Path | None,
        typer.Argument(metavar="CORPUS", help="Notes to measure on. Default: invented ones."),
    ] = None,
    *,
    format: CorpusFormat = None,
    passes: Annotated[
        int, typer.Option(min=1, metavar="N", help="Passes over the text; the median is printed.")
    ] = 5,
    long: Annotated[
        bool, typer.Option("--long/--no-long", help="Also measure one note of 5 MB.")
    ] = True,
    peers: Annotated[
        bool,
        typer.Option("--peers/--no-peers", help="Also measure other systems that are installed."),
    ] = True,
    peer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            help="Also measure a function of one text, such as one that calls another system.",
        ),
    ] = None,
    starts: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Fresh processes that load and read single notes; the least times are printed.",
        ),
    ] = 3,
    json: AsJson = False,
) -> None:
    """Measure the speed of a model: whitespace tokens per second, on one core, by stage.

    Loading and single notes are measured in fresh processes, and one long note made of the others.
    """
    from multideid.eval.speed_peers import measure_peers, named_finder
    from multideid.eval.start_up import measure_start_up
    from multideid.models import load

    others = {name: named_finder(name) for name in peer or []}
    notes = _notes(corpus, format)
    with hidden_output():
        started = {"start": measure_start_up(model, notes, starts).to_dict()} if starts else {}
        figures = {**started, **_measured(load(model), notes, passes, long)}
        if peers or others:
            measured = measure_peers(notes, others, installed=peers)
            figures["peers"] = measured.tokens_per_second
            figures["not measured"] = measured.problems
    plain = {k: v if isinstance(v, float | dict) else v.to_dict() for k, v in figures.items()}
    print_figures(plain, _text(figures), json)


def _measured(
    model: Deidentifier, notes: list[Document], passes: int, long: bool
) -> dict[str, Any]:
    from multideid.eval.speed import enlarged, long_note, measure_speed, peak_memory

    figures: dict[str, Any] = {"notes": measure_speed(model, notes, passes)}
    if long:
        figures["many small notes"] = measure_speed(model, enlarged(notes, 5_000_000), 1)
        figures["one long note"] = measure_speed(model, [long_note(notes)], 1)
    figures["peak memory, MB"] = peak_memory()
    return figures


def _notes(corpus: Path | None, format: str | None) -> list[Document]:
    from multideid.corpora import read_corpus
    from multideid.samples import sample_corpus

    return sample_corpus(200) if corpus is None else list(read_corpus(corpus, format))


def _text(figures: dict[str, Any]) -> str:
    from multideid.tables import text_table

    shapes = {name: speed for name, speed in figures.items() if hasattr(speed, "to_dict")}
    rows = [_row(name, speed) for name, speed in shapes.items()]
    header = ["text", "notes", "characters", "tokens/s", "first pass, s"]
    parts = [text_table(header, rows)]
    stages = shapes["notes"].microseconds
    parts.append(text_table(["stage", "µs a token"], [[n, f"{v:.2f}"] for n, v in stages.items()]))
    if "start" in figures:
        parts.append(_start_text(figures["start"]))
    if "peers" in figures:
        found = [[name, f"{speed:,.0f}"] for name, speed in figures["peers"].items()]
        found += [[name, f"not measured: {why}"] for name, why in figures["not measured"].items()]
        parts.append(text_table(["peer", "tokens/s"], found))
    parts.append(f"peak memory: {figures['peak memory, MB']:.0f} MB")
    return "\n\n".join(parts)


def _start_text(start: dict[str, Any]) -> str:
    from multideid.tables import text_table

    steps = {
        "load": "load",
        "first note": "first_note",
        "new note": "new_note",
        "warm note": "warm_note",
    }
    rows = [[step, f"{1000 * start[name]:.1f}"] for step, name in steps.items()]
    about = f"{start['notes']} single notes of {start['tokens']:g} tokens"
    return f"{text_table(['start', 'ms'], rows)}\n({about}; least of {start['processes']})"


def _row(name: str, speed: Speed) -> list[str]:
    sizes = [f"{speed.documents:,}", f"{speed.characters:,}"]
    return [name, *sizes, f"{speed.tokens_per_second:,.0f}", f"{speed.first_pass:.1f}"]
