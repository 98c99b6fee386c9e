"""Corpora made again with invented PHI, to measure on (Sibanda & Uzuner 2006, 3)."""

from __future__ import annotations

from multideid.redact.resynthesis.by_model import ModelTypes, blanked
from multideid.redact.resynthesis.placeholder_types import (
    PlaceholderReport,
    ToldBy,
    Typed,
    annotated,
    types_by_rules,
)
from multideid.redact.resynthesis.placeholders import Placeholder, find_placeholders
from multideid.redact.resynthesis.resynthesis import Resynthesis, resynthesize
from multideid.redact.resynthesis.styles import STYLES, Style, make_vocabulary, seeded_key

__all__ = [
    "STYLES",
    "ModelTypes",
    "Placeholder",
    "PlaceholderReport",
    "Resynthesis",
    "Style",
    "ToldBy",
    "Typed",
    "annotated",
    "blanked",
    "find_placeholders",
    "make_vocabulary",
    "resynthesize",
    "seeded_key",
    "types_by_rules",
]
