"""Errors: messages name the problem, its place and a remedy.

No message may hold document text, since messages are likely to reach a log.
"""

from __future__ import annotations

import sys
from pathlib import Path
from traceback import extract_tb, walk_tb
from typing import Self

DEBUG = "MULTIDEID_DEBUG"
"""The environment variable that shows tracebacks and printed text, which may quote documents."""

_CALLERS = frozenset(
    "multideid anyio click cloudpickle cryptography fastapi hl7apy jinja2 joblib matplotlib numba "
    "numpy openpyxl pandas polars presidio_analyzer pyarrow pydantic pypdf pyspark rich scipy "
    "sklearn sklearn_crfsuite spacy srsly starlette thinc tldextract tokenizers torch "
    "transformers typer uvicorn".split()
)


class MultideidError(Exception):
    """Base class of the errors that multideid raises."""


class UsageError(MultideidError, ValueError):
    """An invalid parameter, option or combination of them."""


def installing(extra: str) -> str:
    """Return the command that installs an extra; quoted, as some shells expand brackets."""
    return f"pip install 'multideid[{extra}]'"


class MissingPackageError(UsageError, ImportError):
    """A package that an extra of multideid installs, and that is not installed.

    Parameters
    ----------
    package : str
        Name of the distribution.
    extra : str
        The extra of multideid that installs it.
    user : str
        The part of multideid that needs it.
    """

    def __init__(self, package: str, extra: str, user: str) -> None:
        self.package, self.extra, self.user = package, extra, user
        super().__init__(f"{user} needs {package}, which is not installed; {installing(extra)}")

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, str]]:
        return type(self), (self.package, self.extra, self.user)


def is_ours(error: BaseException) -> bool:
    """Return whether no base system or other code of somebody else had a part in an error.

    One that was raised there, or by multideid when it was called from there, may quote
    documents, whatever its type.
    """
    if error.__traceback__ is None:
        return False
    frames = walk_tb(error.__traceback__)
    return all(is_trusted(frame.f_globals.get("__name__")) for frame, _ in frames)


def raised_by_us(error: BaseException) -> bool:
    """Return whether multideid raised an error, whoever called it."""
    *_, (frame, _) = walk_tb(error.__traceback__)
    return str(frame.f_globals.get("__name__")).partition(".")[0] == __package__


def is_trusted(module: object) -> bool:
    """Return whether a module is of multideid, of Python, or of a library that it uses.

    Code in C, such as that of Python's XML parser, has no module.
    """
    package = str(module).partition(".")[0]
    return module is None or package in _CALLERS or package in sys.stdlib_module_names


def without_message(error: BaseException) -> str:
    """Return the type of an error and its place, without its message."""
    frames = extract_tb(error.__traceback__)
    at = f" at {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{at}"


def failed_with(error: BaseException) -> str:
    """Return what to report of a failure by its type, since its message may quote a document."""
    return f"failed with {type(error).__name__}"


def reason(error: OSError) -> str:
    """Return the reason of a system error, without the file's name."""
    return error.strerror or type(error).__name__


def unwritable(path: str | Path, error: OSError) -> UsageError:
    """Return the error for an output that cannot be written."""
    return UsageError(f"cannot write {path}: {reason(error)}")


class DocumentError(MultideidError):
    """A document that cannot be processed, and so is not written.

    Parameters
    ----------
    document_id : str
        Id of the document, never its text.
    problem : str
        The problem, without document text.
    """

    def __init__(self, document_id: str, problem: str) -> None:
        self.document_id = document_id
        self.problem = problem
        super().__init__(f"document {document_id!r}: {problem}")

    def __reduce__(self) -> tuple[type[DocumentError], tuple[str, str]]:
        # Errors are pickled by their arguments on the way to a parent process.
        return type(self), (self.document_id, self.problem)


class DocumentsFailedError(MultideidError):
    """All documents failed, and there is nothing to write."""


class _FileError(MultideidError):
    """A problem with a file, and its place in it."""

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
        The problem and a remedy, without document text.
    where : str, optional
        The place inside the file: ``"line 12"``, ``"document 'a7'"``.
    """


class ModelError(_FileError):
    """A model folder that is damaged, foreign, or of a newer format.

    Parameters
    ----------
    path : str or Path
        The folder, or the file inside it that has the problem.
    problem : str
        The problem and a remedy.
    """


class ResourceError(_FileError):
    """A file of external knowledge that is missing or cannot be read.

    Parameters
    ----------
    path : str or Path
        The file.
    problem : str
        The problem and a remedy.
    where : str, optional
        The place inside the file: ``"line 12"``.
    """
