"""De-identified text is restored from a vault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, ClassVar

from multideid.corpora.structure import ReadingOptions
from multideid.corpora.structured.slots import Change
from multideid.deid.api import TEXT_COLUMN, rewrite_files
from multideid.deid.file_names import looks_like_phi
from multideid.deid.files import JobPlan, refuse_taken
from multideid.deid.notes import rewrite_stream
from multideid.deid.replacing import find_key, require_key
from multideid.deid.results import DeidResult, Failures, OnFailure
from multideid.deid.run import NAME, Rewritten, Run
from multideid.deid.table_columns import Columns
from multideid.document import Document
from multideid.locks import run_lock
from multideid.redact.keys import Key
from multideid.redact.vault import Records, read_vault

if TYPE_CHECKING:
    from multideid.stacking.fitting import Progress


@dataclass(slots=True, kw_only=True)
class Restoration(Run):
    """Restores the original of texts that a run with a vault rewrote.

    Parameters
    ----------
    records : Records
        As `read_vault` returns.
    """

    reads_empty: ClassVar[bool] = True

    records: Records = field(repr=False)

    def rewrite_each(self, documents: Iterable[Document]) -> Iterator[tuple[str, Rewritten | None]]:
        """Yield id and original text of each document."""
        for document in documents:
            yield document.id, self._restored(document)

    def wrote(self, name: str, text: str) -> bool:
        """Return whether the vault has a record of the document with this text."""
        record = self.records.get(name)
        return record is not None and record.restored(text) is not None

    def name_before(self, name: str) -> str:
        """Return the name of a file of an archive before the run changed it."""
        return self.records.names.get(name, name)

    def _restored(self, document: Document) -> Rewritten | None:
        record = self.records.get(str(document.meta.get(NAME, document.id)))
        if record is None:
            # The vault has no record of empty cells, nor of cells that failed and were emptied.
            if not document.text.strip() and NAME in document.meta:
                return Rewritten(document.text, ())
            problem = "not in the vault; files must keep the names and layout of the output"
            self.failures.add(document.id, problem)
            return None
        text = record.restored(document.text)
        if text is None:
            problem = "differs from the text that was written: changed, or of another run"
            self.failures.add(document.id, problem)
            return None
        self.throughput.add(document.text)
        changes = tuple(Change(*replaced) for replaced in record.replaced)
        return Rewritten(text, changes, document)


def read_records(vault: Path, key: Key | Path | None) -> Records:
    """Read a vault with a key, a key file or the key in the environment.

    Raises
    ------
    UsageError
        If there is no key, or it is unfit.
    VaultError
        If the vault cannot be read with this key.
    """
    return read_vault(vault, require_key(find_key(key)))


def check_inputs(plan: JobPlan, vault: Path, key_file: Path | None) -> None:
    """Raise UsageError if restoring would write over the vault or the key."""
    named = {"the vault": vault, "the key file": key_file}
    refuse_taken({}, plan.jobs, {name: path for name, path in named.items() if path is not None})


def restore_files(  # noqa: PLR0913 (all but two by name)
    plan: JobPlan,
    records: Records,
    *,
    columns: Sequence[str] = (),
    reading: ReadingOptions | None = None,
    shared: bool = False,
    progress: Progress | None = None,
    on_failure: OnFailure | None = None,
) -> DeidResult:
    """Restore the files of a plan; one that was changed since has failed and is not written.

    Unless they are `shared`, only the owner can read them.
    """
    run = Restoration(
        records=records,
        progress=progress,
        private=not shared,
        reading=_without_phi(reading),
        failures=Failures(on_failure),
    )
    with run_lock({job.out for job in plan.jobs}):
        rewrite_files(plan.jobs, Columns(tuple(columns) or (TEXT_COLUMN,)), run)
    return _result(run)


def restore_stream(  # noqa: PLR0913 (all but three by name)
    source: BinaryIO,
    target: BinaryIO,
    records: Records,
    *,
    name: str,
    reading: ReadingOptions | None = None,
    on_failure: OnFailure | None = None,
) -> DeidResult:
    """Restore a text that `deidentify_stream` wrote; if it fails, nothing is written."""
    options = _without_phi(reading)
    run = Restoration(records=records, reading=options, failures=Failures(on_failure))
    rewrite_stream(source, target, name, run)
    return _result(run)


def _without_phi(reading: ReadingOptions | None) -> ReadingOptions:
    """Return how files are read, without PHI in warnings."""
    return replace(reading or ReadingOptions(), hides=looks_like_phi)


def _result(run: Restoration) -> DeidResult:
    return DeidResult(documents=run.done, labels={}, failures=tuple(run.failures))
