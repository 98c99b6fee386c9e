"""Feature templates: which views, at which neighbours, make a feature."""

from __future__ import annotations

from dataclasses import dataclass

from multideid.features.views import SetView, View


@dataclass(frozen=True, slots=True)
class Conjunction:
    """The values of one or more views at given offsets, as one feature.

    Parameters
    ----------
    parts : tuple of (View, int)
        Views and offsets; negative offsets are to the left.
    group : str
        The feature class for reports and ablation, such as ``"word"``.
    """

    parts: tuple[tuple[View, int], ...]
    group: str

    @property
    def name(self) -> str:
        """The template's name, unique among an extractor's templates."""
        return "&".join(f"{view.name}[{offset}]" for view, offset in self.parts)

    @property
    def views(self) -> tuple[View | SetView, ...]:
        """The views of all parts."""
        return tuple(view for view, _ in self.parts)

    @property
    def offsets(self) -> tuple[int, ...]:
        """The offsets of all parts."""
        return tuple(offset for _, offset in self.parts)


@dataclass(frozen=True, slots=True)
class Window:
    """Presence of a view's value at any of several offsets.

    The feature does not say at which offset: Stanford NER's "disjunctive words".
    """

    view: View
    offsets: tuple[int, ...]
    group: str

    @property
    def name(self) -> str:
        """The template's name, unique among an extractor's templates."""
        return f"{self.view.name}[any {self.offsets}]"

    @property
    def views(self) -> tuple[View | SetView, ...]:
        """The single view."""
        return (self.view,)


@dataclass(frozen=True, slots=True)
class Bag:
    """Every value of a set view at one offset."""

    view: SetView
    offset: int
    group: str

    @property
    def name(self) -> str:
        """The template's name, unique among an extractor's templates."""
        return f"{self.view.name}[{self.offset}]"

    @property
    def views(self) -> tuple[View | SetView, ...]:
        """The single view."""
        return (self.view,)

    @property
    def offsets(self) -> tuple[int, ...]:
        """The single offset."""
        return (self.offset,)


Template = Conjunction | Window | Bag


def each(view: View, offsets: range | tuple[int, ...], group: str) -> list[Template]:
    """Return one template per offset: the view's value there."""
    return [Conjunction(((view, offset),), group) for offset in offsets]


def joined(group: str, *parts: tuple[View, int]) -> Template:
    """Return the conjunction of `parts`."""
    return Conjunction(parts, group)


def bags(view: SetView, offsets: range | tuple[int, ...], group: str) -> list[Template]:
    """Return one template per offset: the view's values there."""
    return [Bag(view, offset, group) for offset in offsets]
