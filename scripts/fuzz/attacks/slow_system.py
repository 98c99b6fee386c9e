"""A base system that takes its time, so that kills hit the middle of a run."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from multideid.document import Document

MARK = "MULTIDEID_SLOW_MARK"
"""The environment variable with a file to make when the first note comes."""

_SECONDS = 0.02
_KINDS = {"DOCTOR": r"Dr\. ([A-Z][a-z]+)", "DATE": r"(\d+/\d+/\d{4})", "ID": r"(B-\d{4})"}


class Slow:
    """Finds doctors, dates and badge numbers by their form."""

    summary = "Doctors, dates and badge numbers, slowly."

    def tag(self, document: Document) -> list[tuple[int, int, str]]:
        """Return the spans of a note, after a while."""
        if mark := os.environ.get(MARK):
            Path(mark).touch()
        time.sleep(_SECONDS)
        found = (
            (*match.span(1), label)
            for label, form in _KINDS.items()
            for match in re.finditer(form, document.text)
        )
        return sorted(found)
