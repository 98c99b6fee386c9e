"""Options of a site: its lists, its patients, and its actions by label."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Preset(StrEnum):
    """Actions for a purpose."""

    safe_harbor = "safe-harbor"
    limited_data_set = "limited-data-set"
    gdpr_pseudonymous = "gdpr-pseudonymous"


SiteFile = Annotated[
    Path | None,
    typer.Option(
        "--site",
        metavar="FILE",
        help="A site.toml with lists, patterns and settings of your site.",
        show_default=False,
    ),
]

AllowLists = Annotated[
    list[Path] | None,
    typer.Option(
        "--allow",
        metavar="FILE",
        help="A list of what is not PHI, one entry per line. * matches any letters and digits of a "
        "word; /regular expressions/ go between slashes. Can be repeated.",
        show_default=False,
    ),
]

DenyLists = Annotated[
    list[str] | None,
    typer.Option(
        "--deny",
        metavar="LABEL=FILE",
        help="A list of what is PHI, such as DOCTOR=staff.txt. Can be repeated.",
        show_default=False,
    ),
]

PatientsTable = Annotated[
    Path | None,
    typer.Option(
        "--patients",
        metavar="FILE",
        help="A table of your patients (CSV, TSV or Parquet): its values are PHI in the notes of "
        "the same patient, identified by --patient-field or a record number in the note.",
        show_default=False,
    ),
]

ActionsByLabel = Annotated[
    list[str] | None,
    typer.Option(
        "--action",
        metavar="LABEL=ACTION,...",
        help="What to do with PHI of a label, such as DATE=shift,LOCATION=keep,*=surrogate: an "
        "action of --as, [b]keep[/b], [b]shift[/b] (dates) or [b]top-code[/b] (ages over 89 "
        "become 90+). Other labels: as --as says. Can be repeated.",
        show_default=False,
    ),
]

PresetName = Annotated[
    Preset | None,
    typer.Option(
        "--preset",
        help="Actions for a common purpose; --action overrides them. The guide Choose what happens "
        "to each label says what they promise.",
        show_default=False,
    ),
]
