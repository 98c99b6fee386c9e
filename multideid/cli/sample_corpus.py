"""``multideid sample-corpus``: invented English notes to try the other commands on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from multideid.cli.options.common import AsJson, Overwrite, Seed
from multideid.cli.output import count_labels, counted, labels_table, print_figures

_BY_SUFFIX = {".jsonl": "jsonl", ".csv": "csv", ".tsv": "csv", ".parquet": "parquet"}


def sample_corpus(  # noqa: PLR0913 (the options of the command)
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Where to write.")],
    *,
    split: Annotated[
        str, typer.Option(metavar="NAME", help="The split to take: train, dev or test.")
    ] = "train",
    documents: Annotated[
        int | None,
        typer.Option(
            "--documents",
            "-n",
            metavar="N",
            help="Number of documents, chosen at random. Default: all of the split.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = 0,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Format to write (see [b]multideid formats[/b]). Default: that of the suffix of "
            "OUT, .jsonl, .csv, .tsv or .parquet, and otherwise brat.",
            show_default=False,
        ),
    ] = None,
    overwrite: Overwrite = False,
    json: AsJson = False,
) -> None:
    """Write English clinical notes of many kinds with gold PHI.

    Every patient, person, institution and number in them is invented.
    """
    from multideid.corpora import write_corpus
    from multideid.corpora.registry import corpus_format
    from multideid.samples import sample_corpus as make_documents

    to = to or _BY_SUFFIX.get(out.suffix.lower(), "brat")
    corpus = make_documents(documents, seed, split=split)
    # A warning of lost fields would be one of fields that the user never had.
    if not corpus_format(to).meta:
        corpus = [replace(document, meta={}) for document in corpus]
    write_corpus(corpus, out, to, overwrite=overwrite, private=False)
    labels = count_labels(corpus)
    figures = {"out": str(out), "format": to, "documents": len(corpus), "spans": labels}
    text = f"{counted(len(corpus), 'document')} written to {out} ({to})\n\n{labels_table(labels)}"
    print_figures(figures, text, json)
