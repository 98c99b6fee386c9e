"""PHI that is known from fields is also found in free text.

All searches read the text once, however many values are known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date

from multideid.document import Span
from multideid.labels import SurrogateKind, surrogate_kind
from multideid.redact.spelling import WORD, fold

_K = SurrogateKind

_SHORT_NAME = 2  # Letters; "Ng" or "Q" is part of a name only beside a longer part.
_SHORT_NUMBER = 5  # Letters and digits; shorter ones occur by chance.
_LONGEST = 200  # Characters; longer values are no identifiers.
TITLES = frozenset("mr mrs ms miss dr prof md rn phd".split())
_BETWEEN_NAMES = re.compile(r"[ ,.]{1,3}")
_BETWEEN_DIGITS = re.compile(r"[ ().+\-/]{0,3}")
_ALPHANUMERIC = re.compile(r"[^\W_]+")
_EMAIL = re.compile(r"(?<![\w.+\-])[\w.+\-]{1,64}+@[\w.\-]{0,250}\w")
_COMPACT = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]*\.?"
_DATE = re.compile(
    r"(?<!\d)(?:(?P<a>\d{1,4})[/.\-](?P<b>\d{1,2})[/.\-](?P<c>\d{1,4})|(?P<compact>\d{8}))(?!\d)"
)
_DATE_IN_WORDS = re.compile(
    rf"\b(?:{_MONTH}\s(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<year>\d{{2,4}})"
    rf"|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?[\s\-](?:of\s)?"
    rf"{_MONTH.replace('month', 'month2')},?[\s\-](?P<year2>\d{{2,4}}))(?!\d)",
    re.IGNORECASE,
)

Places = Iterator[tuple[int, int]]


def occurrences(text: str, known: Iterable[Span]) -> list[Span]:
    """Return where the PHI of known spans occurs in a text, also in other forms.

    Names are found part by part, in any case and with initials, except that names which are
    ordinary words must begin with a capital or be next to another name. Names
    of one or two letters are found next to other names only. Numbers are found
    with other punctuation, and dates in the usual forms; very short numbers,
    states and the like are not searched.

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
    """Return where known values occur in a text; forms and results as for `occurrences`.

    Parameters
    ----------
    text : str
    by_label : mapping of str to set of str
        The values of each label.
    """
    found: list[Span] = []
    for label, values in by_label.items():
        search = _SEARCHES.get(surrogate_kind(label), _numbers)
        found += [Span(start, end, label) for start, end in search(text, values)]
    return found


def _names(text: str, values: set[str]) -> Places:
    parts = {fold(word) for value in values for word in WORD.findall(value)} - TITLES
    folded = fold(text)
    # Most notes have none of most names, which a search for each shows sooner.
    there = any(part in folded for part in parts if len(part) > _SHORT_NAME)
    initials = {part[0] for part in parts if there and len(part) > _SHORT_NAME}
    group: list[re.Match[str]] = []
    for match in WORD.finditer(text) if initials else ():
        word = match[0]
        is_initial = len(word) == 1 and word.isupper() and fold(word) in initials
        is_part = is_initial or fold(word) in parts
        if group and not (is_part and _touch(text, group[-1], match)):
            yield from _named(text, group, parts)
            group = []
        if is_part:
            group.append(match)
    yield from _named(text, group, parts)


def _touch(text: str, left: re.Match[str], right: re.Match[str]) -> bool:
    return bool(_BETWEEN_NAMES.fullmatch(text, left.end(), right.start()))


def _named(text: str, group: list[re.Match[str]], parts: set[str]) -> Places:
    """Yield a group of adjacent name parts that is a name, not an ordinary word."""
    words = [match[0] for match in group if len(match[0]) > _SHORT_NAME]
    full = len({fold(word) for word in words}) > 1
    if full or any(not word.islower() or not _is_ordinary(word) for word in words):
        # In "Alder A fib", the letter is no initial.
        while fold(group[-1][0]) not in parts and not text.startswith(".", group[-1].end()):
            group.pop()
        yield group[0].start(), group[-1].end()


def _is_ordinary(word: str) -> bool:
    from multideid.knowledge.lexicons import word_set

    return word.lower() in word_set("common_words", "medical_words")


def _phrases(text: str, values: set[str]) -> Places:
    """Yield where institutions, places and streets occur, as a whole."""
    phrases: dict[str, list[list[str]]] = {}
    for value in values:
        words = _ALPHANUMERIC.findall(value.lower())
        if sum(map(len, words)) > _SHORT_NAME and not value.isdigit():
            phrases.setdefault(words[0], []).append(words)
    if any(value.isdigit() for value in values):
        yield from _numbers(text, values)
    tokens = list(_ALPHANUMERIC.finditer(text)) if phrases else []
    for n, token in enumerate(tokens):
        for words in phrases.get(token[0].lower(), ()):
            run = tokens[n : n + len(words)]
            same = [match[0].lower() for match in run] == words
            if same and not (len(words) == 1 and token[0].islower() and _is_ordinary(token[0])):
                yield token.start(), run[-1].end()


def _numbers(text: str, values: set[str]) -> Places:
    """Yield where numbers and other identifiers occur, with any punctuation."""
    wanted = {"".join(_ALPHANUMERIC.findall(value)).lower() for value in values}
    wanted = {w for w in wanted if len(w) >= _SHORT_NUMBER and any(map(str.isdigit, w))}
    prefixes = {value[:n] for value in wanted for n in range(1, len(value))}
    tokens = list(_ALPHANUMERIC.finditer(text)) if wanted else []
    for n, token in enumerate(tokens):
        run = token[0].lower()
        last = token
        # Most words begin no number, and a copy of the rest for each would take quadratic time.
        for following in tokens[n + 1 :] if run in prefixes else ():
            joined = _BETWEEN_DIGITS.fullmatch(text, last.end(), following.start())
            if run not in prefixes or not joined:
                break
            run, last = run + following[0].lower(), following
            if run in wanted:
                # "(617) 555-1234" begins with its bracket.
                in_brackets = text[token.end() : token.end() + 1] == ")"
                bracket = in_brackets and text.startswith("(", max(token.start() - 1, 0))
                yield token.start() - bracket, last.end()
        if token[0].lower() in wanted:
            yield token.span()


def _emails(text: str, values: set[str]) -> Places:
    wanted = {value.lower() for value in values}
    for match in _EMAIL.finditer(text):
        if match[0].lower() in wanted:
            yield match.span()


def _dates(text: str, values: set[str]) -> Places:
    days = {day for value in values for day in _known_days(value)}
    for match in _DATE.finditer(text) if days else ():
        if not days.isdisjoint(_days(match)):
            yield match.span()
    for match in _DATE_IN_WORDS.finditer(text) if days else ():
        groups = match.groupdict()
        month = (groups["month"] or groups["month2"]).lower()
        number, year = groups["day"] or groups["day2"], groups["year"] or groups["year2"]
        if not days.isdisjoint(_made(year, _MONTHS.index(month) + 1, number)):
            yield match.span()


def _known_days(value: str) -> Iterator[date]:
    """Yield the days that a known date can mean."""
    if (day := _day(_COMPACT.match(value))) is not None:
        yield day
    elif (match := _DATE.match(value)) is not None:
        yield from _days(match)


def _days(match: re.Match[str]) -> Iterator[date]:
    """Yield the days that a date in numbers can mean."""
    if match["compact"]:
        yield from filter(None, [_day(_COMPACT.match(match["compact"]))])
        return
    a, b, c = match["a"], match["b"], match["c"]
    yield from _made(c, a, b)
    yield from _made(c, b, a)
    yield from _made(a, b, c)


def _day(match: re.Match[str] | None) -> date | None:
    return next(_made(*match.groups()), None) if match else None


def _made(year: str, month: str | int, day: str) -> Iterator[date]:
    """Yield the day, in both centuries if the year has two digits."""
    for number in (1900 + int(year), 2000 + int(year)) if len(year) == 2 else (int(year),):
        try:
            yield date(number, int(month), int(day))
        except ValueError:
            continue


_SEARCHES: dict[SurrogateKind | None, Callable[[str, set[str]], Places]] = {
    _K.PERSON: _names,
    _K.INSTITUTION: _phrases,
    _K.PLACE: _phrases,
    _K.STREET: _phrases,
    _K.DATE: _dates,
    _K.EMAIL: _emails,
}
"""The search for each kind of PHI; other kinds are searched as numbers."""
