"""Regular expressions that take linear time on any text, by Google's RE2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from multideid.errors import UsageError

_LONGEST = 1000
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_MEMORY = 1 << 22  # Bytes of a compiled expression.


_MEANT = {
    "invalid perl operator": ", such as look-around",
    "invalid escape sequence": ", such as a reference to a group",
}
"""What RE2 mostly refuses by these words."""


class RegexError(ValueError):
    """A regular expression that cannot be used; the message does not hold it."""


def spans_of(expression: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield the half-open offsets of the matches of an expression that `check_regex` accepts."""
    # The offsets count characters, of which one is as good as another that no expression means.
    for match in _compiled(expression).finditer(_LONE_SURROGATE.sub("\ufffd", text)):
        start, end = match.span()
        if start < end:
            yield start, end


def check_regex(expression: str) -> None:
    """Check that an expression can be used, and takes linear time.

    RE2 refuses what cannot: references to groups, and look-around.

    Raises
    ------
    RegexError
        If it is not valid, is too long, or matches the empty text.
    UsageError
        If RE2 is missing.
    """
    if _LONE_SURROGATE.search(expression):
        raise RegexError("the regular expression has a lone surrogate, which is no character")
    if len(expression) > _LONGEST:
        raise RegexError(f"the regular expression is longer than {_LONGEST} characters")
    re2 = _library()
    try:
        compiled = _compiled(expression)
    except re2.error as error:
        raise RegexError(f"not a regular expression of RE2: {_reason(error)}") from None
    if compiled.search(""):
        raise RegexError("the regular expression matches the empty text")


def _library() -> Any:
    if find_spec("re2") is None:
        problem = "regular expressions in lists and patterns need RE2, whose time is linear"
        raise UsageError(f"{problem}: pip install 'multideid[patterns]'")
    import re2

    return re2


@lru_cache(1000)
def _compiled(expression: str) -> Any:
    re2 = _library()
    options = re2.Options()
    # Its log would show the expression, which may be PHI.
    options.log_errors = False
    options.max_mem = _MEMORY
    return re2.compile(expression, options)


def _reason(error: Exception) -> str:
    """Return the kind of an error, without the part of the expression that follows it."""
    message = error.args[0] if error.args else b""
    text = message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)
    kind = text.partition(":")[0] or "not valid"
    return f"{kind}{_MEANT.get(kind, '')}"
