"""The feature templates of the tree: those of Szarvas (2007), the words around in place."""

from __future__ import annotations

from multideid.features.common import LOWER
from multideid.features.szarvas import szarvas_templates
from multideid.features.templates import Template, each


def tree_templates() -> list[Template]:
    """Return all templates of the system."""
    return szarvas_templates(each(LOWER, (-3, -2, -1, 1, 2, 3), "trigger"))
