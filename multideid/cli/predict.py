"""``multideid predict``: a corpus with the spans that a model finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from multideid.cli.error_handler import DocumentsFailedError, exit_if_failed, print_failure
from multideid.cli.options import (
    AllowLists,
    AsJson,
    CorpusFormat,
    DenyLists,
    Jobs,
    LanguageCheck,
    ModelArgument,
    OnOrOff,
    OutCorpus,
    Overwrite,
    PassThrough,
    PatientsTable,
    Recall,
    Shared,
    ShowProgress,
    SiteFile,
    SpansFormat,
    TakenLabels,
    Timeout,
)
from multideid.cli.output import counted, labels_table, print_figures
from multideid.cli.progress import OnProgress, progress_bar
from multideid.cli.site_values import chosen_site
from multideid.cli.values import chosen_formats
from multideid.document import Document
from multideid.models import find_model, load
from multideid.models.languages import language_refusal
from multideid.parallel import TIMEOUT

if TYPE_CHECKING:
    from multideid.stacking import FailedDocument


def predict(  # noqa: PLR0913 (the options of the command)
    model: ModelArgument,
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="The documents.")],
    out: OutCorpus,
    *,
    to: SpansFormat = None,
    recall: Recall = None,
    site: SiteFile = None,
    allow: AllowLists = None,
    deny: DenyLists = None,
    patients: PatientsTable = None,
    labels: TakenLabels = None,
    pass_through: PassThrough = None,
    format: CorpusFormat = None,
    language_check: LanguageCheck = OnOrOff.on,
    overwrite: Overwrite = False,
    shared: Shared = False,
    jobs: Jobs = None,
    timeout: Timeout = TIMEOUT,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """Write a corpus with predicted spans, which replace the spans that it has.

    A document on which the model fails, or that is plainly in a language it does
    not read, is named on stderr and not written.
    """
    from multideid.corpora import iter_corpus, write_corpus
    from multideid.stacking import ParallelPredictor

    source, target = chosen_formats(corpus, format, to)
    inputs = [corpus, find_model(model)]
    knowledge = chosen_site(site, allow, deny, labels, patients)
    with (
        progress_bar(progress, thread=False) as shown,
        ParallelPredictor(
            partial(load, model, recall, knowledge, pass_through=pass_through),
            jobs,
            isolated=True,
            timeout=timeout,
        ) as predictor,
    ):
        checked = language_check is OnOrOff.on
        predicted = _Predicted(shown, language_refusal(model, lambda: predictor.labels, checked))
        found = predicted.each(predictor.predict_each(iter_corpus(corpus, source)))
        n = write_corpus(found, out, target, overwrite=overwrite, inputs=inputs, private=not shared)
    spans, throughput = dict(sorted(predicted.labels.items())), predicted.throughput
    figures = {"out": str(out), "format": target, "documents": n, "spans": spans}
    text = f"{counted(n, 'document')} written to {out} ({target}), {throughput}"
    print_figures(
        {**figures, **throughput.to_dict(), "failed": predicted.failures.to_list()},
        f"{text}\n\n{labels_table(spans)}",
        json,
    )
    exit_if_failed(predicted.failures)


class _Predicted:
    """Counts of the documents so far."""

    def __init__(
        self, on_progress: OnProgress | None, refusal_of: Callable[[str], str | None]
    ) -> None:
        from multideid.deid.results import Failures
        from multideid.deid.run import Throughput

        self._on_progress, self._refusal_of = on_progress, refusal_of
        self.labels: Counter[str] = Counter()
        self.failures = Failures(print_failure)
        self.throughput = Throughput()

    def each(self, results: Iterable[Document | FailedDocument]) -> Iterator[Document]:
        """Yield the documents that did not fail.

        Raises
        ------
        DocumentsFailedError
            If all documents failed.
        """
        done = 0
        for result in results:
            if not isinstance(result, Document):
                self.failures.add(result.id, result.problem)
                continue
            if problem := self._refusal_of(result.text):
                self.failures.add(result.id, problem)
                continue
            done += 1
            self.labels.update(span.label for span in result.spans)
            self.throughput.add(result.text)
            if self._on_progress is not None:
                self._on_progress(done, None, f"documents, {self.throughput}")
            yield result
        if self.failures and not done:
            raise DocumentsFailedError("every document failed; nothing was written")
