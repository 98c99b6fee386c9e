"""Every built-in system keeps the contract of plug-ins."""

from __future__ import annotations

from typing import Any

import pytest

from multideid.taggers.registry import BUILT_IN, make_system
from multideid.testing import check_tagger

# By default, spaCy's neural network learns nothing from twelve notes.
PARAMETERS: dict[str, dict[str, Any]] = {
    "spacy": {"epochs": 30, "width": 16, "depth": 1},
    "szarvas": {"rounds": 5},
}


# A network needs a folder; tests/base_systems/test_transformer.py makes one.
@pytest.mark.parametrize("name", sorted(BUILT_IN.keys() - {"transformer"}))
def test_a_built_in_system_keeps_the_contract(name: str) -> None:
    check_tagger(make_system(name, **PARAMETERS.get(name, {})))
