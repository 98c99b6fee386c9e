"""Runs are opened: locks, journal, vault, report and model, in this order."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from multideid.deid.files import FileJob
from multideid.deid.findings import RememberingPredictor, has_agreement
from multideid.deid.identity import identity_of, require_named, require_stored
from multideid.deid.increments import Increment, failed_names, plan_increment
from multideid.deid.journal import Claim, Journal
from multideid.deid.options import DeidOptions
from multideid.deid.replacing import Resources, find_key, open_resources
from multideid.deid.results import Failures
from multideid.deid.run import Redaction
from multideid.errors import UsageError
from multideid.files import refuse_inside
from multideid.labels import nearest_label
from multideid.locks import run_lock
from multideid.models import find_model, load, open_model
from multideid.models.languages import language_refusal

if TYPE_CHECKING:
    from multideid.stacking import Deidentifier, ParallelPredictor


class OpenRun(NamedTuple):
    """A run, and what it has to do."""

    run: Redaction
    increment: Increment


@contextmanager
def open_run(
    options: DeidOptions,
    jobs: Sequence[FileJob] = (),
    outputs: Collection[Path] = (),
    columns: Sequence[str] | None = None,
) -> Iterator[OpenRun]:
    """Open model, vault, report and journal for a run that writes to `outputs`.

    Parameters
    ----------
    options : DeidOptions
    jobs : sequence of FileJob
    outputs : collection of Path
        The files and folders that the jobs write to.
    columns : sequence of str, optional
        The columns of tables to rewrite.
    """
    if options.goes_on and not outputs:
        raise UsageError("only a run from files to files can be resumed")
    if isinstance(options.model, str | Path):
        for out in outputs:
            refuse_inside(out, [find_model(options.model)])
    others = [Path(path) for path in (options.vault, options.report) if path is not None]
    with run_lock([*outputs, *others]), ExitStack() as stack:
        journal = _journal(options, jobs, outputs, columns)
        increment = Increment(jobs)
        if journal is not None:
            increment = _begin(stack.enter_context(journal), jobs, options, others)
        resources = stack.enter_context(open_resources(options, _replaceable(options, journal)))
        predictor = stack.enter_context(_predictor(options, bool(outputs)))
        run = _redaction(options, resources, predictor, journal)
        run.reading = replace(run.reading, columns=tuple(columns or ()))
        yield OpenRun(run, increment)
        if journal is not None:
            journal.exclude(failed_names(increment.jobs, run.failures))


def _journal(
    options: DeidOptions,
    jobs: Sequence[FileJob],
    outputs: Collection[Path],
    columns: Sequence[str] | None,
) -> Journal | None:
    """Return the journal of a run, if it can have one."""
    if options.goes_on:
        require_stored(options.model)
        require_named(options.mode)
    if len(outputs) != 1 or not isinstance(options.model, str | Path):
        return None
    key = find_key(options.key)
    identity = identity_of(
        options.model,
        options.site,
        key,
        recall=options.recall,
        pass_through=options.pass_through,
        mode=options.mode,
        column=columns and (columns[0] if len(columns) == 1 else tuple(columns)),
        patient_field=options.patient_field,
        as_text=options.as_text,
        encoding=options.encoding,
        json_path=tuple(options.json_paths),
        json_id=options.json_id,
        language_check=options.language_check,
        keep_weekday=options.keep_weekday,
        private=options.private,
    )
    return Journal(
        next(iter(outputs)),
        identity,
        root=jobs[0].out,
        key=key,
        resume=options.resume,
        keep=options.skip_existing,
        anew=options.overwrite,
    )


def _begin(
    journal: Journal, jobs: Sequence[FileJob], options: DeidOptions, others: Sequence[Path]
) -> Increment:
    journal.open()
    skip, overwrite = options.skip_existing, options.overwrite or not options.goes_on
    increment = plan_increment(journal, jobs, skip_existing=skip, overwrite=overwrite)
    _refuse_to_lose(options.vault, increment)
    # What is there and not of this run is refused later, and must not be claimed.
    free = (p for p in others if options.overwrite or not p.exists())
    journal.claim(Claim(str(path.absolute())) for path in free)
    return increment


def _refuse_to_lose(vault: str | Path | None, increment: Increment) -> None:
    """Raise UsageError if a vault is there without which files that stay cannot be restored."""
    stays = increment.unchanged or increment.vanished
    if stays and vault is not None and os.path.lexists(vault):
        problem = f"{vault} exists, and may restore files that this run leaves as they are"
        remedy = "name another vault, or process everything again, without skipping"
        raise UsageError(f"{problem}; {remedy}")


def _replaceable(options: DeidOptions, journal: Journal | None) -> Callable[[Path], bool]:
    def may_replace(path: Path) -> bool:
        if options.overwrite:
            return True
        return options.goes_on and journal is not None and journal.is_known(str(path.absolute()))

    return may_replace


def _predictor(options: DeidOptions, has_files: bool) -> ParallelPredictor:
    from multideid.stacking import ParallelPredictor

    return ParallelPredictor(
        _model(options),
        options.n_jobs,
        votes=options.report is not None,
        isolated=has_files if options.isolated is None else options.isolated,
        timeout=options.timeout,
    )


def _redaction(
    options: DeidOptions,
    resources: Resources,
    predictor: ParallelPredictor,
    journal: Journal | None,
) -> Redaction:
    return Redaction(
        predictor=predictor if journal is None else _remembering(options, predictor, journal),
        progress=options.progress,
        private=options.private,
        reading=options.reading,
        label_of=lambda label: nearest_label(label, predictor.labels),
        refusal_of=language_refusal(
            options.model, lambda: predictor.labels, options.language_check
        ),
        failures=Failures(options.on_failure),
        **resources._asdict(),
    )


def _model(options: DeidOptions) -> Deidentifier | Callable[[], Deidentifier]:
    """Return the model, or for one in a folder a function that loads it where it is needed."""
    passing = options.pass_through
    if isinstance(options.model, str | Path):
        find_model(options.model)
        return partial(load, options.model, options.recall, options.site, pass_through=passing)
    return open_model(options.model, options.recall, options.site, pass_through=passing)


def _remembering(
    options: DeidOptions, predictor: ParallelPredictor, journal: Journal
) -> RememberingPredictor:
    votes = options.report is not None
    return RememberingPredictor(predictor, journal, votes, has_agreement(options.site))
