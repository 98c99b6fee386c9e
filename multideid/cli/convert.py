"""``multideid convert``: from any corpus format to any other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from multideid.cli.options.common import AsJson, Overwrite, Shared
from multideid.cli.options.corpora import CorpusFormat, ToFormat
from multideid.cli.output import counted, print_figures


def convert(  # noqa: PLR0913 (the options of the command)
    source: Annotated[Path, typer.Argument(metavar="IN", help="The corpus to read.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="Where to write.")],
    to: ToFormat,
    *,
    format: CorpusFormat = None,
    text_column: Annotated[
        str | None, typer.Option(metavar="NAME", help="Column with the text, if IN is a table.")
    ] = None,
    id_column: Annotated[
        str | None, typer.Option(metavar="NAME", help="Column with the ids, if IN is a table.")
    ] = None,
    spans_column: Annotated[
        str | None, typer.Option(metavar="NAME", help="Column with the spans, if IN is a table.")
    ] = None,
    overwrite: Overwrite = False,
    shared: Shared = False,
    json: AsJson = False,
) -> None:
    """Write a corpus in another format; text and offsets stay exactly the same."""
    from multideid.corpora import convert as convert_corpus

    named = {"text_column": text_column, "id_column": id_column, "spans_column": spans_column}
    options = {name: column for name, column in named.items() if column is not None}
    n = convert_corpus(
        source,
        target,
        to,
        format=format,
        overwrite=overwrite,
        private=not shared,
        read_options=options,
    )
    figures = {"out": str(target), "format": to, "documents": n}
    print_figures(figures, f"{counted(n, 'document')} written to {target} ({to})", json)
