"""Name pools from the census, the gazetteer and, for Spanish, our own lists."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from multideid.knowledge import names_and_places
from multideid.knowledge.lexicons import lexicon
from multideid.knowledge.names_and_places import Census
from multideid.knowledge.word_classes import CLASSES, bundled_word_classes
from multideid.redact.invented import spanish
from multideid.redact.invented.consistent_hashing import HashRing
from multideid.redact.invented.vocabulary import WordKind
from multideid.redact.spelling import capitalised, fold

Pool = Mapping[str, HashRing]

_COMMON_SURNAMES = 20_000
_COMMON_FIRST_NAMES = 1_200
_SEX_RATIO = 20
# Names with another meaning would make notes ambiguous.
_MEANINGFUL = (
    "common_words eponyms medical_words months weekdays titles nationalities hospital_words "
    "countries us_states us_state_codes"
).split()
_SPANISH_ENDING = re.compile(r"(?:[^aeiou]ez|[bcdlnqrtuv]er[oa]|ill[oa]|ales|uela|ares|anco|ado)$")
_SEXES: Mapping[WordKind, Census] = {WordKind.FEMALE: "female", WordKind.MALE: "male"}
_SURE = 0.01  # Per cent of people; assumed for names that are only in our list.
_RARE = 0.003  # Per cent of people.
_NAME_CLASSES = tuple(map(CLASSES.index, ("given", "family", "rare given", "rare family")))
_SPANISH = {
    WordKind.FEMALE: spanish.FIRST_NAMES_FEMALE.split(),
    WordKind.MALE: spanish.FIRST_NAMES_MALE.split(),
}


@cache
def pool(kind: WordKind, language: str) -> Pool:
    """Return the names of a kind by initial; the empty string has all of them."""
    if kind is WordKind.CITY:
        return {"": HashRing(_cities("ES" if language == "es" else "US"))}
    if kind is WordKind.FIRST:
        both = [pool(sex, language)[""] for sex in _SEXES]
        return by_initial(name for names in both for name in names)
    if kind not in _SEXES:
        return by_initial(_surnames(language))
    if language == "es":
        return by_initial(_SPANISH[kind])
    common = [name for name in census(kind) if name not in _avoided()][:_COMMON_FIRST_NAMES]
    return by_initial(map(capitalised, common))


def by_initial(names: Iterable[str]) -> Pool:
    """Group names by their folded initial; the empty string has all of them."""
    found = defaultdict(list)
    for name in names:
        found[fold(name[0]).upper()].append(name)
        found[""].append(name)
    return {initial: HashRing(group) for initial, group in found.items()}


@cache
def sexes() -> Mapping[str, WordKind]:
    """Return the sex of each folded first name that is rare for the other sex."""
    ours = {fold(name): kind for kind, names in _SPANISH.items() for name in names}
    return {**ours, **_census_sexes()}


def census(kind: WordKind) -> Sequence[str]:
    """Return the folded first names of a sex, or last names, by descending frequency."""
    if kind in _SEXES:
        return [name for name, sex in _census_sexes().items() if sex is kind]
    return tuple(_shares("last"))


@cache
def cities(country: str) -> Sequence[str]:
    """Return the cities of a country, given by its two-letter code."""
    return sorted({c.name for c in names_and_places.cities() if c.country == country})


def is_first_name(name: str) -> bool:
    """Return whether a folded name is more frequent as a first than as a last name.

    The census has few names of other countries: there, lists of first and last names tell.
    """
    share = max(_shares(sex).get(name, 0) for sex in _SEXES.values())
    last = _shares("last").get(name, 0)
    if share == 0 and last <= _RARE and name not in sexes():
        return _is_given_elsewhere(name)
    return max(share, _SURE * (name in sexes())) > last


def _is_given_elsewhere(name: str) -> bool:
    bits = bundled_word_classes().bits(name)
    given, family, rare_given, rare_family = (bool(bits & 1 << n) for n in _NAME_CLASSES)
    return (given and not family) or (rare_given and not (family or rare_family))


def is_listed_name(word: str) -> bool:
    """Return whether a folded word is in a list of first or last names."""
    return word in sexes() or any(word in _shares(kind) for kind in (*_SEXES.values(), "last"))


@cache
def _census_sexes() -> Mapping[str, WordKind]:
    shares = {kind: _shares(sex) for kind, sex in _SEXES.items()}
    female, male = shares[WordKind.FEMALE], shares[WordKind.MALE]
    found = {n: WordKind.FEMALE for n, s in female.items() if s > _SEX_RATIO * male.get(n, 0)}
    return found | {n: WordKind.MALE for n, s in male.items() if s > _SEX_RATIO * female.get(n, 0)}


@cache
def _shares(kind: Census) -> Mapping[str, float]:
    return names_and_places.census(kind)


def _surnames(language: str) -> list[str]:
    plain = [n for n in _shares("last") if len(n) > 3 and n not in _no_surnames()]
    common = plain[:_COMMON_SURNAMES]
    if language == "es":
        known = {fold(name): name for name in spanish.LAST_NAMES.split()}
        alike = {name: capitalised(name) for name in common if _SPANISH_ENDING.search(name)}
        return list((alike | known).values())
    return list(map(capitalised, common))


@cache
def _avoided() -> frozenset[str]:
    return frozenset().union(*map(lexicon, _MEANINGFUL))


@cache
def _no_surnames() -> frozenset[str]:
    first_names = (_shares(sex).keys() for sex in _SEXES.values())
    return _avoided().union(lexicon("major_cities"), sexes(), *first_names)


def _cities(country: str) -> list[str]:
    return [name for name in cities(country) if fold(name) not in _avoided()]
