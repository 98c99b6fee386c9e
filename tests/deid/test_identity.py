"""What a run must agree in with the run that it goes on."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from typing import Any

import pytest

from multideid.deid.identity import changes, identity_of, require_named
from multideid.errors import UsageError
from multideid.models import DEFAULT_MODEL
from multideid.redact import Key, Pseudonyms
from multideid.site import Site
from multideid.site.patients import Patients

OTHER: dict[str, Any] = {
    "allow": ["Ward round"],
    "deny": {"DOCTOR": ["Zwick"]},
    "patterns": [{"name": "badge", "label": "ID", "regex": "B-[0-9]{4}"}],
    "patients": Patients(["id", "last_name"], [["7", "Alder"]]),
    "labels": ["ID"],
    "recall": "high",
    "date_order": "day-first",
    "min_score": 0.5,
    "agreement": True,
    "actions": {"DATE": "shift"},
    "preset": "safe-harbor",
}
"""Another value for each part of a site."""


def _identity(site: Site | None = None, **options: Any) -> dict[str, str]:
    return dict(identity_of(DEFAULT_MODEL, site, **options)(lambda b: hashlib.sha256(b).digest()))


@pytest.mark.parametrize("part", [each.name for each in fields(Site)])
def test_another_value_of_any_part_of_a_site_is_a_change(part: str) -> None:
    assert changes(_identity(), _identity(Site(**{part: OTHER[part]})))
    assert not changes(_identity(Site()), _identity())


@pytest.mark.parametrize("mode", ["tag", "remove", "surrogate", "hash"])
def test_another_mode_is_a_change(mode: str) -> None:
    assert changes(_identity(mode="mask"), _identity(mode=mode)) == f"mode was mask, is {mode}"


def test_a_mode_of_which_a_change_cannot_be_seen_is_refused() -> None:
    require_named("hash")
    for secret in (b"sixteen bytes or more", b"another key of the same length"):
        with pytest.raises(UsageError, match="mode is a function"):
            require_named(Pseudonyms(Key.from_secret(secret)))
