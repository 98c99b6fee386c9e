"""``multideid predict``: a corpus with the spans that a model finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from multideid.cli.failures import Failures
from multideid.cli.options import AsJson, CorpusFormat, OutCorpus, Overwrite
from multideid.cli.output import counted, labels_table, print_figures
from multideid.document import Document

_WITHOUT_SPANS = {"plain": "brat"}


def predict(  # noqa: PLR0913 (the options of the command)
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A trained model.")],
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="The documents.")],
    out: OutCorpus,
    *,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="NAME",
            help="Format to write. Default: that of CORPUS, or brat if that holds no spans.",
        ),
    ] = None,
    format: CorpusFormat = None,
    overwrite: Overwrite = False,
    json: AsJson = False,
) -> None:
    """Write a corpus with predicted spans in the place of any that it has.

    A document on which the model fails is named on stderr and not written.
    """
    from multideid.corpora import detect_format, iter_corpus, write_corpus
    from multideid.stacking import load

    source = format or detect_format(corpus)
    target = to or _WITHOUT_SPANS.get(source, source)
    deidentifier, failures = load(model), Failures()
    labels: Counter[str] = Counter()
    results = deidentifier.predict_each(iter_corpus(corpus, source))
    n = write_corpus(
        _counting(failures.drop(results), labels),
        out,
        target,
        overwrite=overwrite,
        inputs=[corpus, model],
    )
    spans = dict(sorted(labels.items()))
    figures = {"out": str(out), "format": target, "documents": n, "spans": spans}
    text = f"{counted(n, 'document')} written to {out} ({target})\n\n{labels_table(spans)}"
    print_figures({**figures, "failed": failures.to_list()}, text, json)
    failures.finish()


def _counting(documents: Iterable[Document], labels: Counter[str]) -> Iterator[Document]:
    for document in documents:
        labels.update(span.label for span in document.spans)
        yield document
