"""The one feature of the majority baseline: the word as it is written."""

from __future__ import annotations

from multideid.features.common import WORD
from multideid.features.templates import Template, each


def majority_templates() -> list[Template]:
    """Return the system's only template."""
    return each(WORD, (0,), "word")
