"""Write a document's text with its PHI masked, tagged, removed or replaced."""

from __future__ import annotations

from multideid.redact.modes import MODES, Mode, Replacer, mask, remove, tag
from multideid.redact.redaction import redact

__all__ = ["MODES", "Mode", "Replacer", "mask", "redact", "remove", "tag"]
