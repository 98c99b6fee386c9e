"""Observations of ages in CDA documents: their codes come before their values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from multideid.corpora.structured.age_values import Measure

_VALUES = ("value", "low", "high", "center", "age")
_NO_MEASURE = Measure(())


@dataclass(slots=True)
class _Element:
    name: str
    measure: Measure = _NO_MEASURE
    """What the code among its children says that it measures."""
    unit: str = ""


@dataclass(slots=True)
class AgeElements:
    """The open elements of a document, and whether the innermost one is an age."""

    _open: list[_Element] = field(default_factory=list)

    def enter(self, name: str, value_of: Callable[[str], str]) -> None:
        """Open an element.

        Parameters
        ----------
        name : str
        value_of : callable
            Returns the value of an attribute by its name; empty if there is none.
        """
        self._open.append(_Element(name, unit=value_of("unit")))
        if name in ("code", "translation"):
            self._add(Measure((value_of("displayName"),), (value_of("code"),)))

    def leave(self) -> None:
        """Close the innermost element."""
        self._open.pop()

    def read(self, text: str) -> None:
        """Read the text of the innermost element, which may be the original one of a code."""
        if self._open and self._open[-1].name in ("originalText", "code"):
            self._add(Measure((text,)))

    def _add(self, measure: Measure) -> None:
        """Add to what is measured by the element around the code around the innermost element."""
        inside = ("code", "translation", "originalText")
        for element in reversed(self._open):
            if element.name not in inside:
                old = element.measure
                element.measure = Measure(old.names + measure.names, old.codes + measure.codes)
                return

    @property
    def unit(self) -> str | None:
        """The unit of an age that the innermost element is; None if it is none."""
        names = [element.name for element in self._open[-2:]]
        if not names or names[-1] not in _VALUES:
            return None
        unit = self._open[-1].unit
        if names[-1] == "age":
            return Measure(("age",)).unit(unit)
        # The bounds of a range are inside its value.
        depth = 2 if names[-1] == "value" else 3
        if len(self._open) < depth or (depth == 3 and names[0] != "value"):
            return None
        return self._open[-depth].measure.unit(unit)
