from __future__ import annotations

import pytest

from multideid.knowledge import names_and_places
from multideid.knowledge.names_and_places import Census, City


@pytest.mark.parametrize(
    ("kind", "count", "first", "share"),
    [
        ("female", 4275, "mary", 2.629),
        ("male", 1219, "james", 3.318),
        ("last", 88799, "smith", 1.006),
    ],
)
def test_names_of_the_census_come_by_frequency_with_exact_shares(
    kind: Census, count: int, first: str, share: float
) -> None:
    shares = names_and_places.census(kind)
    assert (len(shares), next(iter(shares.items()))) == (count, (first, share))
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    assert names_and_places.census_names(kind) == list(shares)


def test_cities_keep_country_state_and_population() -> None:
    cities = list(names_and_places.cities())
    assert len(cities) == 34006
    assert cities[0] == City("les Escaldes", "AD", "", 15853)
    boston = [city for city in cities if city.name == "Boston" and city.country == "US"]
    assert [city.state for city in boston] == ["MA"]
    assert {len(city.country) for city in cities} == {2}
    assert {city.country for city in cities if city.state} == {"US"}


def test_countries_and_states_are_named() -> None:
    assert {"Andorra", "Norway", "Zimbabwe"} < set(names_and_places.countries())
    states = names_and_places.us_states()
    assert len(states) == 51
    assert states["MA"] == "Massachusetts"
