"""Feature templates: which views, at which neighbours, make a feature."""

from __future__ import annotations

from dataclasses import dataclass

from multideid.features.views import SetView, View


@dataclass(frozen=True, slots=True)
class Conjunction:
    """The values of one or more views at given offsets, together one feature.

    Parameters
    ----------
    parts : tuple of (View, int)
        Views and offsets; a negative offset is to the left.
    group : str
        The feature class for reports and ablation: ``"word"``, ``"shape"``.
    """

    parts: tuple[tuple[View, int], ...]
    group: str

    @property
    def name(self) -> str:
        """A name that tells the template from every other one."""
        return "&".join(f"{view.name}[{offset}]" for view, offset in self.parts)


@dataclass(frozen=True, slots=True)
class Window:
    """Presence of a view's value at any of several offsets.

    Which of the offsets it was is not told: Stanford NER's "disjunctive words".
    """

    view: View
    offsets: tuple[int, ...]
    group: str

    @property
    def name(self) -> str:
        """A name that tells the template from every other one."""
        return f"{self.view.name}[any {self.offsets}]"


@dataclass(frozen=True, slots=True)
class Bag:
    """Every value of a set view at one offset."""

    view: SetView
    offset: int
    group: str

    @property
    def name(self) -> str:
        """A name that tells the template from every other one."""
        return f"{self.view.name}[{self.offset}]"


Template = Conjunction | Window | Bag


def each(view: View, offsets: range | tuple[int, ...], group: str) -> list[Template]:
    """Return one template an offset: the view there, and where it is."""
    return [Conjunction(((view, offset),), group) for offset in offsets]


def joined(group: str, *parts: tuple[View, int]) -> Template:
    """Return the conjunction of `parts`."""
    return Conjunction(parts, group)


def bags(view: SetView, offsets: range | tuple[int, ...], group: str) -> list[Template]:
    """Return one template an offset: the set there, and where it is."""
    return [Bag(view, offset, group) for offset in offsets]
