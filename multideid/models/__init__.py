"""The models that come with the package, by name."""

from __future__ import annotations

from multideid.models.bundled import DEFAULT_MODEL, BundledModel, bundled_models, find_model
from multideid.models.loading import load

__all__ = ["DEFAULT_MODEL", "BundledModel", "bundled_models", "find_model", "load"]
