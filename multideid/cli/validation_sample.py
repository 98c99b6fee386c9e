"""``multideid validate size`` and ``sample``: how many notes to read, and which."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from multideid.cli.option_groups import with_groups
from multideid.cli.options.common import AsJson, Overwrite
from multideid.cli.options.corpora import CorpusFormat, OutCorpus
from multideid.cli.options.validation import Level, ReleasedNotes
from multideid.cli.output import counted, print_figures
from multideid.cli.validation_groups import DrawOptions, check_free

_BOUNDS = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
_LEAKS = (0, 1, 2, 5, 10)


def size(*, level: Level = 0.95, json: AsJson = False) -> None:
    """Print how many notes must be read to rule out a share of leaking notes."""
    from multideid.eval.reports.cells import level_cell
    from multideid.eval.statistics.proportions import sample_size
    from multideid.tables import text_table

    sizes = {b: {k: sample_size(b, k, level) for k in _LEAKS} for b in _BOUNDS}
    figures = {str(bound): {str(k): n for k, n in row.items()} for bound, row in sizes.items()}
    rows = [[f"{bound:.1%}", *(f"{n:,}" for n in row.values())] for bound, row in sizes.items()]
    heads = [f"{k} leaking" for k in _LEAKS]
    table = text_table(["fewer than", *heads], rows)
    text = f"notes to read, of which so many may leak; {level_cell(level)} confidence\n\n{table}"
    print_figures({"level": level, "notes": figures}, text, json)


PlanFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Where to keep which notes were drawn; for you only. Default: OUT with "
        "[b].plan.json[/b] at the end.",
        show_default=False,
    ),
]
SampleFormat = Annotated[str, typer.Option("--to", metavar="NAME", help="Format of the sample.")]


@with_groups
def sample(  # noqa: PLR0913 (the options of the command)
    notes: ReleasedNotes,
    out: OutCorpus,
    *,
    plan: PlanFile = None,
    draw: DrawOptions,
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
    from multideid.validation import draw_sample, write_plan

    place = plan or out.with_name(f"{out.name}.plan.json")
    refuse_same({"the notes": notes}, {"the sample": out, "the plan": place})
    check_free(place, overwrite)
    drawn, documents = draw_sample(lambda: iter_corpus(notes, format), draw.chosen())
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
