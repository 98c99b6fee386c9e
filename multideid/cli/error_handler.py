"""What the user sees when a command cannot go on, and the exit code.

Exit codes: 0 done, 1 some documents failed closed, 2 wrong use, 3 a fault of
the program's own. Nothing printed here can hold document text.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from traceback import extract_tb
from typing import Any, NoReturn

import typer

from multideid.errors import MultideidError, reason

FAILED_DOCUMENTS = 1
WRONG_USE = 2
OWN_FAULT = 3

DEBUG = "MULTIDEID_DEBUG"
"""The environment variable that lets tracebacks through; they may hold text."""


class DocumentsFailedError(MultideidError):
    """Documents failed closed, and nothing is left to write."""


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command end with one line on stderr and an exit code, not a traceback."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        with _own_warnings():
            try:
                command(*args, **kwargs)
            except (typer.Exit, typer.Abort, BrokenPipeError):
                raise
            except Exception as error:
                if os.environ.get(DEBUG):
                    raise
                _end(error)

    return run


def tell(line: str) -> None:
    """Print one line on stderr."""
    typer.echo(" ".join(line.splitlines()), err=True)


def _end(error: Exception) -> NoReturn:
    # What follows runs while the error is handled: "from None" keeps its text out.
    message, code = _explain(error)
    tell(f"error: {message}")
    raise typer.Exit(code) from None


def _explain(error: Exception) -> tuple[str, int]:
    match error:
        case DocumentsFailedError():
            return str(error), FAILED_DOCUMENTS
        case MultideidError():
            return str(error), WRONG_USE
        case OSError():
            return f"{error.filename or 'input or output'}: {reason(error)}", WRONG_USE
    return (
        f"a fault in the program: {type(error).__name__} at {_place(error)}; "
        f"{DEBUG}=1 shows more, which may hold document text"
    ), OWN_FAULT


def _place(error: Exception) -> str:
    """Return the last place in our own code that the error came through."""
    frames = extract_tb(error.__traceback__)
    own = [frame for frame in frames if "multideid" in Path(frame.filename).parts]
    frame = (own or frames)[-1]
    return f"{Path(frame.filename).name}, line {frame.lineno}"


@contextmanager
def _own_warnings() -> Iterator[None]:
    """Show warnings of multideid as one line; those of others may hold text."""

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if category.__module__.partition(".")[0] == "multideid":
            tell(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield
