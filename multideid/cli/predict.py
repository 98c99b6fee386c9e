"""``multideid predict``: a corpus with the spans that a model finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multideid.cli.error_handler import exit_if_failed, print_failure
from multideid.cli.option_groups import SiteOptions, with_groups
from multideid.cli.options.common import AsJson, Jobs, Overwrite, Shared, ShowProgress, Timeout
from multideid.cli.options.corpora import CorpusFormat, OutCorpus, SpansFormat
from multideid.cli.options.models import ModelArgument, PassThrough, Recall, Scores
from multideid.cli.options.reading import LanguageCheck, OnOrOff
from multideid.cli.options.replacing import Resume, SkipKnownNotes
from multideid.cli.output import counted, labels_table, print_figures
from multideid.cli.progress import OnProgress, progress_bar
from multideid.cli.values import chosen_formats
from multideid.document import Document, FailedDocument
from multideid.errors import UsageError
from multideid.models import find_model, load
from multideid.models.languages import language_refusal
from multideid.parallel import TIMEOUT

if TYPE_CHECKING:
    from multideid.deid.findings import RememberingPredictor
    from multideid.deid.journal import Journal
    from multideid.stacking import Deidentifier


@with_groups
def predict(  # noqa: PLR0913 (the options of the command)
    model: ModelArgument,
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="The documents.")],
    out: OutCorpus,
    *,
    to: SpansFormat = None,
    recall: Recall = None,
    knowledge: SiteOptions,
    scores: Scores = False,
    pass_through: PassThrough = None,
    format: CorpusFormat = None,
    language_check: LanguageCheck = OnOrOff.on,
    overwrite: Overwrite = False,
    resume: Resume = False,
    skip_existing: SkipKnownNotes = False,
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
    from multideid.deid.findings import RememberingPredictor, has_agreement
    from multideid.deid.identity import identity_of
    from multideid.deid.journal import Journal
    from multideid.stacking import ParallelPredictor

    source, target = chosen_formats(corpus, format, to)
    inputs = [corpus, find_model(model)]
    site, checked = knowledge.chosen(), language_check is OnOrOff.on
    formats: dict[str, Any] = {"format": source, "to": target, "shared": shared}
    settings = {**formats, "language_check": checked, "pass_through": pass_through}
    settings |= {"scores": True} if scores else {}
    identity = identity_of(model, site, recall=recall, **settings)
    if scores:
        _check_keeps_scores(target)
    opened = partial(_loaded, model, recall, site, pass_through=pass_through, scores=scores)
    with (
        progress_bar(progress, thread=False) as shown,
        Journal(out, identity, resume=resume, keep=skip_existing, anew=overwrite) as journal,
        ParallelPredictor(opened, jobs, votes=scores, isolated=True, timeout=timeout) as predictor,
    ):
        # A mistake in the corpus shows now, and not hours later.
        total = sum(1 for _ in iter_corpus(corpus, source, on_report=lambda report: None))
        refusal = language_refusal(model, lambda: predictor.labels, checked)
        predicted = _Predicted(shown, refusal, total)
        known = RememberingPredictor(predictor, journal, scores, has_agreement(site))
        found = predicted.each(_found(known, journal, iter_corpus(corpus, source)))
        # With a journal, what is there was written by the run before, or at its end.
        again = overwrite or ((resume or skip_existing) and journal.path.exists())
        n = write_corpus(found, out, target, overwrite=again, inputs=inputs, private=not shared)
    written = {"out": str(out), "format": target, "documents": n}
    unchanged = {"unchanged": known.remembered} if skip_existing else {}
    predicted.print_counts({**written, **unchanged}, json)
    exit_if_failed(predicted.failures)


def _check_keeps_scores(target: str) -> None:
    from multideid.corpora.registry import formats_keeping, load_format

    if not load_format(target).scores:
        kept = ", ".join(formats_keeping("scores"))
        raise UsageError(
            f"--scores: the format {target} has no scores of spans; choose another by --to: {kept}"
        )


def _loaded(*args: Any, scores: bool, **kwargs: Any) -> Deidentifier:
    """Load a model, whose spans must have scores if these are wanted."""
    model = load(*args, **kwargs)
    if scores:
        model.check_scores("--scores")
    return model


def _found(
    predictor: RememberingPredictor, journal: Journal, documents: Iterable[Document]
) -> Iterator[Document | FailedDocument]:
    """Find PHI in documents once the output is locked, which the writer of a corpus does."""
    from multideid.deid.journal import Claim

    journal.open()
    journal.claim([Claim("")])
    yield from predictor.predict_each(documents)


class _Predicted:
    """Counts of the documents so far, of which `total` are to be processed."""

    def __init__(
        self,
        on_progress: OnProgress | None,
        refusal_of: Callable[[str], str | None],
        total: int,
    ) -> None:
        from multideid.deid.results import Failures
        from multideid.deid.run import Throughput

        self._on_progress, self._refusal_of, self._total = on_progress, refusal_of, total
        self._done = 0
        self.labels: Counter[str] = Counter()
        self.failures = Failures(print_failure)
        self.throughput = Throughput()

    def each(
        self, results: Iterable[Document | FailedDocument]
    ) -> Iterator[Document | FailedDocument]:
        """Yield the documents; one in a language that is not read has failed."""
        self._show()
        for result in results:
            self._done += 1
            checked = self._checked(result)
            if isinstance(checked, Document):
                self.count(checked)
            else:
                self.failures.add(checked.id, checked.problem)
            yield checked
            self._show()

    def count(self, document: Document) -> None:
        """Count a document."""
        self.labels.update(span.label for span in document.spans)
        self.throughput.add(document.text)

    def print_counts(self, written: dict[str, Any], json: bool) -> None:
        """Print what was written, and the spans in it."""
        spans = dict(sorted(self.labels.items()))
        figures = {**written, "spans": spans, **self.throughput.to_dict()}
        n, target = counted(written["documents"], "document"), written["format"]
        text = f"{n} written to {written['out']} ({target}), {self.throughput}"
        if "unchanged" in written:
            text += f"; {written['unchanged']:,} read by an earlier run, not again"
        print_figures(
            {**figures, "failed": self.failures.to_list()}, f"{text}\n\n{labels_table(spans)}", json
        )

    def _checked(self, result: Document | FailedDocument) -> Document | FailedDocument:
        if isinstance(result, Document) and (refusal := self._refusal_of(result.text)):
            return FailedDocument(result.id, refusal)
        return result

    def _show(self) -> None:
        if self._on_progress is not None:
            self._on_progress(self._done, self._total, f"documents, {self.throughput}")
