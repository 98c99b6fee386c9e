"""The state of a de-identification run, and how its files are written."""

from __future__ import annotations

import os
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from multideid.cli.failures import Failures
from multideid.cli.pace import Pace
from multideid.document import Document
from multideid.errors import CorpusError
from multideid.redact import Mode, redact

if TYPE_CHECKING:
    from multideid.cli.progress import OnProgress
    from multideid.stacking import Workers


@dataclass(slots=True)
class Run:
    """A model at work, with what has been done so far.

    Parameters
    ----------
    workers : Workers
        With the model.
    mode : {"mask", "tag", "remove"}
    on_progress : callable, optional
    done : int
        Documents de-identified: files, or rows of tables.
    labels : Counter
        Spans replaced, by label.
    failures : Failures
    pace : Pace
    """

    workers: Workers
    mode: Mode
    on_progress: OnProgress | None = None
    done: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    failures: Failures = field(default_factory=Failures)
    pace: Pace = field(default_factory=Pace)

    def redact_each(self, documents: Iterable[Document]) -> Iterator[tuple[str, str | None]]:
        """Yield id and redacted text of each document, in order; None for a text that failed.

        Those are told of, and counted among the failures.
        """
        for result in self.workers.predict_each(documents):
            if isinstance(result, Document):
                self.done += 1
                self.pace.add(result.text)
                self.labels.update(span.label for span in result.spans)
                yield result.id, redact(result, self.mode)
            else:
                self.failures.add(result.id, result.problem)
                yield result.id, None

    def advance(self, done: int, total: int, what: str) -> None:
        """Move the progress bar, if there is one."""
        if self.on_progress is not None:
            self.on_progress(done, total, f"{what}, {self.pace}")


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """Give a place to write; it takes the target's name only if nothing failed.

    Raises
    ------
    CorpusError
        If the target cannot be written.
    """
    stage = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield stage
        os.replace(stage, target)
    except OSError as error:
        problem = f"cannot be written: {error.strerror or type(error).__name__}"
        raise CorpusError(target, problem) from None
    finally:
        with suppress(OSError):
            stage.unlink(missing_ok=True)
