"""Surrogates of cities, states, countries, streets and postcodes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from multideid.knowledge import names_and_places
from multideid.redact.invented import spanish
from multideid.redact.invented.institutions import Institutions, is_institution
from multideid.redact.invented.numbers import (
    coordinate,
    is_ordinal_ending,
    same_shape,
    with_same_shape,
)
from multideid.redact.invented.surrogate_map import SurrogateMap
from multideid.redact.invented.vocabulary import WordKind
from multideid.redact.spelling import WORD, fold, like

_TRIES = 50
_BETWEEN = re.compile(r"((?:(?<!\s)\s+)?[,;\n\r]\s*+|(?<!\s)\s++-\s++)")
_STREET = re.compile(
    r"(?:^|\n)[^\d\n]*+\d.*[^\W\d_]{3}|\b(?:street|st|avenue|ave|road|rd|lane|ln|drive|court|ct|terrace|boulevard|"
    r"blvd|way|highway|hwy|p\.?o\.?\s*box|calle|avda|avenida|plaza|paseo|camino|carretera|ctra)\.?$"
    r"|^(?:c/|calle|avda|avenida|plaza|pza|paseo|pº|camino|carretera|ctra|glorieta|ronda)\b",
    re.I,
)
_POSSESSIVE = re.compile(r"(?<=[^\W\d_]{2})['\u2019][sS]$")
_UNIT = re.compile(r"(?:apt|apartment|suite|ste|unit|flat|floor|room|rm|piso|planta)\b", re.I)
_KEPT = frozenset(
    """
    street st avenue ave av road rd lane ln drive dr court ct terrace ter boulevard blvd way place
    pl square sq highway hwy route rte parkway pkwy circle north south east west n s e w ne nw se
    sw apt apartment suite ste unit flat floor room rm box po p o the of and
    c calle avda avd avenida plaza pza plza paseo camino carretera ctra glorieta ronda travesía
    travesia pasaje urbanización urbanizacion barrio polígono poligono bloque portal piso planta
    puerta escalera edificio bajo bis izquierda derecha izq dcha esq esquina km nº num número
    de del la las el los y al a s/n sn
    """.split()
)
_TYPES = frozenset(
    """
    street st avenue ave av road rd lane ln drive dr court ct terrace ter boulevard blvd way place
    pl square sq circle parkway pkwy
    """.split()
)
_SPANISH_TYPES = frozenset(
    """
    c calle avda avd avenida plaza pza plza paseo camino carretera ctra glorieta ronda travesía
    travesia pasaje
    """.split()
)
_BESIDE = re.compile(r"[\s./'\u2019-]*")


class Places:
    """The places of one document.

    Parameters
    ----------
    surrogate_map : SurrogateMap
    institutions : Institutions
        For names of institutions that are labelled as places.
    language : {"en", "es"}
    """

    def __init__(
        self, surrogate_map: SurrogateMap, institutions: Institutions, language: str = "en"
    ) -> None:
        self._map = surrogate_map
        self._institutions = institutions
        self._lists = _lists(language)

    def place(self, text: str) -> str:
        """Return another place; the parts of ``City, ST 01234`` are replaced separately."""
        return "".join(
            part if n % 2 or not part else self._with_possessive(part)
            for n, part in enumerate(_BETWEEN.split(text))
        )

    def _with_possessive(self, text: str) -> str:
        ending = match[0] if (match := _POSSESSIVE.search(text)) else ""
        return f"{self._part(text.removesuffix(ending))}{ending}"

    def street(self, text: str) -> str:
        """Replace the numbers and names of an address; words such as Street are kept."""
        draw = self._map.draw("address", fold(text))
        words = list(WORD.finditer(text))
        names = set(_kept_words_that_name(text, words))
        kept = {word for word in words if _is_kept(word) and word not in names}
        if len(kept) == len(words) and not re.search(r"\d", text):
            kept = set()
        changes = (
            (*word.span(), word[0] if word in kept else self._street_word(word[0]))
            for word in words
        )
        return with_same_shape(text, changes, draw)

    def _street_word(self, word: str) -> str:
        if len(word) == 1:
            return self._map.letter(word)
        return self._map.word(WordKind.STREET, word)

    def _part(self, text: str) -> str:
        words = WORD.findall(text)
        if any(c.isdigit() for c in text) and all(len(word) < 3 for word in words):
            return self._postcode(text)
        if _STREET.search(text) or _UNIT.match(text):
            return self.street(text)
        for names in self._lists:
            if fold(text) in names:
                return self._other(text, names)
        if is_institution(text):
            return self._institutions.renamed(text)
        return self._city(text)

    def _postcode(self, text: str) -> str:
        """Replace the digits, and the state before them if there is one."""
        states = self._lists[0]
        if (match := re.match(r"\s*([A-Za-z]{2})\b", text)) and fold(match[1]) in states:
            state = self._other(match[1], states)
            return f"{text[: match.start(1)]}{state}{self._postcode(text[match.end(1) :])}"
        draw = self._map.draw("postcode", fold(text))
        return coordinate(text, draw) or same_shape(text, draw)

    def _other(self, text: str, names: Mapping[str, str]) -> str:
        draw = self._map.draw("place", fold(text))
        for _ in range(_TRIES):
            name = self._map.vocabulary.region(tuple(names.values()), draw)
            if not self._map.holds(name):
                return like(text, name)
        return text

    def _city(self, text: str) -> str:
        words = list(WORD.finditer(text))
        if not words:
            return same_shape(text, self._map.draw("place", text))
        if text.isupper() and len(text) <= 3:
            return "".join(self._map.letter(c) if c.isalpha() else c for c in text)
        start, end = words[0].start(), words[-1].end()
        draw = self._map.draw("number of a place", fold(text))
        city = self._map.word(WordKind.CITY, text[start:end])
        return f"{same_shape(text[:start], draw)}{city}{same_shape(text[end:], draw)}"


def _is_kept(word: re.Match[str]) -> bool:
    return word[0].lower() in _KEPT or is_ordinal_ending(word)


def _kept_words_that_name(text: str, words: Sequence[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Yield words such as the first of North Street, which are kept in other addresses."""
    for run in _runs(text, words):
        types = [word[0].lower() in _TYPES for word in run]
        spanish = [n for n, word in enumerate(run) if word[0].lower() in _SPANISH_TYPES]
        if not all(map(_is_kept, run)):
            continue
        if True in types[1:]:
            yield run[max(n for n, is_type in enumerate(types) if is_type) - 1]
        elif len(spanish) > 1 and spanish[0] == 0:
            yield run[spanish[-1]]


def _runs(text: str, words: Sequence[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Yield the words that stand beside each other, without endings of ordinals."""
    run: list[re.Match[str]] = []
    for word in words:
        if is_ordinal_ending(word):
            continue
        if run and not _BESIDE.fullmatch(text, run[-1].end(), word.start()):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


@cache
def _lists(language: str) -> tuple[Mapping[str, str], ...]:
    """Return codes of states, names of states, and countries, each by folded name."""
    states = names_and_places.us_states()
    countries = list(spanish.COUNTRIES) if language == "es" else names_and_places.countries()
    names = (list(states), list(states.values()), countries)
    return tuple({fold(name): name for name in sorted(group)} for group in names)
