"""Hospitals that do not exist, streets that may, and cities that do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from multideid.knowledge.names_and_places import cities
from template_notes.people import invented_surname, invented_word

_PLACE_ENDINGS = (
    "bury", "field", "ford", "ham", "mere", "mont", "port", "vale", "ville", "water", "wood",
    "worth",
)  # fmt: skip
_HOSPITAL_ENDINGS = (
    "Hospital", "Memorial Hospital", "General Hospital", "Medical Center", "Community Hospital",
    "Clinic", "Regional Medical Center", "Rehabilitation Center", "Health Center",
)  # fmt: skip
_SAINTS = (
    "Anselm", "Brigid", "Columba", "Dunstan", "Edwina", "Hilda", "Ninian", "Odile", "Perpetua",
    "Swithun",
)  # fmt: skip
_NATURE = (
    "Amber", "Birch", "Cedar", "Clear", "Falcon", "Heron", "Larch", "Maple", "North", "Quarry",
    "Spring", "Stone",
)  # fmt: skip
_LAND = (
    "Bay", "Brook", "Cove", "Creek", "Grove", "Harbor", "Hill", "Lake", "Point", "Ridge",
    "River", "Valley",
)  # fmt: skip
_ROADS = (
    "Street", "St", "Avenue", "Ave.", "Road", "Rd", "Lane", "Drive", "Court", "Terrace",
    "Boulevard", "Way",
)  # fmt: skip
_INVENTED_CITY = 0.35


@dataclass(frozen=True, slots=True)
class City:
    """A city and the letters of its state."""

    name: str
    state: str


def make_city(random: Random) -> City:
    """Choose a city of the United States, or invent one."""
    if random.random() < _INVENTED_CITY:
        state = random.choice(_cities()).state
        return City(invented_word(random, _PLACE_ENDINGS), state)
    return random.choice(_cities())


def make_hospital(random: Random) -> str:
    """Invent the name of a hospital or clinic."""
    ending = random.choice(_HOSPITAL_ENDINGS)
    kinds = [
        f"St. {random.choice(_SAINTS)}'s Hospital",
        f"Saint {random.choice(_SAINTS)} {ending}",
        f"{invented_word(random, _PLACE_ENDINGS)} {ending}",
        f"{random.choice(_NATURE)} {random.choice(_LAND)} {ending}",
        f"Mount {invented_word(random, _PLACE_ENDINGS)} {ending}",
        f"{invented_surname(random)}-{invented_surname(random)} {ending}",
        f"The {invented_surname(random)} {random.choice(('Clinic', 'Institute', 'Infirmary'))}",
    ]
    return random.choice(kinds)


def make_nursing_home(random: Random) -> str:
    """Invent the name of a nursing home."""
    ending = random.choice(("Nursing Home", "Manor", "House", "Rest Home", "Village"))
    return f"{random.choice(_NATURE)} {random.choice(_LAND)} {ending}"


def make_street(random: Random) -> str:
    """Invent a house number and street."""
    name = random.choice((invented_surname(random), random.choice(_NATURE), random.choice(_LAND)))
    return f"{random.randint(1, 1999)} {name} {random.choice(_ROADS)}"


def make_zip(random: Random) -> str:
    """Invent a zip code, of five digits or nine."""
    plain = f"{random.randint(1001, 99999):05}"
    return plain if random.random() < 0.8 else f"{plain}-{random.randint(1, 9999):04}"


def initials(name: str) -> str:
    """Return the capitals of a hospital's name: ``BMH``."""
    return "".join(c for c in name.removeprefix("The ") if c.isupper())


@cache
def _cities() -> tuple[City, ...]:
    found = {(city.name, city.state) for city in cities() if city.country == "US"}
    return tuple(City(*pair) for pair in sorted(found))
