"""What a run must agree in with the run that it goes on."""

from __future__ import annotations

from dataclasses import fields

from multideid.deid import identity
from multideid.site import Site


def test_every_part_of_a_site_is_compared() -> None:
    assert {*identity._LISTS, *identity._SETTINGS} == {part.name for part in fields(Site)}
