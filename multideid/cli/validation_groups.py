"""Options that commands of ``multideid validate`` share, as groups."""

from __future__ import annotations

import json as json_format
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid.cli.options.common import AsJson, Jobs, Overwrite
from multideid.cli.options.models import PassThrough, Recall
from multideid.cli.options.reading import LanguageCheck, OnOrOff
from multideid.cli.options.replacing import SigningKeyFile
from multideid.cli.options.validation import (
    DrawLevel,
    DrawSeed,
    FiguresFile,
    LeaksAllowed,
    PageFile,
    Predicted,
    SampleSize,
    ShareBound,
    StratifyBy,
    ValidatedModel,
)
from multideid.cli.output import print_figures
from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.cli.validation_input import ModelChoice
    from multideid.site import Site
    from multideid.validation import Plan, Readings, SampleOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOptions:
    """How notes are drawn."""

    bound: ShareBound = None
    level: DrawLevel = None
    leaks: LeaksAllowed = None
    number: SampleSize = None
    stratify: StratifyBy = None
    seed: DrawSeed = None

    def chosen(self) -> SampleOptions:
        """Return the options, with defaults for those that are not given."""
        from multideid.validation import SampleOptions

        names = {"number": "notes", "stratify": "field"}
        given = {names.get(name, name): value for name, value in self._given().items()}
        return SampleOptions(**given)

    def check_plan(self, plan: Plan, place: Path) -> None:
        """Raise UsageError if a given option is another than that of the plan."""
        drawn = {
            "bound": plan.bound,
            "level": plan.level,
            "leaks": plan.leaks,
            "number": len(plan.notes),
            "stratify": plan.field,
            "seed": plan.seed,
        }
        for name, value in self._given().items():
            if value != drawn[name]:
                flag = "notes" if name == "number" else name
                raise UsageError(
                    f"the sample of {place} is drawn, with --{flag} {drawn[name]}; choose another "
                    "--file to draw a new one"
                )

    def _given(self) -> dict[str, Any]:
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """What is validated."""

    model: ValidatedModel = None
    predicted: Predicted = None
    recall: Recall = None
    pass_through: PassThrough = None
    language_check: LanguageCheck = OnOrOff.on
    jobs: Jobs = None

    def choice(self, site: Site | None) -> ModelChoice:
        """Return the model with its settings; raise UsageError if there is none."""
        from multideid.cli.validation_input import ModelChoice

        checked = self.language_check is OnOrOff.on
        return ModelChoice(
            self.model, self.predicted, self.recall, site, self.pass_through, checked, self.jobs
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """Where the figures go."""

    out: FiguresFile = None
    report: PageFile = None
    key_file: SigningKeyFile = None
    overwrite: Overwrite = False
    json: AsJson = False

    def check(self, inputs: Mapping[str, Path]) -> None:
        """Raise UsageError if a file is an input, exists unasked, or cannot be written."""
        from multideid.files import refuse_same

        outputs = {"the figures": self.out, "the report": self.report}
        chosen = {name: path for name, path in outputs.items() if path is not None}
        refuse_same(inputs, chosen)
        for path in chosen.values():
            check_free(path, self.overwrite)
        if self.report is not None:
            from multideid.eval.reports.html import check_report_place

            check_report_place(self.report, self.overwrite)

    def write(self, drawn: Plan, readings: Readings, choice: ModelChoice) -> None:
        """Compare what people marked with what is found, and write and print the figures."""
        from multideid.deid.replacing import find_key
        from multideid.validation import signed, validate
        from multideid.validation.page import to_page, to_plain

        found, conditions = choice.run([note.with_spans(()) for note in readings.gold])
        validation = validate(drawn, readings, found, conditions)
        # The key of the environment is for surrogates; a signature is asked for by name.
        key = None if self.key_file is None else find_key(self.key_file)
        content = signed(validation.to_dict(), key)
        if self.out is not None:
            _write(self.out, json_format.dumps(content, indent=1) + "\n")
        if self.report is not None:
            from multideid.eval.reports.html import write_report

            write_report(self.report, to_page(validation, content), self.overwrite)
        print_figures(content, to_plain(validation, content), self.json)


def check_free(path: Path, overwrite: bool) -> None:
    """Raise UsageError if a file exists that is not to be replaced."""
    if path.exists() and not overwrite:
        raise UsageError(f"{path} already exists; choose another path or allow overwriting")


def _write(path: Path, text: str) -> None:
    from multideid.files import atomic_output

    with atomic_output(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
