"""PHI that is known from fields is also found in free text.

All searches read the text once, however many values are known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from multideid.document import Span
from multideid.labels import SurrogateKind, surrogate_kind
from multideid.site.date_search import date_places, is_date
from multideid.site.exact_search import Phrases, after_cues, phrase_word
from multideid.site.name_search import SHORT, name_places
from multideid.site.words import is_ordinary

_K = SurrogateKind

_SHORT_NUMBER = 5  # Letters and digits; shorter ones occur by chance.
_LONG_NUMBER = 6  # Such a number may be written with other letters before it.
_LONGEST = 200  # Characters; longer values are no identifiers.
_BETWEEN_DIGITS = re.compile(r"[ ().+\-/_:#\u00a0\u2010-\u2015\u2212]{0,3}")
_ALPHANUMERIC = re.compile(r"[^\W_]+")
_PREFIXED = re.compile(r"[^\W\d_]{1,5}(\d{6,})")
"""A number that may be written without its letters."""
_COUNTRY = re.compile(r"(?:\+|(?<!\d)00)\d{0,3}[\s.\-]{0,2}\Z")
"""The code of a country before a number."""
_LONGEST_COUNTRY = 8  # Characters.
_EMAIL = re.compile(r"(?<![\w.+\-])[\w.+\-]{1,64}+@[\w.\-]{0,250}\w")

Places = Iterator[tuple[int, int]]


def occurrences(text: str, known: Iterable[Span]) -> list[Span]:
    """Return where the PHI of known spans occurs in a text, also in other forms.

    Names are found part by part, in any case, with initials, in one word or two, and with the
    designation of a newborn beside them, except that names which are ordinary words must begin
    with a capital or be next to another name or a title. Names of one or two letters, initials
    and particles are found next to other names only, or after a title. Numbers are found with
    other punctuation, and with fewer or more zeros before them, and dates in the usual forms;
    very short numbers, states and the like are not searched.

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


class _Wanted(NamedTuple):
    """Numbers to find, without punctuation, and all that they begin with."""

    whole: set[str]
    prefixes: set[str]


def _numbers(text: str, values: set[str]) -> Places:
    """Yield where numbers and other identifiers occur, with any punctuation.

    Numbers in words are found as they are, and short ones after a word such as "no.".
    """
    yield from _in_words(text, {value for value in values if not any(map(str.isdigit, value))})
    yield from after_cues(text, {value for value in values if _is_short_number(value)})
    whole = {form for value in values for form in _number_forms(value)}
    wanted = _Wanted(whole, {value[:n] for value in whole for n in range(len(value))})
    longest = max(map(len, whole), default=0)
    tokens = list(_ALPHANUMERIC.finditer(text)) if whole else []
    for n, token in enumerate(tokens):
        run = token[0].lower()
        for begin in (run, run.lstrip("0")) if run[0] == "0" else (run,):
            # Most words begin no number.
            if begin in whole or begin in wanted.prefixes:
                yield from _number_at(text, tokens, n, begin, wanted)
        if run[-1].isdigit() and run[0].isalpha() and len(run) == len(token[0]):
            length = _length_of_end(run, whole, longest)
            yield from [(token.end() - length, token.end())] * (length > 0)


def _is_short_number(value: str) -> bool:
    return len(_plain(value)) < _SHORT_NUMBER and any(map(str.isdigit, value))


def _length_of_end(word: str, whole: set[str], longest: int) -> int:
    """Return the length of the long number that ends a word after letters: ``mrn0671452``."""
    first = max(len(word) - longest, 1)
    if not word[:first].isalpha():
        return 0
    for start in range(first, len(word) - _LONG_NUMBER + 1):
        if word[start:] in whole:
            return len(word) - start
        if not word[start].isalpha():
            break
    return 0


def _number_forms(value: str) -> Iterator[str]:
    """Yield a number without punctuation, also without letters and zeros before it if long."""
    plain = _plain(value)
    match = _PREFIXED.fullmatch(plain)
    for form in (plain, match[1] if match else "") if any(map(str.isdigit, plain)) else ():
        yield from (f for f in (form, form.lstrip("0")) if len(f) >= _SHORT_NUMBER)


def _number_at(
    text: str, tokens: Sequence[re.Match[str]], n: int, begin: str, wanted: _Wanted
) -> Places:
    """Yield the number that begins with token `n`, read as `begin`."""
    token = last = tokens[n]
    if begin in wanted.whole:
        yield token.span()
    run = begin
    for k in range(n + 1, len(tokens)):
        joined = _BETWEEN_DIGITS.fullmatch(text, last.end(), tokens[k].start())
        if run not in wanted.prefixes or not joined:
            break
        run, last = run + tokens[k][0].lower(), tokens[k]
        if run in wanted.whole:
            # "(617) 555-1234" begins with its bracket.
            in_brackets = text[token.end() : token.end() + 1] == ")"
            bracket = in_brackets and text.startswith("(", max(token.start() - 1, 0))
            yield token.start() - bracket, last.end()


def _plain(value: str) -> str:
    return "".join(_ALPHANUMERIC.findall(value)).lower()


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


def _emails(text: str, values: set[str]) -> Places:
    wanted = {value.lower() for value in values}
    for match in _EMAIL.finditer(text):
        if match[0].lower() in wanted:
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
