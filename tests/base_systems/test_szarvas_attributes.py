"""Szarvas's attributes: numbers for nominal values, frequencies, trusted phrases."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from multideid.base_systems.szarvas.attributes import learn_attributes
from multideid.base_systems.szarvas.coding import Coding, learn_coding
from multideid.base_systems.szarvas.examples import Examples
from multideid.base_systems.szarvas.features import TRIGGERS, WORD_ITSELF, all_templates
from multideid.base_systems.szarvas.frequencies import Frequencies
from multideid.base_systems.szarvas.phrases import Phrases
from multideid.base_systems.szarvas.trusted import Headings, trusted_columns
from multideid.document import Document, Span
from multideid.features.extractor import FeatureExtractor
from multideid.text.bio import bio_names, encode_bio
from multideid.text.table import TokenTable

LABELS = ("DOCTOR", "PATIENT")


def note(marked: str, name: str = "d") -> Document:
    """Make a document of a text in which ``[...]`` marks doctors and ``{...}`` patients."""
    text, spans, start = "", [], 0
    for character in marked:
        if character in "[{":
            start = len(text)
        elif character in "]}":
            spans.append(Span(start, len(text), "DOCTOR" if character == "]" else "PATIENT"))
        else:
            text += character
    return Document(name, text, tuple(spans))


def examples(*marked: str) -> tuple[FeatureExtractor, Examples]:
    documents = [note(text, str(n)) for n, text in enumerate(marked)]
    table = TokenTable.from_documents(documents)
    extractor = FeatureExtractor(all_templates())
    features = extractor.fit_transform(table)
    return extractor, Examples.of(features, table, encode_bio(table, documents, LABELS))


def codes(coding: Coding, given: Examples) -> dict[str, list[float]]:
    words = given.tokens.words()
    columns = coding.transform(given.features)
    return {word: columns[n].tolist() for n, word in enumerate(words)}


def test_values_of_one_label_have_numbers_side_by_side() -> None:
    extractor, given = examples("the {Ann} a [Lee] the {Bo} a [May] the {Ann} of [Lee]")
    counts = given.counts(np.ones(len(given.tags), dtype=np.bool_))
    coding = learn_coding(extractor, WORD_ITSELF, lambda _: counts, 10)
    order = sorted(codes(coding, given).items(), key=lambda pair: pair[1])
    labels = {"the": 0, "a": 0, "of": 0, "Lee": 1, "May": 1, "Ann": 2, "Bo": 2}
    found = [labels[word] for word, _ in order]
    assert found == sorted(found)
    assert coding.width == 1


def test_only_the_most_informative_values_are_coded() -> None:
    extractor, given = examples("the {Ann} a {Ann} of {Ann} or {Ann} x")
    counts = given.counts(np.ones(len(given.tags), dtype=np.bool_))
    coding = learn_coding(extractor, WORD_ITSELF, lambda _: counts, 1)
    assert [word for word, code in codes(coding, given).items() if code[0]] == ["Ann"]


def test_phrase_triggers_are_counted_at_the_edges_of_phrases_only() -> None:
    extractor, given = examples(*["seen by [Ann Lee May] , M"] * 3)
    triggers = {
        variant: learn_attributes(extractor, given, [variant], 50).triggers[0]
        for variant in TRIGGERS
    }
    assert triggers["token"].width == len(TRIGGERS["token"]())
    # "Lee" directly precedes "May", which begins no phrase.
    column = [template.name for template in TRIGGERS["phrase"]()].index("lower[-1]")
    assert codes(triggers["token"], given)["May"][3] > 0
    assert codes(triggers["phrase"], given)["May"][column] == 0
    assert codes(triggers["phrase"], given)["Ann"][column] > 0


def test_last_words_of_phrases_are_attributes_of_the_three_tokens_before() -> None:
    extractor, given = examples(*["at [Mercy General Hospital] it ."] * 2)
    shared = learn_attributes(extractor, given, ["token"], 50).shared
    ends = shared.suffixes.transform(given.features)[:, 0]
    columns = shared.columns(given.features, given.tokens)
    start = shared.surface.width
    assert ends[3] > 0
    assert [columns[3 - n, start + n] for n in range(4)] == [ends[3]] * 4


def test_a_documents_own_words_do_not_count_for_it_in_training() -> None:
    texts = ["Ann saw ann. The Ann", "ann the", "Ann Ann the lab"]
    tables = TokenTable.from_texts(texts)
    outside = np.arange(len(tables)) % 2 == 0
    counted = Frequencies.count(tables, outside).columns(tables, outside)
    for d in range(len(texts)):
        others = [n for n in range(len(texts)) if n != d]
        rest = tables.select(others)
        expected = Frequencies.count(rest, outside[tables.rows(others)])
        alone = expected.columns(TokenTable.from_texts([texts[d]]))
        np.testing.assert_array_equal(counted[tables.rows([d])], alone)


def test_frequencies_of_an_unknown_word_are_none() -> None:
    table = TokenTable.from_texts(["a b. C d"])
    counts = Frequencies.count(table, np.ones(len(table), dtype=np.bool_))
    assert counts.columns(TokenTable.from_texts(["zz"])).tolist() == [[0, -1, -1, -1]]


def headings(*marked: str) -> tuple[TokenTable, Phrases, Headings]:
    documents = [note(text, str(n)) for n, text in enumerate(marked)]
    table = TokenTable.from_documents(documents)
    labels = encode_bio(table, documents, LABELS)
    assert labels.names == bio_names(LABELS)
    phrases = Phrases.of_tags(labels.ids, table.document)
    return table, phrases, Headings.learn(table, phrases)


def test_a_heading_is_unambiguous_if_its_phrases_have_one_label() -> None:
    lines = ["Name: {Ann Lee}\nBy: [Bo May]\nRe: {Al Orr}\n"] * 4
    _, _, found = headings(*lines, "Name: {Ann Lee}\nBy: [Bo May]\nRe: [Al Orr]")
    assert dict(zip(found.names, found.label.tolist(), strict=True)) == {"name": 2, "by": 1}


def test_four_phrases_vouch_for_no_heading() -> None:
    assert headings(*["Name: {Ann Lee}\n"] * 4)[2].names == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("told ANN LEE so", [[0, 0, 0], [2, 0, 0], [2, 0, 0], [0, 0, 0]]),
        ("told AL so", [[0, 0, 0], [0, 2, 0], [0, 0, 0]]),
        ("Mr. Lee", [[0, 0, 0], [0, 0, 0], [0, 0, 2]]),
    ],
)
def test_trusted_phrases_are_recognised_elsewhere(text: str, expected: list[list[int]]) -> None:
    documents = [f"Name: {{Ann Lee}}\n{text}"] * 5
    table, phrases, found = headings(*documents, "Ann Lee said")
    columns = trusted_columns(table, found.trusted(table, phrases))
    first = table.rows([0])
    assert columns[first][-len(expected) :].tolist() == expected
    # Neither the phrase that is the evidence nor another document has it.
    assert not columns[first][: -len(expected)].any()
    assert not columns[table.rows([5])].any()


def test_a_coding_without_features_has_columns_all_the_same() -> None:
    coding = Coding(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32), 3)
    assert coding.transform(sparse.csr_matrix((2, 0), dtype=np.float32)).tolist() == [[0] * 3] * 2
