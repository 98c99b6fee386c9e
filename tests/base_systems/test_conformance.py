"""Every built-in system keeps the contract that plug-ins are held to."""

from __future__ import annotations

import pytest

from multideid.taggers.registry import BUILT_IN, load_system
from multideid.testing import check_tagger


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_a_built_in_system_keeps_the_contract(name: str) -> None:
    check_tagger(load_system(name))
