"""Words that have the same neighbours get the same class, and rare words get none."""

from __future__ import annotations

import random

import numpy as np
import pytest

from multideid.errors import UsageError
from multideid.features.word_clusters import LEVELS, WordClusters
from multideid.learners.neighbour_counts import SIDES, DocumentCounts, NeighbourCounts
from multideid.learners.word_clusters import clustered, learn_clusters

DRUGS = "aspirin warfarin heparin digoxin insulin metformin lisinopril furosemide".split()
TOWNS = "Quorl Brenta Mavik Sondel Tarpo Wixley Dunmor Feldin".split()


def notes(n: int = 60) -> list[str]:
    """Write notes in which drugs and towns each have neighbours of their own."""
    pick = random.Random(0)
    lines = "Started on {} 5 mg daily.\nShe lives in {} with her sister.\n"
    return [lines.format(pick.choice(DRUGS), pick.choice(TOWNS)) * 2 for _ in range(n)]


def learned(texts: list[str], **settings: int) -> WordClusters:
    return learn_clusters(lambda: texts, **settings)


def classes(clusters: WordClusters, words: list[str], level: str = "fine") -> set[str]:
    return {clusters.class_of(word, level) for word in words}


def test_words_with_the_same_neighbours_share_a_class() -> None:
    clusters = learned(notes(), min_documents=2)
    drugs, towns = classes(clusters, DRUGS), classes(clusters, TOWNS)
    assert "" not in drugs | towns
    assert (len(drugs), len(towns)) == (1, 1)
    assert drugs != towns


def test_words_of_few_notes_are_left_out() -> None:
    texts = [*notes(), *["She lives in Zanderly with her sister.\n" * 9] * 4]
    assert "zanderly" not in learned(texts).words
    assert "zanderly" in learned(texts, min_documents=4).words


def test_a_word_counts_once_a_note_in_any_case() -> None:
    counts = DocumentCounts()
    counts.add(["Rash RASH rash", "rash 12", ""])
    assert counts.counts == {"rash": 2, "00": 1}
    assert counts.n_documents == 3


def test_numbers_and_marks_are_neighbours_but_have_no_class() -> None:
    words = learned(notes(), min_documents=2).words
    assert all(word.isalpha() for word in words)


def test_neighbours_are_counted_by_side_within_the_line() -> None:
    counts = NeighbourCounts(["b"], ["a", "c"])
    counts.add(["a b c\nc b"])
    sides = counts.matrix.toarray().reshape(len(SIDES), 3)
    # The first line's end is a token, two to the right of its b, and no context here.
    assert sides.tolist() == [[0, 0, 2], [1, 1, 0], [0, 1, 1], [0, 0, 1]]


def test_the_order_of_notes_does_not_matter() -> None:
    texts = notes()
    assert learned(texts, seed=3) == learned(texts[::-1], seed=3)


def test_classes_are_nested_and_none_is_empty() -> None:
    clusters = learned(notes(), min_documents=2, classes=4)
    assert set(clusters.fine.tolist()) == set(range(len(clusters.middle)))
    pairs = set(zip(clusters.middle.tolist(), clusters.coarse.tolist(), strict=True))
    assert len(pairs) == len(set(clusters.middle.tolist()))


def test_words_without_neighbours_have_a_class() -> None:
    counts = NeighbourCounts(list("abcd"), ["x"]).matrix
    found = clustered(list("abcd"), counts, 2, 0)
    assert all(found.class_of(word, level) for word in "abcd" for level in LEVELS)
    assert np.isin(found.fine, [0, 1]).all()


@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        ({"min_documents": 1}, "min_documents must be from 2 to"),
        ({"classes": 1}, "classes must be from 2 to 4,096; got 1"),
        ({"max_words": 100_001}, "max_words must be from 100 to 100,000; got 100,001"),
        ({"seed": -1}, "seed must be from 0 to"),
        ({"min_documents": 50}, "words are in at least 50 of the 3 notes"),
    ],
)
def test_errors_name_the_rule(settings: dict[str, int], rule: str) -> None:
    with pytest.raises(UsageError, match=rule):
        learned(notes(3), **settings)


def test_progress_counts_notes() -> None:
    seen: list[tuple[int, int | None]] = []
    learn_clusters(notes, progress=lambda done, total, _: seen.append((done, total)))
    assert seen == [(60, None), (60, 60)]
