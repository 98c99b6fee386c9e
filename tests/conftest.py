"""Settings for all tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from multideid.knowledge.link_grammar import problem as link_grammar_problem

# A slow moment of a shared machine is no failure, and a run can be repeated.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")


@pytest.fixture(scope="session")
def link_grammar() -> None:
    """Skip where the Link Grammar library is not installed; fail where it must be."""
    problem = link_grammar_problem()
    if problem and os.environ.get("MULTIDEID_TEST_LINK_GRAMMAR") == "required":
        pytest.fail(problem)
    if problem:
        pytest.skip(problem)
