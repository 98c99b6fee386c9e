"""Rules read no-break spaces, hyphens and accents of any encoding, with exact offsets."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.base_systems.mimic import NATIVE_LABELS, MimicTagger, find_phi
from multideid.base_systems.mimic.finder import find_in_batch
from multideid.base_systems.mimic.plain_text import joined_places, plain_text
from multideid.document import Document
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable

ACCENTS = [
    "Mr. Müller, Dr. José Muñoz and Dr. Ağca came; later Müller left.",
    "His wife, Ștefania Popescu, and Mrs. Éva Ångström",
    "Dr. ŠIMIĆ, am 3. März 2004, Hôpital Général de Montréal",
]
ODD = "\u00a0\u2007\u202f\u2010\u2011\u2012\u2013\u0301\u0308é-. aA\n3"


def _covered(text: str) -> list[tuple[str, str]]:
    spans = find_phi(text)
    return [(unicodedata.normalize("NFC", text[s.start : s.end]), s.label) for s in spans]


@pytest.mark.parametrize("text", ACCENTS)
def test_decomposed_letters_change_nothing(text: str) -> None:
    assert _covered(unicodedata.normalize("NFD", text)) == _covered(text) != []


def test_marks_without_a_composed_letter_are_part_of_the_name() -> None:
    text = "Dr. Smi\u030cth\u0323\u0301son called"
    assert [text[s.start : s.end] for s in find_phi(text)] == ["Smi\u030cth\u0323\u0301son"]


def test_notes_of_a_batch_keep_their_offsets() -> None:
    texts = ["Mr. Lee", *(unicodedata.normalize("NFD", text) for text in ACCENTS), "", "Dr. Lee"]
    table = TokenTable.from_texts(texts)
    assert find_in_batch(table) == [find_phi(text) for text in texts]


def test_tokens_of_decomposed_names_are_tagged() -> None:
    texts = [unicodedata.normalize("NFD", text) for text in ACCENTS]
    documents = [Document(str(n), text, find_phi(text)) for n, text in enumerate(texts)]
    table = TokenTable.from_documents(documents)
    expected = encode_bio(table, documents, NATIVE_LABELS)
    assert MimicTagger()._native(table).ids.tolist() == expected.ids.tolist()


@given(st.text(ODD + "\u0327", max_size=30))
def test_each_character_has_its_place_in_the_original(text: str) -> None:
    plain, places = plain_text(text)
    if places is None:
        assert len(plain) == len(text)
        return
    assert len(places) == len(plain) + 1
    assert (places[0], places[-1]) == (0, len(text))
    for n, letter in enumerate(plain):
        original = text[places[n] : places[n + 1]]
        assert plain_text(original).text == letter


@given(st.lists(st.text(ODD, max_size=8), min_size=1))
def test_places_of_joined_notes_are_those_of_the_joined_originals(texts: list[str]) -> None:
    notes = list(map(plain_text, texts))
    places = joined_places(notes)
    joined = "\x1f".join(texts)
    plain = "\x1f".join(note.text for note in notes)
    if places is None:
        assert len(plain) == len(joined)
        return
    assert [n for n, c in enumerate(joined) if c == "\x1f"] == [
        places[n] for n, c in enumerate(plain) if c == "\x1f"
    ]
    assert places[-1] == len(joined)


@given(st.text(st.characters(codec="utf-8"), max_size=200))
def test_spans_lie_in_the_text(text: str) -> None:
    for found in (f"Dr. {text} called", f"Mr. Lee\u0301 {text}"):
        assert all(0 <= s.start < s.end <= len(found) for s in find_phi(found))
