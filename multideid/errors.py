"""Errors that name what was wrong, where, and what to do.

No message may hold document text: a message is likely to reach a log.
"""

from __future__ import annotations

from pathlib import Path
from typing import Self


class MultideidError(Exception):
    """Base of every error that multideid raises on purpose."""


class UsageError(MultideidError, ValueError):
    """A parameter, option or combination of them that makes no sense."""


def reason(error: OSError) -> str:
    """Return why the system refused a file, without the file's name."""
    return error.strerror or type(error).__name__


def unwritable(path: str | Path, error: OSError) -> UsageError:
    """Return the error for an output that the system does not let us write."""
    return UsageError(f"cannot write {path}: {reason(error)}")


class DocumentError(MultideidError):
    """A document that cannot be processed; it fails closed and is not emitted.

    Parameters
    ----------
    document_id : str
        Id of the document, never its text.
    problem : str
        What is wrong, in words that hold no document text.
    """

    def __init__(self, document_id: str, problem: str) -> None:
        self.document_id = document_id
        self.problem = problem
        super().__init__(f"document {document_id!r}: {problem}")

    def __reduce__(self) -> tuple[type[DocumentError], tuple[str, str]]:
        # Errors reach the parent of a worker process by way of their arguments.
        return type(self), (self.document_id, self.problem)


class _FileError(MultideidError):
    """What is wrong with a file, and where in it."""

    def __init__(self, path: str | Path, problem: str, where: str | None = None) -> None:
        self.path = str(path)
        self.problem = problem
        self.where = where
        parts = [self.path, where, problem] if where else [self.path, problem]
        super().__init__(": ".join(parts))

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, str | None]]:
        return type(self), (self.path, self.problem, self.where)


class CorpusError(_FileError):
    """A corpus file that cannot be read or written.

    Parameters
    ----------
    path : str or Path
        The file or folder.
    problem : str
        What is wrong and what to do, in words that hold no document text.
    where : str, optional
        The place inside the file: ``"line 12"``, ``"document 'a7'"``.
    """


class ModelError(MultideidError):
    """A model folder that is damaged, foreign, or of a newer format.

    Parameters
    ----------
    path : str or Path
        The folder or the file inside it that is at fault.
    problem : str
        What is wrong and what to do.
    """

    def __init__(self, path: str | Path, problem: str) -> None:
        self.path = str(path)
        self.problem = problem
        super().__init__(f"{path}: {problem}")

    def __reduce__(self) -> tuple[type[ModelError], tuple[str, str]]:
        return type(self), (self.path, self.problem)


class ResourceError(_FileError):
    """A file of outside knowledge that cannot be read, or is not there.

    Parameters
    ----------
    path : str or Path
        The file.
    problem : str
        What is wrong and what to do.
    where : str, optional
        The place inside the file: ``"line 12"``.
    """
