"""What the notes of experiments say of a corpus."""

from __future__ import annotations

from multideid.document import Document
from multideid.eval.experiments import Corpus

SPAN = (4, 7, "DOCTOR")
NOTE = Document("a", "Dr. Lee was here.", (SPAN,))
OTHER = Document("b", "Dr. Ann was here.", (SPAN,))


def test_test_documents_that_were_learned_from_are_noted_whatever_their_ids() -> None:
    again = Document("c", NOTE.text, (SPAN,))
    assert Corpus("ward", (NOTE,), (OTHER,)).overlap_note() is None
    (note, *_) = Corpus("ward", (NOTE,), (again, OTHER)).notes()
    assert note == (
        "ward: 1 of 2 test documents have the text of a training document, so that the scores are "
        "too high"
    )


def test_empty_documents_are_none_that_were_learned_from() -> None:
    blank = Document("x", "\n"), Document("y", "\n")
    assert Corpus("ward", (NOTE, blank[0]), (OTHER, blank[1])).overlap_note() is None
