"""Rules tried only at their anchors find the same as rules tried everywhere."""

from __future__ import annotations

import random

import numpy as np
import pytest

from multideid.arrays import IntegerArray
from multideid.base_systems.mimic import (
    addresses,
    contacts,
    contexts,
    dates,
    european_dates,
    find_phi,
    hospitals,
    identifiers,
    locations,
    names,
    repeats,
)
from multideid.base_systems.mimic.anchors import Words
from multideid.base_systems.mimic.finder import find_in_batch
from multideid.base_systems.mimic.patterns import Rule
from multideid.text.table import TokenTable

MODULES = (
    addresses, contacts, contexts, dates, european_dates, hospitals, identifiers, locations, names,
)  # fmt: skip
RULES = [rule for module in MODULES for rule in vars(module).values() if isinstance(rule, Rule)]
PIECES = """
    Dr Mr Mrs St MD M.D. J. Smith Maria Lopez John Susan Lee McDonald O'Brien Garcia-Lopez PUERTO
    Boston Lyon France Texas MA NY New York North Fort Heights Mary's General Hospital Clinic Center
    Street Ave Main 12 7 93 1234 55512 1234567 3/4 03/04/2005 2005-01-02 617-555-1234 (617) '99
    years y/o ninety one hundred old aged MRN Unit No name Name: patient Attending: wife Daughter
    de febrero mars mai ene 3. August M\u00e4rz
    March May 4th june in since born lives went from to at near the of is was denies reports
    admitted
    transferred signed by per ext pager call x12345 zip 02139 P.O. Box www.a.com a.b@c.org 1.2.3.4
    AB-1234567 12345/a123 address: location: and van de la Jr Summary:
    cafe\u0301 Ma\u0301ry hOspital McAllen PhD PharmD PsyD HealthCare PoBox ZipCode MRNumber 2ndMay
    """.split()
GAPS = (*[" "] * 12, "  ", "\n", "\r\n", "\n ", ", ", ". ", ": ", "-", "/", "(", "'s ", "", "\t")


def everywhere(notes: Words) -> IntegerArray:
    return np.arange(notes.base[-1])


def made_up(seed: int) -> list[str]:
    rng = random.Random(seed)
    sizes = [rng.randrange(60) for _ in range(40)]
    return ["".join(rng.choice(PIECES) + rng.choice(GAPS) for _ in range(n)) for n in sizes]


@pytest.mark.parametrize("seed", range(4))
def test_anchors_miss_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = made_up(seed)
    found = [find_phi(text) for text in texts]
    for rule in RULES:
        monkeypatch.setattr(rule, "anchor", everywhere)
    monkeypatch.setattr(repeats, "_near_known", lambda known, taken: everywhere)
    assert [find_phi(text) for text in texts] == found
    assert sum(map(len, found)) > 100


@pytest.mark.parametrize("seed", range(2))
def test_notes_of_a_batch_are_searched_each_by_itself(seed: int) -> None:
    texts = ["", *made_up(seed), "Mr", ". Lopez"]
    assert find_in_batch(TokenTable.from_texts(texts)) == [find_phi(text) for text in texts]
