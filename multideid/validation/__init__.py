"""How safe de-identified notes are: a random sample, people who read it, and a signed report.

`draw_sample` chooses notes at random and remembers which in a `Plan`. People mark the PHI in
them without seeing what a model found. `validate` then compares what they marked with what a
model, or any other tool, finds, and `Validation` says with which confidence how much is left.

Nothing in a `Validation` is text of a note, or its id.
"""

from __future__ import annotations

from multideid.validation.comparison import validate
from multideid.validation.outcome import NoteOutcomes, note_outcomes
from multideid.validation.plan import Plan, read_plan, write_plan
from multideid.validation.reading import Readings, gold_of, reading_of
from multideid.validation.results import Conditions, Validation
from multideid.validation.sampling import SampleOptions, draw_sample, planned_notes
from multideid.validation.signature import check_report, signed
from multideid.validation.simulation import Coverage, simulate

__all__ = [
    "Conditions",
    "Coverage",
    "NoteOutcomes",
    "Plan",
    "Readings",
    "SampleOptions",
    "Validation",
    "check_report",
    "draw_sample",
    "gold_of",
    "note_outcomes",
    "planned_notes",
    "read_plan",
    "reading_of",
    "signed",
    "simulate",
    "validate",
    "write_plan",
]
