"""A table of word classes gives every word the classes it was built with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from multideid.knowledge.word_classes import CLASSES, WordClasses, bundled_word_classes

WORDS = st.text(st.sampled_from("abé\u0301\U0001f600\ud800"), max_size=4)


@given(st.dictionaries(st.sampled_from(CLASSES), st.lists(WORDS, max_size=6)), st.lists(WORDS))
def test_the_bits_of_a_word_are_its_classes(
    classes: dict[str, list[str]], others: list[str]
) -> None:
    table = WordClasses.build(classes)
    known = {word for words in classes.values() for word in words}
    assert len(table) == len(known)
    for word in [*known, *others]:
        expected = sum(1 << n for n, name in enumerate(CLASSES) if word in classes.get(name, ()))
        assert table.bits(word) == expected


def test_a_saved_table_is_the_same(tmp_path: Path) -> None:
    table = WordClasses.build({"given": ["ada", "zoë"], "common": ["ada", "and"]})
    table.save(tmp_path / "words.npz")
    read = WordClasses.load(tmp_path / "words.npz")
    assert [read.bits(w) for w in ("ada", "and", "zoë", "zoe")] == [
        table.bits(w) for w in ("ada", "and", "zoë", "zoe")
    ]
    assert read.count("given") == 2


def test_clusters_are_those_of_the_rows_of_words(tmp_path: Path) -> None:
    fine, coarse = np.array([2, 0, 1], np.uint16), np.array([0, 7, 9], np.uint8)
    table = WordClasses.build({"given": ["ada", "zoë"], "common": ["and"]})
    clustered = table.with_clusters(fine, coarse)
    clustered.save(tmp_path / "words.npz")
    assert table.words() == ["ada", "and", "zoë"]
    for read in (clustered, WordClasses.load(tmp_path / "words.npz")):
        found = [read.clusters(word) for word in ("ada", "and", "zoë", "zoe")]
        assert found == [(2, 9), (0, 0), (1, 7), (0, 0)]
        assert read.bits("zoë") == table.bits("zoë")


def test_words_alike_in_meaning_share_bundled_clusters() -> None:
    table = bundled_word_classes()
    coarse = {word: table.clusters(word)[1] for word in ("dorchester", "newark", "kathleen")}
    assert coarse["dorchester"] == coarse["newark"] != coarse["kathleen"]
    assert table.clusters("kathleen")[0] == table.clusters("susan")[0] > 0


def test_the_bundled_table_knows_names_of_many_languages_and_clinical_words() -> None:
    table = bundled_word_classes()
    names = 1 << CLASSES.index("given") | 1 << CLASSES.index("family")
    assert all(table.bits(name) & names for name in ("müller", "wanjiru", "nkosi", "siobhan"))
    assert not any(table.bits(word) & names for word in ("metformin", "crepitus", "zosyn"))
