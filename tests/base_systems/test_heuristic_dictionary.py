"""The heuristic system: dictionaries, indicators and approximate matches."""

from __future__ import annotations

from dataclasses import replace
from time import thread_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.base_systems.heuristic_dictionary import HeuristicDictionaryTagger
from multideid.base_systems.heuristic_dictionary.codes import CodedText, code
from multideid.base_systems.heuristic_dictionary.misspellings import (
    NearMatches,
    is_misspelled_name,
)
from multideid.base_systems.heuristic_dictionary.tagger import find_phi
from multideid.document import Document, Span
from multideid.text.bio import TokenLabels, decode_bio, encode_bio
from multideid.text.table import TokenTable

FINDS = [
    ("Seen by Dr. [Lopez] today.", "DOCTOR"),
    ("Seen by Dr. [A. Heart] today.", "DOCTOR"),
    ("Mrs. [Van Dyke-Olson] slept.", "TITLED"),
    ("[Kaur Dhillon], MD", "WITH CREDENTIALS"),
    ("his daughter [Zsuzsa Xqvrt] was told", "NAME INDICATED"),
    ("health care proxy [Lopez]", "NAME INDICATED"),
    ("PATIENT NAME: [XQVRT], [ZSUZSA]", "NAME LABELLED"),
    ("He lives in [Xqvrtville] alone", "LOCATION INDICATED"),
    ("brought from [Chicago] by car", "PLACE"),
    ("at [Xqvrt Memorial Hospital] since", "HOSPITAL"),
    ("at [St. Xqvrt's Hospital] since", "HOSPITAL"),
    ("home at [12 Xqvrt Street]", "STREET"),
    ("then [Susan Smith] left", "FULL NAME"),
    ("told [Gutierrez] again", "NAME"),
    ("told [Gutierrrez] again", "MISSPELLED NAME"),
    ("on [3/4/2005] and", "DATE"),
    ("on [March 3rd, 2005] and", "DATE IN WORDS"),
    ("on [3/4/2150] and", "DATE"),
    ("on [2150-3-4] and", "DATE"),
    ("on [99/14/3] and", "DATE"),
    ("on [March 3rd, 2150] and", "DATE IN WORDS"),
    ("on [3 March 2150] and", "DATE IN WORDS"),
    ("in [3/2150] and", "MONTH AND YEAR"),
    ("at [Xqvrtville, MA 02115-1234] now", "CITY AND ZIP"),
    ("call [617-555-1234] now", "PHONE"),
    ("pager [51234] now", "PAGER"),
    ("MRN: [1234567]", "LABELLED ID"),
    ("a [92]-year-old", "AGE"),
]

NOTHING = [
    "The patient was seen with pain and slept.",
    "using the Potts scissors and a Doyle splint",
    "Diabetes Clinic",
    "In Will and May he rose.",
    "a 45-year-old with 5 mg of 10.5",
    "Dischagre was Ascending.",
]


def found(text: str) -> list[tuple[str, str]]:
    table = TokenTable.from_texts([text])
    spans = decode_bio(table, find_phi(table))[0]
    return [(text[span.start : span.end], span.label) for span in spans]


@pytest.mark.parametrize(("marked", "label"), FINDS)
def test_a_rule_finds_its_kind_of_phi(marked: str, label: str) -> None:
    text = marked.replace("[", "").replace("]", "")
    expected = marked[marked.index("[") : marked.rindex("]")].replace("[", "").replace("]", "")
    assert found(text) == [(expected, label)]


@pytest.mark.parametrize("text", NOTHING)
def test_common_words_are_never_phi_by_themselves(text: str) -> None:
    assert found(text) == []


@given(st.lists(st.text("abc", min_size=1, max_size=6), max_size=5), st.text("abc", max_size=6))
def test_the_index_finds_all_entries_within_one_edit(entries: list[str], word: str) -> None:
    from rapidfuzz.distance import OSA

    near = any(OSA.distance(word, entry) <= 1 for entry in entries)
    assert (word in NearMatches(entries)) == near


def test_a_word_as_near_to_a_common_word_is_no_misspelled_name() -> None:
    assert is_misspelled_name("gutierrrez")
    assert not is_misspelled_name("dischagre")
    assert not is_misspelled_name("xqvrtzz")


@pytest.mark.parametrize(
    ("word", "character"),
    [("Susan", "F"), ("Gutierrez", "N"), ("Will", "G"), ("Brown", "B"), ("Diabetes", "C"),
     ("the", "a"), ("7", "1"), ("24", "2"), ("95", "9"), ("1987", "y"), ("COPD", "K"),
     ("Xqvrt", "U"), ("\r\n", "\n"), ("%", "?")],
)  # fmt: skip
def test_a_word_is_coded_by_its_dictionary_entry(word: str, character: str) -> None:
    assert code(word) == character


@given(st.lists(st.text(max_size=30), max_size=3))
def test_any_text_is_coded_a_character_a_token(texts: list[str]) -> None:
    table = TokenTable.from_texts(texts)
    coded = CodedText.of(table)
    assert coded.row[coded.row >= 0].tolist() == list(range(len(table)))
    assert len(coded.string) == len(table) + len(texts)


def test_nothing_is_found_across_documents() -> None:
    assert not (find_phi(TokenTable.from_texts(["Seen by Dr.", "Xqvrt"])).ids > 0).any()


def test_rules_that_are_mostly_wrong_in_a_corpus_are_left_out() -> None:
    notes = [Document("a", "Dr. Lopez on 3/4/2005", (Span(4, 9, "WHO"),))]
    table = TokenTable.from_documents(notes)
    tagger = HeuristicDictionaryTagger().fit(table, encode_bio(table, notes, ("WHEN", "WHO")))
    assert tagger.mapping_.pairs == {"DOCTOR": "WHO"}
    ids = tagger.predict_scores(table).argmax(axis=1).astype(np.int32)
    assert decode_bio(table, TokenLabels(ids, tagger.labels_)) == [notes[0].spans]


def test_words_replaced_in_augmentation_are_read_as_written() -> None:
    table = TokenTable.from_texts(["flown from New York to Chicago"])
    masked = replace(table, vocabulary=(*table.vocabulary, "zzz"), memo={},
                     type=np.full_like(table.type, len(table.vocabulary)))  # fmt: skip
    assert find_phi(masked).ids.tolist() == find_phi(table).ids.tolist()
    assert (find_phi(table).ids > 0).sum() == 3


@pytest.mark.parametrize("piece", ["Smith ", "A. ", "1-", "Smith-", "Pain Hospital "])
def test_long_runs_take_no_longer_than_others(piece: str) -> None:
    start = thread_time()
    find_phi(TokenTable.from_texts([piece * 20_000]))
    assert thread_time() - start < 3
