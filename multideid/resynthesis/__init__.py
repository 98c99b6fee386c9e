"""Resynthesis: corpora with synthetic PHI, for evaluation (Sibanda & Uzuner 2006, 3)."""

from __future__ import annotations

from multideid.resynthesis.corpus import Resynthesis, resynthesize
from multideid.resynthesis.model_types import ModelTypes, blanked
from multideid.resynthesis.placeholder_types import (
    PlaceholderReport,
    Source,
    TypedPlaceholder,
    annotated,
    types_by_rules,
)
from multideid.resynthesis.placeholders import Placeholder, find_placeholders
from multideid.resynthesis.styles import STYLES, Style, make_vocabulary, seeded_key
from multideid.resynthesis.typing_styles import TYPING_STYLES, retype

__all__ = [
    "STYLES",
    "TYPING_STYLES",
    "ModelTypes",
    "Placeholder",
    "PlaceholderReport",
    "Resynthesis",
    "Source",
    "Style",
    "TypedPlaceholder",
    "annotated",
    "blanked",
    "find_placeholders",
    "make_vocabulary",
    "resynthesize",
    "retype",
    "seeded_key",
    "types_by_rules",
]
