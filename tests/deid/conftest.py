"""Most tests need no processes."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _most_tests_need_no_processes(in_this_process: None) -> None: ...
