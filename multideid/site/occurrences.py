"""PHI that is known from fields is also found in free text.

All searches read the text once, however many values are known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from multideid.document import Span
from multideid.labels import SurrogateKind, surrogate_kind
from multideid.site.composed import Composed, composed
from multideid.site.date_search import date_places, is_date
from multideid.site.exact_search import Phrases, phrase_word
from multideid.site.name_parts import SHORT
from multideid.site.name_search import name_places
from multideid.site.number_search import number_places, with_codes
from multideid.site.words import is_ordinary

_K = SurrogateKind

_LONGEST = 200  # Characters; longer values are no identifiers.
_ALPHANUMERIC = re.compile(r"[^\W_]+")
_COUNTRY = re.compile(r"(?:\+|(?<![\d:.,])00)\d{0,3}(?:[^\S\n\r\f\v]|[.\-]){0,2}\Z")
"""The code of a country before a number in its line; no zeros of a time or an amount."""
_LONGEST_COUNTRY = 8  # Characters.
_AT = re.compile(r"\s?(?:@|\(at\)|\[at\])\s?", re.IGNORECASE)
_EMAIL = re.compile(
    rf"(?<![\w.+\-])[\w.+\-]{{1,64}}+{_AT.pattern}[\w.\-]{{0,250}}\w", re.IGNORECASE
)

Places = Iterator[tuple[int, int]]


def occurrences(text: str, known: Iterable[Span]) -> list[Span]:
    """Return where the PHI of known spans occurs in a text, also in other forms.

    Names are found part by part, in any case, with initials, in one word or two, and with the
    designation of a newborn beside them. Names that are ordinary words must begin with a capital,
    or be next to another name or a title, or else be words that notes seldom have, without an
    article before them. Names of one or two letters, initials and particles are found next to
    other names only, or after a title. Numbers are found with other punctuation, and with fewer
    or more zeros before them, and dates in the usual forms; very short numbers, states and the
    like are not searched.

    Parameters
    ----------
    text : str
    known : iterable of Span
        In offsets of `text`.

    Returns
    -------
    list of Span
        In no order; they may overlap, and include most of the known spans.
    """
    by_label: dict[str, set[str]] = {}
    for span in known:
        if span.end - span.start <= _LONGEST:
            by_label.setdefault(span.label, set()).add(text[span.start : span.end])
    return places_of(text, by_label)


def places_of(text: str, by_label: Mapping[str, set[str]]) -> list[Span]:
    """Return where known values surely occur in a text; forms and results as for `occurrences`.

    Parameters
    ----------
    text : str
    by_label : mapping of str to set of str
        The values of each label.
    """
    return known_places(text, by_label).certain


class KnownPlaces(NamedTuple):
    """Where known values occur in a text.

    Parameters
    ----------
    certain : list of Span
    doubtful : list of Span
        Ordinary words in lower case, and initials, which may be the names.
    """

    certain: list[Span]
    doubtful: list[Span]


def known_places(text: str, by_label: Mapping[str, set[str]]) -> KnownPlaces:
    """Return where known values occur in a text, surely or perhaps; otherwise as `places_of`."""
    # The searches take a letter for one character, which it need not be in a note or a table.
    note = Composed.of(text)
    known = {label: set(map(composed, values)) for label, values in by_label.items()}
    return KnownPlaces(*(list(map(note.original, spans)) for spans in _places(note.text, known)))


def _places(text: str, by_label: Mapping[str, set[str]]) -> KnownPlaces:
    found = KnownPlaces([], [])
    for label, values in by_label.items():
        kind = surrogate_kind(label)
        if kind is _K.PERSON:
            certain, doubtful = name_places(text, values)
            found.doubtful.extend(Span(start, end, label) for start, end in doubtful)
        else:
            certain = [*_SEARCHES.get(kind, _numbers)(text, values)]
        found.certain.extend(Span(start, end, label) for start, end in certain)
    return found


def _words_of(value: str) -> list[str]:
    return [phrase_word(word) for word in _ALPHANUMERIC.findall(value)]


def _phrases(text: str, values: set[str]) -> Places:
    """Yield where institutions, places and streets occur, as a whole."""
    split = (_words_of(value) for value in values if not value.isdigit())
    phrases = Phrases(words for words in split if sum(map(len, words)) > SHORT)
    if any(value.isdigit() for value in values):
        yield from _numbers(text, values)
    tokens = list(_ALPHANUMERIC.finditer(text)) if phrases else []
    for n, token in enumerate(tokens):
        for run in phrases.at(tokens, n):
            if not (len(run) == 1 and token[0].islower() and is_ordinary(token[0])):
                yield token.start(), run[-1].end()


def _numbers(text: str, values: set[str]) -> Places:
    """Yield where numbers and other identifiers occur; those in words as they are."""
    yield from _in_words(text, {value for value in values if not any(map(str.isdigit, value))})
    yield from number_places(text, values)


def _in_words(text: str, values: set[str]) -> Places:
    """Yield where values occur as they are, if they are several words."""
    yield from _phrases(text, {value for value in values if len(value.split()) > 1})


def _dates(text: str, values: set[str]) -> Places:
    yield from date_places(text, values)
    yield from _in_words(text, {value for value in values if not is_date(value)})


def _phones(text: str, values: set[str]) -> Places:
    """Yield where phone numbers occur, with the code of the country before them."""
    for start, end in _numbers(text, values):
        before = _COUNTRY.search(text, max(0, start - _LONGEST_COUNTRY), start)
        yield (start if before is None else before.start()), end
    yield from with_codes(text, values)


def _emails(text: str, values: set[str]) -> Places:
    wanted = {value.lower() for value in values}
    for match in _EMAIL.finditer(text):
        if _AT.sub("@", match[0].lower()) in wanted:
            yield match.span()


_SEARCHES: dict[SurrogateKind | None, Callable[[str, set[str]], Places]] = {
    _K.INSTITUTION: _phrases,
    _K.PLACE: _phrases,
    _K.STREET: _phrases,
    _K.DATE: _dates,
    _K.PHONE: _phones,
    _K.EMAIL: _emails,
}
"""The search for each kind of PHI but names; other kinds are searched as numbers."""
