"""A site: what a hospital knows about its own notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from os import PathLike
from pathlib import Path
from typing import Any, Self

from multideid.arguments import as_path, invalid
from multideid.errors import UsageError
from multideid.redact.actions import PRESETS
from multideid.site.checks import mistakes_of
from multideid.site.lists import Pattern
from multideid.site.patients import as_patients

_MOST_SHOWN = 20


@dataclass(frozen=True, kw_only=True)
class Site:
    """What a site knows about its notes; for `Deidentifier.with_site`.

    An entry of a list is a phrase, which is found in any case, or a regular expression
    of RE2 between slashes. In a phrase, ``*`` stands for letters and digits of a word.

    Parameters
    ----------
    allow : sequence of str
        Entries that are not PHI. A span is dropped if they cover every one of its words.
    deny : mapping of str to sequence of str
        Entries that are PHI, by label.
    patterns : sequence of Pattern
    patients : Patients, str, Path, data frame or mapping, optional
        What is known of the patients: a table, or a mapping of each patient's id to
        values by column; see `Patients`. A note belongs to the patient in its
        `meta` under ``"patient"``, or to the one whose record number it contains.
    labels : sequence of str, optional
        The labels to find; spans with others are dropped, so those of the site's own lists and
        patterns must be among them. Default: all.
    recall : {"balanced", "high", "maximum"}, optional
        As for `multideid.load`.
    date_order : {"day-first", "month-first"}, optional
        Whether 3/4 is in April or in March, for the surrogates of dates. Default:
        decided for each note.
    min_score : float
        Spans with a lower score are dropped. Default: none. The model's spans have scores
        in Multi models only; others refuse it, unless there are patterns, which have scores.
    agreement : bool
        Whether PHI found with a score of 0.5 or more counts everywhere in its note, and in
        other notes of the patient that are read with it: parts of names that are not
        ordinary words, and other PHI as a whole. Computing scores takes up to twice the time.
    actions : mapping of str to str
        What de-identification does to the spans of a label, such as
        ``{"DATE": "shift", "*": "surrogate"}``; see `multideid.redact.Actions`.
    preset : {"safe-harbor", "limited-data-set", "gdpr-pseudonymous"}, optional
        Actions for a common purpose; `actions` override them.

    Raises
    ------
    UsageError
        If values are invalid; names the place of each mistake.

    Examples
    --------
    >>> site = Site(allow=["Ward round"], deny={"DOCTOR": ["Zwick*", "Baer"]})
    """

    allow: Sequence[str] = field(default=(), repr=False)
    deny: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    patterns: Sequence[Pattern] = field(default=(), repr=False)
    patients: Any = field(default=None, repr=False)
    labels: Sequence[str] | None = None
    recall: str | None = None
    date_order: str | None = None
    min_score: float = 0.0
    agreement: bool = False
    actions: Mapping[str, str] = field(default_factory=dict)
    preset: str | None = None

    def __post_init__(self) -> None:
        if self.patients is not None:
            object.__setattr__(self, "patients", as_patients(self.patients))
        mistakes = list(mistakes_of({f.name: getattr(self, f.name) for f in fields(self)}))
        if mistakes:
            shown = "; ".join(map(str, mistakes[:_MOST_SHOWN]))
            more = len(mistakes) - _MOST_SHOWN
            raise UsageError(f"{shown}{f'; and {more} more' if more > 0 else ''}")

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a ``site.toml``; docs/how-to/site.md describes it.

        Raises
        ------
        ResourceError
            If it, or a list that it names, cannot be read or has mistakes; names the
            line of each.
        """
        from multideid.site.toml_file import read_site

        return cls(**read_site(as_path("the site", path)))

    def all_actions(self) -> dict[str, str]:
        """Return the action of each label that has one, those of the preset included."""
        return {**(PRESETS[self.preset] if self.preset else {}), **self.actions}

    def entries(self) -> Iterable[tuple[str, str]]:
        """Yield the entries of the lists of PHI, with their labels."""
        for label, entries in self.deny.items():
            for entry in entries:
                yield entry, label

    def content(self) -> Iterator[str]:
        """Yield all that the site knows, by which two sites can be compared."""
        for part in fields(self):
            yield from self.content_of(part.name)

    def content_of(self, part: str) -> Iterator[str]:
        """Yield all that the site knows in one of its parameters."""
        value = getattr(self, part)
        if part == "patients" and value is not None:
            yield from value.content()
        else:
            yield f"{part}={value!r}"

    def with_values(self, **values: Any) -> Self:
        """Return the site with other values; lists and actions are joined to its own.

        Parameters
        ----------
        **values
            Parameters of `Site`; those that are None or empty change nothing.
        """
        given = {name: value for name, value in values.items() if value is not None}
        own = {f.name: getattr(self, f.name) for f in fields(self)}
        for name in ("allow", "patterns"):
            own[name] = (*own[name], *given.pop(name, ()))
        own["deny"] = _united(own["deny"], given.pop("deny", {}))
        own["actions"] = {**own["actions"], **given.pop("actions", {})}
        return type(self)(**{**own, **given})


def _united(
    first: Mapping[str, Sequence[str]], second: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    labels = dict.fromkeys([*first, *second])
    return {label: (*first.get(label, ()), *second.get(label, ())) for label in labels}


def as_site(site: Site | str | Path) -> Site:
    """Return a site, or read it from a file.

    Raises
    ------
    UsageError
        If it is neither a site nor a path.
    """
    if isinstance(site, Site):
        return site
    if not isinstance(site, str | PathLike):
        raise invalid("the site", "a Site, or the path of a site.toml", site)
    return Site.read(site)
