"""``multideid predict``: a corpus with the spans that a model finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from multideid.cli.failures import Failures
from multideid.cli.model_options import ModelArgument, Recall, open_model
from multideid.cli.options import (
    AsJson,
    CorpusFormat,
    Jobs,
    OutCorpus,
    Overwrite,
    ShowProgress,
    SpansFormat,
    chosen_formats,
)
from multideid.cli.output import counted, labels_table, print_figures
from multideid.cli.progress import OnProgress, progress_bar
from multideid.deid.throughput import Pace
from multideid.document import Document
from multideid.models import find_model


def predict(  # noqa: PLR0913 (the options of the command)
    model: ModelArgument,
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="The documents.")],
    out: OutCorpus,
    *,
    to: SpansFormat = None,
    recall: Recall = None,
    format: CorpusFormat = None,
    overwrite: Overwrite = False,
    jobs: Jobs = None,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """Write a corpus with predicted spans in the place of any that it has.

    A document on which the model fails is named on stderr and not written.
    """
    from multideid.corpora import iter_corpus, write_corpus
    from multideid.stacking import ParallelPredictor

    source, target = chosen_formats(corpus, format, to)
    failures = Failures()
    inputs = [corpus, find_model(model)]
    with (
        progress_bar(progress, thread=False) as bar,
        ParallelPredictor(open_model(model, recall), jobs) as workers,
    ):
        count = _Count(bar)
        found = failures.drop(workers.predict_each(iter_corpus(corpus, source)))
        n = write_corpus(count.each(found), out, target, overwrite=overwrite, inputs=inputs)
    spans = dict(sorted(count.labels.items()))
    figures = {"out": str(out), "format": target, "documents": n, "spans": spans}
    text = f"{counted(n, 'document')} written to {out} ({target}), {count.pace}"
    print_figures(
        {**figures, **count.pace.to_dict(), "failed": failures.to_list()},
        f"{text}\n\n{labels_table(spans)}",
        json,
    )
    failures.finish()


class _Count:
    """What was predicted so far."""

    def __init__(self, bar: OnProgress | None) -> None:
        self._bar = bar
        self.labels: Counter[str] = Counter()
        self.pace = Pace()

    def each(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents, counted."""
        for n, document in enumerate(documents, start=1):
            self.labels.update(span.label for span in document.spans)
            self.pace.add(document.text)
            if self._bar is not None:
                self._bar(n, None, f"documents, {self.pace}")
            yield document
