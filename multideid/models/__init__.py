"""Models by name or by path; some come with the package."""

from __future__ import annotations

from multideid.models.bundled import (
    DEFAULT_MODEL,
    BundledModel,
    at_recall,
    bundled_models,
    check_model,
    find_model,
    load,
    manifest_of,
    open_model,
)

__all__ = [
    "DEFAULT_MODEL",
    "BundledModel",
    "at_recall",
    "bundled_models",
    "check_model",
    "find_model",
    "load",
    "manifest_of",
    "open_model",
]
