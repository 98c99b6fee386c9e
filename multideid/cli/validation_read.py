"""``multideid validate read``: draw a sample, let people read it in the desk, and report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from multideid.cli.desk import open_desk, user_name
from multideid.cli.error_handler import print_notice
from multideid.cli.option_groups import SiteOptions, with_groups
from multideid.cli.options.corpora import CorpusFormat
from multideid.cli.options.review import Port, Reviewers
from multideid.cli.options.validation import ReleasedNotes
from multideid.cli.output import counted
from multideid.cli.validation_groups import DrawOptions, ModelOptions, ReportOptions
from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.review import Store
    from multideid.validation import Plan

ReadingFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Where every decision is kept, for its owner only; the plan is beside it. Default: "
        "NOTES with [b].validation[/b] at the end.",
        show_default=False,
    ),
]


@with_groups
def read(  # noqa: PLR0913 (the options of the command)
    notes: ReleasedNotes,
    *,
    draw: DrawOptions,
    file: ReadingFile = None,
    reviewer: Reviewers = None,
    port: Port = 0,
    validated: ModelOptions,
    knowledge: SiteOptions,
    format: CorpusFormat = None,
    written: ReportOptions,
) -> None:
    """Draw a sample, let one or two people read it in the browser, and report.

    Readers do not see what the model finds; it runs after the last note is accepted. Until
    then you can stop at any time: the same command continues with the same sample.
    """
    from multideid.cli.validation_input import readings_of

    place = file or notes.with_name(f"{notes.name}.validation")
    plan = place.with_name(f"{place.name}.plan.json")
    readers = list(reviewer or [user_name()])
    if len(readers) > 2:
        raise UsageError("a validation has one or two readers; name at most two by --reviewer")
    written.check({"the notes": notes, "the reading": place, "the plan": plan})
    choice = validated.choice(knowledge.chosen())
    drawn = _plan(notes, plan, draw, format)
    store = _blind_review(notes, place, drawn, format)
    if _left(store, readers):
        _let_them_read(store, readers, port)
    if left := _left(store, readers):
        print_notice(f"{left}; the same command goes on")
        return
    counted_readers = _counted(store, readers)
    store.close()
    written.write(drawn, readings_of(drawn, [place], counted_readers, None), choice)


def _plan(notes: Path, place: Path, draw: DrawOptions, format: str | None) -> Plan:
    """Return the plan of the sample, which is drawn once."""
    from multideid.corpora import iter_corpus
    from multideid.validation import draw_sample, read_plan, write_plan

    if place.exists():
        plan = read_plan(place)
        draw.check_plan(plan, place)
        return plan
    plan, _ = draw_sample(lambda: iter_corpus(notes, format), draw.chosen())
    write_plan(plan, place)
    n, total = counted(len(plan.notes), "note"), f"{plan.n_population:,}"
    print_notice(f"{n} of {total} drawn; the plan {place} has the fingerprint {plan.fingerprint}")
    return plan


def _blind_review(notes: Path, place: Path, plan: Plan, format: str | None) -> Store:
    """Return the review of the sample, which proposes nothing."""
    from multideid.cli.validation_input import check_blind
    from multideid.corpora import iter_corpus
    from multideid.labels import PHI_CLASSES
    from multideid.review import Store
    from multideid.review.setup import offered_labels
    from multideid.validation import planned_notes

    store = Store(place) if place.exists() else Store.create(place)
    check_blind(store)
    if not store.numbers():
        store.add_labels(offered_labels(known.label for known in PHI_CLASSES))
        store.add(planned_notes(plan, iter_corpus(notes, format)))
    plan.places([note.document for note in store.notes()])
    return store


def _let_them_read(store: Store, readers: Sequence[str], port: int) -> None:
    def done() -> str:
        return "" if _left(store, readers) else "all notes are read: Ctrl + C for the report"

    try:
        open_desk(store, readers, port, done)
    except KeyboardInterrupt:
        # The way to close the desk; the report follows.
        return


def _left(store: Store, readers: Sequence[str]) -> str:
    """Say how many notes each reader has still to accept; nothing if there is none."""
    total, said = len(store.numbers()), []
    for reader in readers:
        accepted = sum(store.layers.states(reader).values())
        if accepted < total:
            said.append(f"{reader} has accepted {accepted} of {counted(total, 'note')}")
    return ", ".join(said)


def _counted(store: Store, readers: Sequence[str]) -> Sequence[str] | None:
    """Return the readers; None if there are no others, so that what they settled counts."""
    from multideid.review import ADJUDICATED

    return None if {*store.layers.names()} - {ADJUDICATED} == {*readers} else readers
