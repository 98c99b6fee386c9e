"""Options that commands share or pass on as one, each a field of a dataclass."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeGuard

from multideid.cli.options.common import AsJson, Jobs, SharedOrPrivate, ShowProgress, Timeout
from multideid.cli.options.models import Agreement, MinScore, TakenLabels
from multideid.cli.options.reading import AsText, JsonId, JsonPaths, TextColumns, TextEncoding
from multideid.cli.options.replacing import (
    DateOrderOption,
    KeepWeekday,
    KeyFile,
    OverwriteFiles,
    PatientField,
    Resume,
    ShowPhi,
    SkipExisting,
    SpansReport,
    VaultFile,
)
from multideid.cli.options.site import AllowLists, DenyLists, PatientsTable, SiteFile
from multideid.cli.site_values import chosen_site
from multideid.parallel import TIMEOUT

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from multideid.site import Site


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for each field of its parameters that are dataclasses.

    The options are at the place of the parameter, in the order of the fields.
    """
    signature = inspect.signature(command, eval_str=True)
    groups = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if _is_group(parameter.annotation)
    }

    @wraps(command)
    def run(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        command(**values)

    options = [
        option for parameter in signature.parameters.values() for option in _options_of(parameter)
    ]
    # What typer reads.
    run.__signature__ = signature.replace(parameters=options)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in options}
    return run


def _is_group(annotation: object) -> TypeGuard[type[DataclassInstance]]:
    return isinstance(annotation, type) and is_dataclass(annotation)


def _options_of(parameter: inspect.Parameter) -> list[inspect.Parameter]:
    group = parameter.annotation
    if _is_group(group):
        options = inspect.signature(group, eval_str=True).parameters.values()
        return [option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in options]
    return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteOptions:
    """What a site knows about its notes."""

    site: SiteFile = None
    allow: AllowLists = None
    deny: DenyLists = None
    patients: PatientsTable = None
    labels: TakenLabels = None
    min_score: MinScore = None
    agreement: Agreement = None

    def chosen(self, **values: Any) -> Site | None:
        """Return the site, with other values, as `chosen_site`."""
        return chosen_site(
            self.site,
            self.allow,
            self.deny,
            self.labels,
            self.patients,
            min_score=self.min_score,
            agreement=self.agreement,
            **values,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """How files are read."""

    column: TextColumns = None
    json_path: JsonPaths = None
    json_id: JsonId = None
    encoding: TextEncoding = None
    as_text: AsText = False

    def settings(self) -> dict[str, Any]:
        """Return the fields of `DeidOptions` that these options give."""
        return {
            "json_paths": tuple(self.json_path or ()),
            "json_id": self.json_id,
            "encoding": self.encoding,
            "as_text": self.as_text,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacingOptions:
    """What surrogates follow from, and what is written about the replacements."""

    key_file: KeyFile = None
    patient_field: PatientField = None
    keep_weekday: KeepWeekday = False
    date_order: DateOrderOption = None
    vault: VaultFile = None
    report: SpansReport = None
    show_phi: ShowPhi = False

    def settings(self) -> dict[str, Any]:
        """Return the fields of `DeidOptions` that these options give.

        The date order is none of them: a site has it.
        """
        return {
            "key": self.key_file,
            "patient_field": self.patient_field,
            "keep_weekday": self.keep_weekday,
            "vault": self.vault,
            "report": self.report,
            "show_phi": self.show_phi,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How a run goes about its files, and what it prints."""

    overwrite: OverwriteFiles = False
    resume: Resume = False
    skip_existing: SkipExisting = False
    shared: SharedOrPrivate = None
    jobs: Jobs = None
    timeout: Timeout = TIMEOUT
    progress: ShowProgress = None
    json: AsJson = False

    def settings(self) -> dict[str, Any]:
        """Return the fields of `DeidOptions` that these options give."""
        return {
            "overwrite": self.overwrite,
            "resume": self.resume,
            "skip_existing": self.skip_existing,
            "shared": self.shared,
            "n_jobs": self.jobs,
            "timeout": self.timeout,
        }
