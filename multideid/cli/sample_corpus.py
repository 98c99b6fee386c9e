"""``multideid sample-corpus``: a synthetic corpus to try the other commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from multideid.cli.options import AsJson, Overwrite, Seed, ToFormat
from multideid.cli.output import count_labels, counted, labels_table, print_figures


def sample_corpus(  # noqa: PLR0913 (the options of the command)
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Where to write.")],
    *,
    documents: Annotated[
        int, typer.Option("--documents", "-n", metavar="N", help="Number of documents.")
    ] = 60,
    seed: Seed = 0,
    to: ToFormat = "brat",
    overwrite: Overwrite = False,
    json: AsJson = False,
) -> None:
    """Write synthetic English discharge summaries with gold PHI.

    Every person, hospital, number and date in them is invented.
    """
    from multideid.corpora import write_corpus
    from multideid.samples import sample_corpus as make_documents

    corpus = make_documents(documents, seed)
    write_corpus(corpus, out, to, overwrite=overwrite)
    labels = count_labels(corpus)
    figures = {"out": str(out), "format": to, "documents": len(corpus), "spans": labels}
    text = f"{counted(len(corpus), 'document')} written to {out} ({to})\n\n{labels_table(labels)}"
    print_figures(figures, text, json)
