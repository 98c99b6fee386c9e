from __future__ import annotations

import numpy as np
import pytest

from multideid.document import Document, Span
from multideid.learners.mention_replacement import Mentions, in_case_of, with_copies
from multideid.text.bio import decode_bio, encode_bio
from multideid.text.table import TokenTable


def _note(name: str, text: str, *spans: tuple[str, str]) -> Document:
    found, done = [], 0
    for mention, label in spans:
        start = text.index(mention, done)
        done = start + len(mention)
        found.append(Span(start, done, label))
    return Document(name, text, tuple(found))


NOTES = [
    _note("n1", "Seen: Ana Gil, aged 91. Ana Gil is well.", ("Ana Gil", "PATIENT"),
          ("91", "AGE"), ("Ana Gil", "PATIENT")),
    _note("n2", "LEE BO, MRN 4711, of Ulm.", ("LEE BO", "PATIENT"), ("4711", "ID"),
          ("Ulm", "LOCATION")),
    _note("n3", "Kim Oh of Bonn, MRN A-12.", ("Kim Oh", "PATIENT"), ("Bonn", "LOCATION"),
          ("A-12", "ID")),
]  # fmt: skip


def _copies(copies: int, seed: int = 0) -> tuple[TokenTable, list[tuple[Span, ...]]]:
    table = TokenTable.from_documents(NOTES)
    tokens, labels = with_copies(table, encode_bio(table, NOTES), copies, seed)
    return tokens, decode_bio(tokens, labels)


def test_documents_stay_as_they_are_and_copies_follow() -> None:
    tokens, spans = _copies(2)
    assert tokens.ids == ("n1", "n2", "n3") * 3
    assert tokens.texts[:3] == tuple(note.text for note in NOTES)
    assert spans[:3] == [note.spans for note in NOTES]


def test_mentions_of_a_copy_are_mentions_of_the_same_label() -> None:
    known = {(s.label, n.span_text(s).casefold()) for n in NOTES for s in n.spans}
    tokens, spans = _copies(20)
    for text, own in zip(tokens.texts, spans, strict=True):
        assert {(s.label, text[s.start : s.end].casefold()) for s in own} <= known


def test_copies_differ_from_the_documents_in_their_mentions_alone() -> None:
    tokens, spans = _copies(20)
    for row, (text, own) in enumerate(zip(tokens.texts, spans, strict=True)):
        note = NOTES[row % len(NOTES)]
        assert [s.label for s in own] == [s.label for s in note.spans]
        assert _outside(text, own) == _outside(note.text, note.spans)
    assert len(set(tokens.texts)) > len(NOTES)


def _outside(text: str, spans: tuple[Span, ...]) -> list[str]:
    bounds = [0, *(place for s in spans for place in (s.start, s.end)), len(text)]
    return [text[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True)]


def test_equal_mentions_of_a_document_get_equal_ones() -> None:
    tokens, spans = _copies(20)
    for text, own in zip(tokens.texts[::3], spans[::3], strict=True):
        first, _, again = (text[s.start : s.end] for s in own)
        assert first == again


def test_mentions_with_letters_do_not_replace_numbers() -> None:
    tokens, spans = _copies(20)
    for text, own in zip(tokens.texts[1::3], spans[1::3], strict=True):
        (number,) = (text[s.start : s.end] for s in own if s.label == "ID")
        assert number == "4711"


def test_the_seed_decides() -> None:
    assert _copies(2, 1)[0].texts == _copies(2, 1)[0].texts
    assert _copies(2, 1)[0].texts != _copies(2, 2)[0].texts


def test_a_mention_of_several_lines_stays() -> None:
    note = _note("n", "At 4 Elm Rd\nUlm.", ("4 Elm Rd\nUlm", "LOCATION"))
    assert Mentions([note, *NOTES]).replaced(note, np.random.default_rng(0)) == note


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Ana Gil", "LEE BO", "Lee Bo"),
        ("ANA", "Lee", "LEE"),
        ("ana", "Lee", "lee"),
        ("Ana", "lee bo", "Lee bo"),
        ("Ulm", "USA", "USA"),
        ("J", "Lee", "Lee"),
        ("12", "34", "34"),
        ("Ana", "van Oh", "van Oh"),
        ("米", "ana", "ana"),
    ],
)
def test_the_letter_case_is_kept(old: str, new: str, expected: str) -> None:
    assert in_case_of(old, new) == expected
