"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# A slow moment of a shared machine is no failure, and a run can be repeated.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")
