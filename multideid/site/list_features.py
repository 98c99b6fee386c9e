"""Features of a site's lists and patterns: whether an entry has a token, and its label."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multideid.errors import ModelError, ResourceError, UsageError
from multideid.features.common import CAPITALS
from multideid.features.templates import Template, each, joined
from multideid.features.views import Column, View, factorize
from multideid.lazy import lazy, without_lazy
from multideid.persistence.files import load_json, save_json
from multideid.site.checks import mistakes_of
from multideid.site.lists import ListSearch, pattern_of
from multideid.site.site import Site

if TYPE_CHECKING:
    from multideid.text.table import TokenTable

GROUP = "site lists"
_FILE = "site-lists"
_ALLOWED = "allowed"
_PATTERN = {"allow": [str], "deny": {str: [str]}, "patterns": [dict]}


class SiteLists:
    """The lists and patterns of a site, as a model learns with them and holds them.

    Two are equal if they hold the same.

    Parameters
    ----------
    site : Site
        Only its parameters `allow`, `deny` and `patterns` count.
    """

    def __init__(self, site: Site) -> None:
        self._allow, self._deny = tuple(site.allow), tuple(site.entries())
        self._patterns = tuple(site.patterns)

    def __bool__(self) -> bool:
        return bool(self._allow or self._deny or self._patterns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SiteLists) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        """Return the numbers of entries and patterns; they may be PHI."""
        n = len(self._allow) + len(self._deny)
        return f"SiteLists({n} entries, {len(self._patterns)} patterns)"

    @lazy
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits of a checksum of all entries and patterns."""
        content = repr((self._allow, self._deny, self._patterns))
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:12]

    def column(self, tokens: TokenTable) -> Column:
        """Return what lists and patterns say of each token.

        ``B-DOCTOR`` is the first token of an entry that is listed as DOCTOR, ``I-DOCTOR``
        another one of it, ``B-allowed`` the first of an allowed entry; several are joined
        by ``+``, and "" stands for none.
        """
        said: dict[int, set[str]] = defaultdict(set)
        for d, start, end, value in self._matches(tokens):
            low, high = int(tokens.first[d]), int(tokens.first[d + 1])
            first = low + int(np.searchsorted(tokens.end[low:high], start, side="right"))
            stop = low + int(np.searchsorted(tokens.start[low:high], end, side="left"))
            for row in range(first, stop):
                said[row].add(f"{'I' if row > first else 'B'}-{value}")
        rows = sorted(said)
        codes = np.zeros(len(tokens), dtype=np.int32)
        found, names = factorize("+".join(sorted(said[row])) for row in rows)
        codes[rows] = found + 1
        return Column(codes, ["", *names])

    def _matches(self, tokens: TokenTable) -> Iterator[tuple[int, int, int, str]]:
        for search in self._searches:
            for d, matches in enumerate(search.find(tokens)):
                for match in matches:
                    yield d, match.start, match.end, match.value
        for pattern in self._patterns:
            for d, start, end in pattern.find(tokens):
                yield d, start, end, pattern.label

    @lazy
    def _searches(self) -> list[ListSearch]:
        # Not careful with ordinary words: how far to trust an entry is learned.
        allowed = [(entry, _ALLOWED) for entry in self._allow]
        return [ListSearch(entries, careful=False) for entries in (allowed, self._deny)]

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to pickle, without what is made from the entries."""
        return without_lazy(self)

    def save(self, folder: Path) -> None:
        """Write ``site-lists.json`` into `folder`."""
        deny: dict[str, list[str]] = defaultdict(list)
        for entry, label in self._deny:
            deny[label].append(entry)
        patterns = [{**p._asdict(), "context": list(p.context)} for p in self._patterns]
        save_json(folder, _FILE, {"allow": self._allow, "deny": deny, "patterns": patterns})

    @classmethod
    def load(cls, folder: Path) -> SiteLists:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If the file is missing or damaged, or an entry cannot be used.
        """
        values = load_json(folder, _FILE, _PATTERN)
        mistake = next(mistakes_of(values), None)
        if mistake:
            # Its place is left out: labels and numbers say nothing to who did not write it.
            raise ModelError(folder / f"{_FILE}.json", f"holds a wrong value: {mistake.problem}")
        return cls(Site(**{**values, "patterns": tuple(map(pattern_of, values["patterns"]))}))


def read_lists(path: str | Path) -> SiteLists:
    """Read the lists and patterns of a ``site.toml``.

    Raises
    ------
    UsageError
        If it has none, or mistakes; names the line of each.
    """
    try:
        lists = SiteLists(Site.read(path))
    except ResourceError as error:
        raise UsageError(f"lists: {error}") from None
    if not lists:
        raise UsageError(f"lists: {path} has no list and no pattern to learn with")
    return lists


@dataclass(frozen=True, slots=True)
class _Said:
    """The column of lists, as a function that processes can exchange."""

    lists: SiteLists

    def __call__(self, tokens: TokenTable) -> Column:
        return self.lists.column(tokens)


@lru_cache(maxsize=64)
def list_view(lists: SiteLists) -> View:
    """Return the view of what lists and patterns say of each token.

    The name has the fingerprint of the lists, so that a model whose lists were
    exchanged is refused for other templates.
    """
    return View(f"site lists {lists.fingerprint}", _Said(lists))


def list_templates(lists: SiteLists) -> list[Template]:
    """Return the templates: what is said of the token and its neighbours, alone and in pairs."""
    view = list_view(lists)
    return [
        *each(view, (-1, 0, 1), GROUP),
        joined(GROUP, (view, 0), (CAPITALS, 0)),
        joined(GROUP, (view, -1), (view, 0)),
        joined(GROUP, (view, 0), (view, 1)),
    ]
