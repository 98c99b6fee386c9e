"""Options of files to de-identify: where their text is, and how it is read."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class OnOrOff(StrEnum):
    """Whether something is done."""

    on = "on"
    off = "off"


Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT", help="Files and folders; or - alone: standard input to output."
    ),
]

TextColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="NAME",
        help="Column with text, identifiers or dates in CSV, TSV and Parquet files; can be "
        "repeated. If given, such files in folders are read too. Other columns are kept. "
        "Default: text.",
        show_default=False,
    ),
]

JsonPaths = Annotated[
    list[str] | None,
    typer.Option(
        "--json-path",
        metavar="PATH",
        help="Key of the text in JSON and JSON Lines, such as note.text, notes[*].text or ..text "
        "(at any depth); can be repeated. Other values are kept. Default: text.",
        show_default=False,
    ),
]

JsonId = Annotated[
    str | None,
    typer.Option(
        "--json-id",
        metavar="PATH",
        help="Key of a record's id in JSON, which names it in failures, report and vault. "
        "Default: the number of its line or item.",
        show_default=False,
    ),
]

TextEncoding = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="Encoding of the files, such as windows-1252. Default: UTF-8, or as a file declares.",
        show_default=False,
    ),
]

LanguageCheck = Annotated[
    OnOrOff,
    typer.Option(
        "--language-check",
        help="Whether to refuse notes that are plainly not in the language of the model.",
    ),
]

AsText = Annotated[
    bool,
    typer.Option(
        "--as-text",
        help="Read files as plain text, even if they look like data in some format. Values in "
        "structured data are then mostly missed.",
    ),
]
