"""Vocabularies of the styles: shuffled, ambiguous and out-of-dictionary names."""

from __future__ import annotations

import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.redact.invented.name_pools import pool
from multideid.redact.invented.vocabulary import WordKind
from multideid.redact.keys import Key
from multideid.redact.spelling import fold, words_of
from multideid.resynthesis import resynthesize, seeded_key
from multideid.resynthesis.ambiguous import Ambiguous
from multideid.resynthesis.out_of_dictionary import OutOfDictionary, is_listed
from multideid.resynthesis.segments import words_outside
from multideid.resynthesis.shuffled import Shuffled, syllables

KEY = Key.from_secret(b"the key of these tests")
key_of = cache(seeded_key)  # Deriving a key is slow on purpose.


@settings(max_examples=30)
@given(
    st.sampled_from(WordKind),
    st.sampled_from(["", *"ABCDEFGHJKLMNPRSTVWQXZ"]),
    st.integers(0, 10_000),
    st.sampled_from(["en", "es"]),
)
def test_out_of_dictionary_words_are_in_no_list(
    kind: WordKind, initial: str, n: int, language: str
) -> None:
    new = OutOfDictionary(language).word(kind, "alder", initial, KEY.draw(str(n)))
    assert not any(is_listed(word) for word in words_of(new))


def test_no_word_of_out_of_dictionary_phi_is_in_a_list() -> None:
    text = "Martha Alder Boston MA France Birch"
    labels = ["PATIENT", "PATIENT", "LOCATION", "LOCATION", "LOCATION", "HOSPITAL"]
    spans = [Span(*m.span(), x) for m, x in zip(re.finditer(r"\w+", text), labels, strict=True)]
    for seed in range(4):
        (new,) = resynthesize([Document("n", text, spans)], "out-of-dictionary", key_of(seed))
        assert not any(is_listed(word) for word in words_of(new.text))


def test_lists_hold_words_of_phrases_whatever_their_case_and_accents() -> None:
    assert all(map(is_listed, ("York", "SUSAN", "León", "foley", "Hermosillo")))
    assert not is_listed("Ymfgkstjj")


@cache
def letters_of(kind: WordKind) -> set[str]:
    return {"".join(sorted(fold(name))) for name in pool(kind, "en")[""]}


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.sampled_from([WordKind.FEMALE, WordKind.LAST]))
def test_shuffled_names_have_the_syllables_of_a_name(n: int, kind: WordKind) -> None:
    new = Shuffled("en").word(kind, "alder", "B", KEY.draw(str(n)))
    assert new[0] == "B"
    assert "".join(sorted(new.lower())) in letters_of(kind)


@pytest.mark.parametrize("name", ["Walker", "Yolanda", "Aaron", "Smith", "Peña", "Ng"])
def test_syllables_joined_are_the_word(name: str) -> None:
    assert "".join(syllables(name)) == name


def test_ambiguous_names_are_words_of_the_corpus_if_it_has_enough() -> None:
    words = frozenset(fold(name) for name in pool(WordKind.LAST, "en")[""][:40])
    words |= {"hill", "long", "rose", "bell", "brown", "may", "grace", "swan", "foley", "hart"}
    words |= {"wood", "stone", "cook", "price", "banks", "berry", "church", "day", "frost"}
    vocabulary = Ambiguous("en", words)
    new = {vocabulary.word(WordKind.LAST, "alder", "", KEY.draw(str(n))) for n in range(60)}
    assert len(new) > 8
    assert {fold(name) for name in new} <= words


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_kind_has_ambiguous_names_even_in_an_empty_corpus(language: str) -> None:
    vocabulary = Ambiguous(language)
    for n, kind in enumerate(WordKind):
        assert vocabulary.word(kind, "alder", "", KEY.draw(str(n)))
    assert len(vocabulary.initials) > 5


def test_words_outside_exclude_phi() -> None:
    document = Document("n", "Hill saw Mr. Hill, Alder", [Span(13, 17, "PATIENT")])
    assert words_outside([document]) == {"hill", "saw", "mr", "alder"}
