"""Options of de-identification: what replaces PHI, and what is written."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class ReplacementMode(StrEnum):
    """Replacements of PHI."""

    mask = "mask"
    tag = "tag"
    remove = "remove"
    surrogate = "surrogate"
    hash = "hash"


class DateOrder(StrEnum):
    """Whether 3/4 is in April or in March."""

    day_first = "day-first"
    month_first = "month-first"


OutFolder = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="DIR", help="The folder to write to."),
]

ReplaceBy = Annotated[
    ReplacementMode,
    typer.Option(
        "--as",
        help="What replaces PHI: its label ([b]mask[/b]), nothing ([b]remove[/b]), the PHI "
        "itself in tags, for review ([b]tag[/b]), invented PHI of the same form "
        "([b]surrogate[/b]), or its label with a keyed hash ([b]hash[/b]).",
    ),
]

KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help="File with the secret key of surrogates, hashes and vaults, 16 bytes or more. "
        "Default: the environment variable MULTIDEID_KEY; without it, surrogates and hashes use "
        "a random key that is lost after the run, and no vault can be written.",
        show_default=False,
    ),
]

VaultKeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help="File with the key that deid was given. Default: the environment variable "
        "MULTIDEID_KEY.",
        show_default=False,
    ),
]

SigningKeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help="File with the key that signs the report, 16 bytes or more. Without it, the report "
        "has a digest only.",
        show_default=False,
    ),
]

PatientField = Annotated[
    str | None,
    typer.Option(
        "--patient-field",
        metavar="NAME",
        help="Column of tables, or key in JSON, that identifies the patient: with the same key, "
        "the surrogates of a patient agree in all rows and runs. --patients, --agreement and "
        "plug-ins use it too. Default: each note belongs to another patient.",
        show_default=False,
    ),
]

KeepWeekday = Annotated[
    bool, typer.Option("--keep-weekday", help="Shift dates of surrogates by whole weeks.")
]

DateOrderOption = Annotated[
    DateOrder | None,
    typer.Option(
        "--date-order",
        help="Whether 3/4 is in April or in March, for shifted dates. Default: as --site says, "
        "else inferred from the other dates of each note.",
        show_default=False,
    ),
]

VaultFile = Annotated[
    Path | None,
    typer.Option(
        "--vault",
        metavar="FILE",
        help="Write an encrypted file from which [b]multideid restore[/b], given the key, "
        "restores the text.",
        show_default=False,
    ),
]

SpansReport = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write the replaced spans, their scores and the systems that voted for each: "
        ".json, .csv, or .html to sort and filter.",
        show_default=False,
    ),
]

ShowPhi = Annotated[
    bool, typer.Option("--show-phi", help="Let the report quote the PHI, for review.")
]

OverwriteFiles = Annotated[
    bool, typer.Option("--overwrite", help="Replace files of an earlier run, never an input.")
]

Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Continue an interrupted run: repeat its command with this option. Without such a "
        "run, everything is processed.",
    ),
]

SkipExisting = Annotated[
    bool,
    typer.Option(
        "--skip-existing",
        help="Process only files that are new or changed since the last run with this option, "
        "which keeps a journal beside the output. Includes --resume.",
    ),
]
SkipKnownNotes = Annotated[
    bool,
    typer.Option(
        "--skip-existing",
        help="Predict only notes that are new or changed since the last run with this option, "
        "which keeps a journal beside the output; all are written. Includes --resume.",
    ),
]
