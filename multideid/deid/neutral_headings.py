"""Names of columns that repeat PHI of their rows, or look like PHI."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterable, Sequence

from multideid.accents import without_accents
from multideid.corpora.identifier_names import IdentifierWarning, identifier_label
from multideid.deid.echoes import echoed_parts
from multideid.deid.file_names import is_rather_a_name, looks_like_phi
from multideid.document import Span
from multideid.site.words import is_ordinary

_WORD = re.compile(r"[^\W\d_]+|\d+")
_SHORTEST_NUMBER = 4  # Digits.
_SHORTEST_WORD = 5  # Letters; abbreviations in names of columns are shorter.
_SHORTEST_NAME = 3
_SHOWN = 8


class NeutralHeadings:
    """Gives the columns of a table neutral names (``column-2``) where they repeat PHI of a row.

    Not each word of a name that a model takes for PHI in one of many rows is PHI: ``WARD``
    stays beside the notes of a Dr. Ward. Numbers count, names that are no other words, and all
    words of a name that looks like PHI. Columns that are named in the call keep their names.

    Parameters
    ----------
    names : iterable of str
        Of the columns in order, then of what else has a name, such as an index.
    chosen : collection of str
        Names that stay.
    """

    def __init__(self, names: Iterable[str], chosen: Collection[str]) -> None:
        self._names, self._chosen = list(dict.fromkeys(names)), frozenset(chosen)
        self._left = [name for name in self._names if _may_be_phi(name)]
        self._repeating: set[str] = set()
        # For a look at PHI that is quick, since there may be very many rows.
        self._folded = "\n".join("".join(_WORD.findall(_folded(name))) for name in self._left)
        self._has_number = any(map(_has_number, self._left))

    def look(self, text: str, spans: Sequence[Span]) -> None:
        """Look for the PHI of a row's text in the names."""
        if self._left and any(self._may_repeat(text[span.start : span.end]) for span in spans):
            parts = echoed_parts(self._left, text, spans)
            self._repeating |= {
                name
                for name, found in parts.items()
                if looks_like_phi(name) or any(map(_may_be_phi, found))
            }
            self._left = [name for name in self._left if name not in self._repeating]

    def _may_repeat(self, phi: str) -> bool:
        if self._has_number and any(map(str.isdigit, phi)):
            return True
        words = _WORD.findall(_folded(phi))
        return any(len(word) >= _SHORTEST_NAME and word in self._folded for word in words)

    def new_names(self) -> dict[str, str]:
        """Return the new name of each column that gets one."""
        new: dict[str, str] = {}
        for number, name in enumerate(self._names, start=1):
            if name in self._repeating and name not in self._chosen:
                new[name] = f"column-{number}"
                while new[name] in self._names:
                    new[name] += "-2"
        return new

    def warn(self, table: object) -> None:
        """Warn of the columns that have neutral names, and of those that look like PHI and stay."""
        if new := list(self.new_names().values()):
            shown = ", ".join(new[:_SHOWN]) + (", ..." if len(new) > _SHOWN else "")
            _warn(
                f"{table}: names of {_counted(new)} repeat PHI; neutral ones replace them: {shown}"
            )
        chosen = self._repeating & self._chosen
        if chosen:
            _warn(f"{table}: names of {_counted(chosen)} that were chosen repeat PHI, and stay")
        looks = [name for name in self._names if name not in self._repeating]
        if stay := [name for name in looks if looks_like_phi(name)]:
            number = self._names.index(stay[0]) + 1
            _warn(
                f"{table}: names of {_counted(stay)} look like PHI, and stay: rename them first "
                f"(the first is column {number})"
            )


def shown_heading(name: str, names: Sequence[str]) -> str:
    """Return a column's name as a warning may show it, by its number if it looks like PHI."""
    return f"column {names.index(name) + 1}" if looks_like_phi(name) else repr(name)


def _may_be_phi(name: str) -> bool:
    return looks_like_phi(name) or any(map(_is_evidence, _WORD.findall(_folded(name))))


def _is_evidence(word: str) -> bool:
    """Return whether a word in the name of a column, or a number, is PHI where it repeats PHI."""
    if word.isdigit():
        return len(word) >= _SHORTEST_NUMBER
    if identifier_label(word) or len(word) < _SHORTEST_NAME:
        return False
    return is_rather_a_name(word) or (len(word) >= _SHORTEST_WORD and not is_ordinary(word))


def _has_number(name: str) -> bool:
    return any(word.isdigit() and _is_evidence(word) for word in _WORD.findall(name))


def _folded(text: str) -> str:
    return without_accents(text.lower())


def _counted(names: Collection[str]) -> str:
    return f"{len(names):,} column{'s' * (len(names) != 1)}"


def _warn(message: str) -> None:
    warnings.warn(message, IdentifierWarning, stacklevel=3)
