"""Names of notes that come without one, or with one that other notes may have too."""

from __future__ import annotations

import hashlib


def note_name(text: str) -> str:
    """Return a name that a note has in every batch or request, and on a worker that repeats it.

    Without a patient, surrogates follow from it: with numbers of rows, the notes of one row in
    all batches would have one patient.
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
