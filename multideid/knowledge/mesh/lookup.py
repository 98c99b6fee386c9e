"""Look-up of the descriptor of a phrase."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple, Self

from multideid.knowledge.mesh.descriptors import Descriptor

DEEPEST = 11
"""Levels of the hierarchy that are used (Uzuner 2008, according to Tafvizi)."""

_LEAST_KEY = 3
_NOT_IN_KEY = re.compile(r"[\W_]+")


class Heading(NamedTuple):
    """The MeSH heading of a phrase.

    Parameters
    ----------
    ui : str
        The descriptor's unique identifier.
    tree_numbers : tuple of str
    """

    ui: str
    tree_numbers: tuple[str, ...]

    def categories(self) -> tuple[str, ...]:
        """Return the tree numbers and their ancestors, down to level eleven.

        Examples
        --------
        >>> Heading("D006333", ("C14.280.434",)).categories()
        ('C', 'C14', 'C14.280', 'C14.280.434')
        """
        found: dict[str, None] = {}
        for number in self.tree_numbers:
            parts = number.split(".")[:DEEPEST]
            found.update(dict.fromkeys([number[0]]))
            found.update(dict.fromkeys(".".join(parts[:n]) for n in range(1, len(parts) + 1)))
        return tuple(found)


class MeshLookup:
    """The headings of phrases.

    Parameters
    ----------
    headings : sequence of Heading
    numbers : dict of str to int
        Index of the heading of each `phrase_key`.
    """

    def __init__(self, headings: Iterable[Heading], numbers: dict[str, int]) -> None:
        self.headings = tuple(headings)
        self._numbers = numbers

    @classmethod
    def build(cls, descriptors: Iterable[Descriptor]) -> Self:
        """Make the look-up from descriptors, joining those with the same identifier.

        Names take precedence over entry terms of other headings. Names with
        commas are also added in natural order: ``Abdomen, Acute`` as "acute
        abdomen".
        """
        joined = _joined(descriptors)
        headings = [Heading(d.ui, d.tree_numbers) for d in joined]
        numbers: dict[str, int] = {}
        for terms in ([d.terms[:1] for d in joined], [d.terms[1:] for d in joined]):
            for n, names in enumerate(terms):
                for key in {key for name in names for key in _keys(name)}:
                    numbers.setdefault(key, n)
        return cls(headings, numbers)

    def find(self, key: str) -> Heading | None:
        """Return the heading of a phrase, given its `phrase_key`."""
        number = self._numbers.get(key)
        return None if number is None else self.headings[number]

    @property
    def n_phrases(self) -> int:
        """Number of phrases with a heading."""
        return len(self._numbers)

    def to_json(self) -> dict[str, Any]:
        """Return the look-up as plain JSON values."""
        return {"headings": [[h.ui, *h.tree_numbers] for h in self.headings], "of": self._numbers}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Self:
        """Make the look-up from the output of `to_json`."""
        headings = (Heading(ui, tuple(numbers)) for ui, *numbers in value["headings"])
        return cls(headings, value["of"])


def phrase_key(phrase: str) -> str:
    """Return the normalized form in which phrases are compared.

    Letters and digits in lower case, without the plural ending of the last word
    (rules of Harman 1991), so that tokenization and hyphens do not matter.

    Examples
    --------
    >>> phrase_key("Drug-Induced Abnormalities")
    'druginducedabnormality'
    """
    key = _NOT_IN_KEY.sub("", phrase.lower())
    if key.endswith("ies") and not key.endswith(("eies", "aies")):
        return key[:-3] + "y"
    if key.endswith("es") and not key.endswith(("aes", "ees", "oes")):
        return key[:-1]
    if key.endswith("s") and not key.endswith(("us", "ss")):
        return key[:-1]
    return key


def _keys(term: str) -> set[str]:
    spoken = " ".join(reversed(term.split(", ")))
    keys = {phrase_key(term), phrase_key(spoken)}
    return {key for key in keys if len(key) >= _LEAST_KEY}


def _joined(descriptors: Iterable[Descriptor]) -> list[Descriptor]:
    found: dict[str, Descriptor] = {}
    for new in descriptors:
        old = found.get(new.ui, Descriptor(new.ui, (), ()))
        terms = tuple(dict.fromkeys(old.terms + new.terms))
        trees = tuple(dict.fromkeys(old.tree_numbers + new.tree_numbers))
        found[new.ui] = Descriptor(new.ui, terms, trees)
    return [found[ui] for ui in sorted(found)]
