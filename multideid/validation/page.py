"""A validation as text and as a page to print and sign."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from multideid import __version__
from multideid.eval.reports.blocks import (
    Block,
    Figures,
    Form,
    Intervals,
    Report,
    Section,
    Text,
    to_text,
)
from multideid.eval.reports.cells import level_cell
from multideid.tables import Column, Table
from multideid.validation.results import Validation

_RECALL = (
    "A span leaks if one of its letters or digits is not covered, whatever the label. Intervals "
    "allow for spans of one note being missed together (Clopper-Pearson at the effective sample "
    "size of Korn and Graubard)."
)
_MEANING = (
    "The figures are of the notes from which the sample was drawn, with this model and these "
    "settings, and of what the readers marked. They do not hold for other notes. They say "
    "nothing of what can be inferred from text that is not marked as PHI, and whether a "
    "text meets a law is for people to decide."
)
_DIGEST = (
    "The digest is of the content of the JSON file. Written down here and signed by hand, it shows "
    "later that the figures are these. It does not prove who read the notes, or how well."
)
_MANY = 1e9
_YES_NO = ("yes", "no")
_PROTOCOL = (
    ("Notes were drawn by multideid validate sample; nobody chose or exchanged any.", _YES_NO),
    ("Readers had neither the model's marks nor each other's.", _YES_NO),
    ("Guideline of what counts as PHI:", ()),
    ("Reader 1 (name, date, signature):", ()),
    ("Reader 2 (name, date, signature):", ()),
    ("Responsible for privacy (name, date, signature):", ()),
    ("Released to, for the purpose of, until:", ()),
    ("To be validated again on, or when the notes or the model change:", ()),
)


def to_page(validation: Validation, report: dict[str, Any]) -> Report:
    """Return the page of a validation.

    Parameters
    ----------
    validation : Validation
    report : dict
        As `signed` returned it.
    """
    sections = (
        Section("result", "Result", (_key_figures(validation), *_statement(validation))),
        Section("recall", "Recall and leaks", tuple(_recall(validation))),
        Section("unmarked", "What nobody marked", tuple(_unmarked(validation))),
        Section("sample", "Sample and model", tuple(_conditions(validation))),
        Section("sign", "To sign", tuple(_to_sign(report))),
    )
    return Report("Validation of de-identified notes", sections)


def to_plain(validation: Validation, report: dict[str, Any]) -> str:
    """Return the figures as plain text."""
    blocks: list[Block] = [*_statement(validation), _table(validation), *_unmarked(validation)]
    return to_text([*blocks, *_conditions(validation), *_digests(report)])


def _key_figures(validation: Validation) -> Figures:
    notes, level = validation.notes, level_cell(validation.plan.level)
    items = [
        (
            "Notes with a leak",
            f"{notes.leaking} of {notes.notes}",
            f"at most {notes.bound:.2%} of all, with {level} confidence",
        )
    ]
    for row in validation.recalls:
        if row.group in ("all", "direct", "quasi"):
            found = f"{level} interval {row.low:.2%} to {row.high:.2%}, {row.spans:,} spans"
            items.append((f"Recall, {_name(row.group)}", f"{row.recall:.2%}", found))
    return Figures(tuple(items))


def _statement(validation: Validation) -> Iterator[Text]:
    plan, notes, level = validation.plan, validation.notes, level_cell(validation.plan.level)
    verdict = "is shown" if validation.holds else "is not shown"
    yield Text(
        f"{notes.leaking} of {notes.notes} notes leak. With {level} confidence, at most "
        f"{notes.bound:.2%} of the {plan.n_population:,} notes leak; that it is less than "
        f"{plan.bound:.2%} {verdict}. (Two-sided: {notes.low:.2%} to {notes.high:.2%}.)"
    )
    if validation.refused:
        yield Text(
            f"{validation.refused} sampled notes failed, and are not released or counted", "note"
        )
    if len(plan.notes) == plan.n_population:
        yield Text("the sample is all notes; the bound is for more notes of this kind", "note")


def _recall(validation: Validation) -> Iterator[Block]:
    yield Text(_RECALL)
    yield _table(validation)
    if validation.recalls:
        rows = tuple((_name(r.group), r.recall, r.low, r.high) for r in validation.recalls)
        yield Intervals("Recall of spans", "recall", rows)


def _table(validation: Validation) -> Table:
    columns = [
        Column("class", lambda row: _name(row.group)),
        Column("kind", lambda row: "" if row.group == row.kind else row.kind),
        Column("spans", "spans"),
        Column("notes", "notes"),
        Column("missed", "missed"),
        Column("in part", "partly"),
        Column("recall", "recall", ".2%"),
        Column("low", "low", ".2%"),
        Column("high", "high", ".2%"),
        Column("effective n", "effective", ",.0f"),
    ]
    level = level_cell(validation.plan.level)
    caption = f"Recall by span, {level} intervals; effective n: as many independent spans"
    return Table.of(caption, columns, validation.recalls, left=2)


def _name(group: str) -> str:
    kinds = {"all": "all identifiers", "direct": "direct identifiers", "quasi": "quasi-identifiers"}
    return kinds.get(group, group)


def _unmarked(validation: Validation) -> Iterator[Text]:
    found = validation.unmarked
    if found is None:
        if validation.readers == 1:
            yield Text("one reader: what that one overlooked is not known", "note")
        return
    yield Text(
        f"Two readers marked {found.seen:,} places. By capture-recapture there are "
        f"{found.estimate:,.1f} ({found.low:,.1f} to {_many(found.high)}), of which they marked "
        f"{found.marked:.2%}. If nothing of the rest is found, recall is {found.recall:.2%} "
        f"(at the upper end, {found.recall_low:.2%})."
    )
    yield Text(
        "what is hard to see for one reader is so for the other; there may be more than estimated",
        "note",
    )


def _many(number: float) -> str:
    """Format a number that has hundreds of digits where the readers marked the same."""
    return f"{number:,.1f}" if number < _MANY else f"{number:.0e}"


def _conditions(validation: Validation) -> Iterator[Block]:
    plan, conditions = validation.plan, validation.conditions
    strata = f", from {len(plan.strata)} strata" if len(plan.strata) > 1 else ""
    yield Text(
        f"{len(plan.notes):,} of {plan.n_population:,} notes, drawn on {plan.drawn}{strata}; "
        f"{validation.readers} reader{'s' * (validation.readers > 1)}."
    )
    settings = ", ".join(f"{k} {v}" for k, v in conditions.settings.items()) or "as trained"
    lines = [
        f"model {conditions.model} ({conditions.fingerprint}); settings: {settings}",
        f"multideid {__version__} ({', '.join(conditions.libraries)})",
        f"population {plan.population}",
        f"sample {validation.sample}; plan {plan.fingerprint}; seed {plan.seed}",
    ]
    yield Text("\n".join(lines), "signature")


def _digests(report: dict[str, Any]) -> Iterator[Text]:
    lines = [f"{name} {report[name]}" for name in ("sha256", "hmac_sha256") if name in report]
    yield Text("\n".join(lines), "signature")


def _to_sign(report: dict[str, Any]) -> Iterator[Block]:
    yield Text(_MEANING)
    yield Form("Protocol", _PROTOCOL)
    yield Text(_DIGEST)
    yield from _digests(report)
