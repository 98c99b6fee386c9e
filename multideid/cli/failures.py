"""Documents that failed closed: told one by one, and in the exit code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import typer

from multideid.cli.error_handler import FAILED_DOCUMENTS, DocumentsFailedError, tell
from multideid.document import Document

if TYPE_CHECKING:
    from multideid.stacking import FailedDocument


class Failures:
    """The documents of a run that failed closed."""

    def __init__(self) -> None:
        self._problems: list[tuple[str, str]] = []

    def __len__(self) -> int:
        return len(self._problems)

    def add(self, name: str, problem: str) -> None:
        """Tell of a failed document, and remember it."""
        self._problems.append((name, problem))
        tell(f"failed: {name}: {problem}")

    def drop(self, results: Iterable[Document | FailedDocument]) -> Iterator[Document]:
        """Yield the documents that did not fail.

        Raises
        ------
        DocumentsFailedError
            If there were some, and all failed.
        """
        kept = 0
        for result in results:
            if isinstance(result, Document):
                kept += 1
                yield result
            else:
                self.add(result.id, result.problem)
        if self and not kept:
            raise DocumentsFailedError("every document failed; nothing was written")

    def to_list(self) -> list[dict[str, str]]:
        """Return names and problems as plain JSON values."""
        return [{"name": name, "problem": problem} for name, problem in self._problems]

    def finish(self) -> None:
        """End the command with exit code 1 if a document failed."""
        if self:
            raise typer.Exit(FAILED_DOCUMENTS)
