"""While base systems learn, nothing but multideid's own lines reaches the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import TextIO

from multideid.cli.error_handler import notices_to
from multideid.errors import DEBUG, MultideidError, UsageError, is_ours, without_message
from multideid.isolation import HiddenOutput


@contextmanager
def hidden_output() -> Iterator[TextIO]:
    """Count what is printed, here and in processes that are started, instead of showing it.

    It may quote documents, and so may errors of base systems. Notices and warnings of
    multideid are shown; so is all with the environment variable MULTIDEID_DEBUG.

    Yields
    ------
    text file
        Standard error, for progress.
    """
    if os.environ.get(DEBUG):
        yield sys.stderr
        return
    hidden = HiddenOutput()
    with ExitStack() as stack:
        shown = stack.enter_context(_standard_error())
        stack.enter_context(notices_to(shown))
        stack.callback(hidden.warn)
        stack.enter_context(_printing_to(hidden))
        stack.enter_context(_without_messages_of_others())
        yield shown


@contextmanager
def _without_messages_of_others() -> Iterator[None]:
    """Give the type and place of multideid's errors in which a base system had a part."""
    try:
        yield
    except MultideidError as error:
        if is_ours(error):
            raise
        raise UsageError(f"a base system failed with {without_message(error)}") from None


@contextmanager
def _standard_error() -> Iterator[TextIO]:
    """Give what standard error is now, even if its descriptor is redirected."""
    try:
        descriptor = os.dup(sys.stderr.fileno())
    except (OSError, ValueError):
        # A replacement in memory, as in tests.
        yield sys.stderr
        return
    encoding = sys.stderr.encoding
    with open(descriptor, "w", buffering=1, encoding=encoding, errors="backslashreplace") as file:
        yield file


@contextmanager
def _printing_to(hidden: HiddenOutput) -> Iterator[None]:
    before = sys.stdout, sys.stderr
    with ExitStack() as stack:
        with hidden.open() as pipe:
            descriptor = os.dup(pipe.fileno())
        stream = stack.enter_context(
            open(descriptor, "w", buffering=1, encoding="utf-8", errors="backslashreplace")
        )
        for file, number in zip(before, (1, 2), strict=True):
            with suppress(OSError, ValueError):
                file.flush()
            stack.enter_context(_redirected(number, descriptor))
        sys.stdout = sys.stderr = stream
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before


@contextmanager
def _redirected(number: int, descriptor: int) -> Iterator[None]:
    """Let a descriptor, which programs of libraries write to as well, be another."""
    try:
        kept = os.dup(number)
    except OSError:
        # It is closed, and stays so.
        yield
        return
    os.dup2(descriptor, number)
    try:
        yield
    finally:
        os.dup2(kept, number)
        os.close(kept)
