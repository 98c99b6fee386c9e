"""The entries of a list: phrases, and regular expressions between slashes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from multideid.errors import ResourceError, reason
from multideid.site.globs import STAR
from multideid.site.phrases import LONGEST, phrase_words
from multideid.site.regexes import RegexError, check_regex

_SLASH = "/"
_COMMENT = "#"
_FEWEST_LETTERS = 2
_QUOTES = ('"', "'", "\u201c\u201d")
_LINE_END = re.compile(r"\r\n?|\n")


class EntryError(ValueError):
    """An entry that cannot be used; the message does not hold it."""


class Problem(NamedTuple):
    """A mistake in a file.

    Parameters
    ----------
    line : int
        From 1.
    problem : str
        Without the file's values, which may be PHI.
    """

    line: int
    problem: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.problem}"


def is_regex(entry: str) -> bool:
    """Return whether an entry is a regular expression."""
    return len(entry) > 1 and entry[0] == entry[-1] == _SLASH


def regex_of(entry: str) -> str:
    """Return the regular expression of an entry between slashes."""
    return entry[1:-1]


def check_entry(entry: str) -> None:
    """Check that an entry can be used.

    Raises
    ------
    EntryError
        If it has no letter or digit, too many words, quotes around it, one slash of a
        regular expression only, or a regular expression that is not valid or does not take
        linear time.
    """
    if is_regex(entry):
        try:
            check_regex(regex_of(entry))
        except RegexError as error:
            raise EntryError(str(error)) from None
        return
    if entry.startswith(_SLASH):
        problem = "the entry begins with / and does not end with it, as regular expressions do"
        raise EntryError(f"{problem}; flags are inside: /(?i)ward [0-9]/")
    if len(entry) > 1 and any(entry[0] == q[0] and entry[-1] == q[-1] for q in _QUOTES):
        raise EntryError(
            "the entry has quotes around it, which notes would need too; leave them out"
        )
    words = phrase_words(entry)
    if len(words) > LONGEST:
        raise EntryError(f"the entry has more than {LONGEST} words and marks")
    letters = sum(c.isalnum() for word in words for c in word)
    if not letters:
        raise EntryError("the entry has no letter or digit")
    if letters < _FEWEST_LETTERS and STAR in entry:
        raise EntryError(f"an entry with * needs {_FEWEST_LETTERS} letters or digits")


def read_list(path: str | Path) -> list[str]:
    """Read a list: one entry a line, in UTF-8; blank lines and those with ``#`` are left out.

    Raises
    ------
    ResourceError
        If the file cannot be read, or entries cannot be used; names their lines.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ResourceError(path, f"cannot be read: {reason(error)}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ResourceError(path, "not UTF-8; save the list in UTF-8", f"line {line}") from None
    entries = list(_entries(text))
    problems = list(entry_problems(entries))
    if problems:
        raise mistakes(path, problems)
    return [entry for _, entry in entries]


def mistakes(path: str | Path, problems: Iterable[Problem]) -> ResourceError:
    """Return the error that names the line of each mistake in a file."""
    first, *others = sorted(problems)
    rest = "".join(f"; {problem}" for problem in others)
    return ResourceError(path, f"{first.problem}{rest}", f"line {first.line}")


def entry_problems(entries: Iterable[tuple[int, str]]) -> Iterator[Problem]:
    """Yield the problems of numbered entries."""
    for line, entry in entries:
        try:
            check_entry(entry)
        except EntryError as error:
            yield Problem(line, str(error))


def _entries(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(_LINE_END.split(text), start=1):
        entry = line.strip()
        if entry and not entry.startswith(_COMMENT):
            yield number, entry
