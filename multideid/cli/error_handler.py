"""Errors as the user sees them, and exit codes.

Exit codes: 0 done, 1 some documents failed, 2 wrong use, 3 an internal error,
141 the reader of the output has gone, 129, 130 and 143 stopped by SIGHUP, SIGINT and SIGTERM.
Nothing printed here can hold document text.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from traceback import extract_tb
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import typer

from multideid.cli.stopping import signal_that_stops, stops_noted
from multideid.errors import (
    DEBUG,
    DocumentsFailedError,
    MultideidError,
    is_ours,
    is_trusted,
    reason,
)

if TYPE_CHECKING:
    from multideid.deid import Failure

FAILED_DOCUMENTS = 1
WRONG_USE = 2
INTERNAL_ERROR = 3
CLOSED_PIPE = 128 + 13


_notices: ContextVar[TextIO | None] = ContextVar("notices", default=None)


def handle_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command end with one line on stderr and an exit code, not a traceback."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        with _own_warnings(), stops_noted():
            try:
                command(*args, **kwargs)
            except (typer.Exit, typer.Abort):
                raise
            except BrokenPipeError:
                _forget_output()
                raise typer.Exit(CLOSED_PIPE) from None
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                if number := signal_that_stops():
                    raise typer.Exit(128 + number) from None
                # SystemExit and the like, raised by a base system, would print their text.
                if os.environ.get(DEBUG):
                    raise
                _exit(error)

    return run


def print_notice(line: str) -> None:
    """Print one line on stderr; characters that steer a terminal are escaped."""
    typer.echo(printable(" ".join(line.splitlines())), file=_notices.get(), err=True)


@contextmanager
def notices_to(file: TextIO) -> Iterator[None]:
    """Let notices go to a file, while standard error is hidden."""
    token = _notices.set(file)
    try:
        yield
    finally:
        _notices.reset(token)


def printable(text: str) -> str:
    """Escape all but visible characters and line feeds, such as those of odd file names."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text
    )


def print_failure(failure: Failure) -> None:
    """Print a document that failed on stderr."""
    print_notice(f"failed: {failure.name}: {failure.problem}")


def exit_if_failed(failures: Sized) -> None:
    """End the command with exit code 1 if there are failures."""
    if len(failures):
        raise typer.Exit(FAILED_DOCUMENTS)


def _forget_output() -> None:
    """Let what is still to be written go nowhere, so that Python does not complain at its end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())


def _exit(error: BaseException) -> NoReturn:
    # The error is still being handled here; "from None" hides its text.
    message, code = _explain(error)
    print_notice(f"error: {message}")
    raise typer.Exit(code) from None


def _explain(error: BaseException) -> tuple[str, int]:
    match error:
        case DocumentsFailedError():
            return str(error), FAILED_DOCUMENTS
        case MultideidError():
            return str(error), WRONG_USE
        case OSError():
            # A base system may take text for the name of a file.
            name = error.filename if is_ours(error) else None
            return f"{name or 'input or output'}: {reason(error)}", WRONG_USE
    return (
        f"internal error: {type(error).__name__} at {_place(error)}; "
        f"{DEBUG}=1 shows more, which may hold document text"
    ), INTERNAL_ERROR


def _place(error: BaseException) -> str:
    """Return the innermost place in our own code."""
    frames = extract_tb(error.__traceback__)
    own = [frame for frame in frames if "multideid" in Path(frame.filename).parts]
    frame = (own or frames)[-1]
    return f"{Path(frame.filename).name}, line {frame.lineno}"


def _warned_by_us() -> bool:
    """Return whether no base system of somebody else had a part in the warning that is shown."""
    frame: FrameType | None = sys._getframe(2)
    # Up to the command, which `handle_errors` calls.
    while frame is not None and frame.f_globals is not globals():
        if not is_trusted(frame.f_globals.get("__name__")):
            return False
        frame = frame.f_back
    return True


@contextmanager
def _own_warnings() -> Iterator[None]:
    """Show warnings of multideid as one line; those of other packages may hold text."""

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if category.__module__.partition(".")[0] == "multideid" and _warned_by_us():
            print_notice(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield
