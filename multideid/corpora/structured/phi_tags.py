"""Text that begins with tagged PHI, ``<DATE>3/14/2007</DATE>``, is no markup when it is restored.

Whether it is cannot be told from the text, since XML may have such elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_TAGGED = re.compile(r"\s*<([^<>/\s][^<>]{0,60})>[^<]*</\1>")
_ARE_TEXT: ContextVar[bool] = ContextVar("tags_are_text", default=False)


@contextmanager
def tags_as_text() -> Iterator[None]:
    """Read values that begin with tagged PHI as text, in the ``with`` block."""
    token = _ARE_TEXT.set(True)
    try:
        yield
    finally:
        _ARE_TEXT.reset(token)


def is_tagged_text(text: str) -> bool:
    """Return whether a value begins with tagged PHI, and such values are text."""
    return _ARE_TEXT.get() and _TAGGED.match(text) is not None
