"""IdentiFinder's word features, back-off and search are those of Bikel et al. (1999)."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from multideid.base_systems.identifinder import IdentifinderTagger
from multideid.base_systems.identifinder.counts import CountTable, Level, interpolated
from multideid.base_systems.identifinder.features import WORD_FEATURES, word_feature_codes
from multideid.base_systems.identifinder.lattice import Lattice
from multideid.base_systems.identifinder.symbols import BEGIN_PAIR
from multideid.document import Document, Span
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable

NAMES = ("Hart", "Lee", "Boyd", "Pace", "Dunn", "Cole")
NOTES = [
    Document(name, f"Seen by Dr. {name} today.\nNo pain.", (Span(12, 12 + len(name), "DOCTOR"),))
    for name in NAMES
]

# The paper's own examples, in sentences that begin with something else.
FEATURES = [
    ("in 90", "twoDigitNum"),
    ("in 1990", "fourDigitNum"),
    ("in A8956-67", "containsDigitAndAlpha"),
    ("in 09-96", "containsDigitAndDash"),
    ("in 11/9/89", "containsDigitAndSlash"),
    ("in 23,000.00", "containsDigitAndComma"),
    ("in 1.00", "containsDigitAndPeriod"),
    ("in 456789", "otherNum"),
    ("in BBN", "allCaps"),
    ("in M.", "capPeriod"),
    ("Sally", "firstWord"),
    ("in Sally", "initCap"),
    ("in can", "lowerCase"),
    ("in ,", "other"),
]


@pytest.fixture(scope="module")
def tagger() -> IdentifinderTagger:
    table = TokenTable.from_documents(NOTES)
    return IdentifinderTagger().fit(table, encode_bio(table, NOTES))


def features(text: str) -> list[str]:
    return [WORD_FEATURES[n] for n in word_feature_codes(TokenTable.from_texts([text])).tolist()]


@pytest.mark.parametrize(("text", "feature"), FEATURES)
def test_a_word_has_the_feature_of_the_papers_table(text: str, feature: str) -> None:
    assert features(text)[text.startswith("in ")] == feature


def test_all_features_of_the_table_are_tried() -> None:
    assert tuple(feature for _, feature in FEATURES) == WORD_FEATURES


def test_pieces_of_a_number_share_its_feature_and_the_mark_behind_it_does_not() -> None:
    slashed = "containsDigitAndSlash"
    assert features("on 11/9/89.")[1:] == [slashed] * 5 + ["other"]


def test_a_first_word_of_capitals_or_digits_keeps_its_own_feature() -> None:
    assert [features(text)[0] for text in ("BBN said", "1990 was")] == ["allCaps", "fourDigitNum"]


def test_the_weight_of_a_level_grows_with_its_sample_and_falls_with_its_variety() -> None:
    total, distinct = np.array([10.0]), np.array([5.0])
    level = Level.of(np.array([4.0]), total, distinct)
    assert level.weight()[0] == pytest.approx(1 / (1 + 5 / 10))
    below = Level.of(np.array([4.0]), total, distinct, used=np.array([4.0]))
    assert below.weight()[0] == pytest.approx((1 - 4 / 10) / (1 + 5 / 10))


def test_a_level_without_sample_leaves_all_to_those_below() -> None:
    none = Level.of(np.zeros(1), np.zeros(1), np.zeros(1))
    some = Level.of(np.array([3.0]), np.array([3.0]), np.array([1.0]))
    mixed = 0.75 * 1 + 0.25 * 0.5
    assert interpolated([none, some], 0.5)[0] == pytest.approx(mixed)


def test_counts_of_unknown_keys_are_zero() -> None:
    table = CountTable.of(np.array([7, 3, 7]), np.array([1, 0, 1]), np.ones(3, dtype=int), 2)
    assert table.rows(np.array([3, 5, 7, 9])).tolist() == [[1, 0], [0, 0], [0, 2], [0, 0]]


@pytest.mark.parametrize("which", ["known", "unknown"])
def test_probabilities_of_all_words_and_of_all_moves_add_up_to_one(
    tagger: IdentifinderTagger, which: str
) -> None:
    model = getattr(tagger.models_, which)
    every = np.arange(tagger.vocabulary_.n_pairs)
    before = tagger.vocabulary_.pairs(TokenTable.from_texts(["Dr. Zorro"]))
    for previous in (*before.tolist(), BEGIN_PAIR):
        inside = model.next_word(np.full(len(every), previous), every)
        np.testing.assert_allclose(inside.sum(axis=0), 1)
    np.testing.assert_allclose(model.first_word(every).sum(axis=0), 1)
    np.testing.assert_allclose(model.next_class(np.arange(5)).sum(axis=2), 1)


def test_an_unknown_name_is_found_by_its_feature_and_its_place(tagger: IdentifinderTagger) -> None:
    table = TokenTable.from_texts(["Seen by Dr. Zorro today.\nNo pain."])
    found = tagger.predict_scores(table).argmax(axis=1)
    assert [word for word, tag in zip(table.words(), found, strict=True) if tag] == ["Zorro"]


def lattice(n_tokens: int, n_classes: int) -> Lattice:
    """A line of tokens with random transition probabilities."""
    dice = np.random.default_rng(n_tokens)
    stay, leave = dice.random((n_tokens, n_classes)), dice.random((n_tokens, n_classes))
    left = np.append(dice.random((n_tokens, n_classes)), np.zeros((n_tokens, 1)), axis=1)
    stay[0], left[0] = 0, [0] * n_classes + [1]
    moves, first = dice.random((2, n_tokens, n_classes + 1, n_classes))
    first[:, 0, 0] = 0
    rows = np.arange(n_tokens)
    return Lattice(stay, left, moves, first, rows, rows, leave)


def ways(steps: Lattice) -> dict[tuple[int, ...], float]:
    """The probability of every way, by the tags on it."""
    n_tokens, n_classes = steps.stay.shape
    found = {}
    for way in product(range(n_classes), (True, False), repeat=n_tokens):
        classes, enters = way[::2], way[1::2]
        p, before = 1.0, n_classes
        for t, (c, enter) in enumerate(zip(classes, enters, strict=True)):
            moved = steps.left[t, before] * steps.moves[t, before, c] * steps.first[t, before, c]
            p *= moved if enter else steps.stay[t, c] * (before == c)
            before = c
        tags = tuple(2 * c - e if c else 0 for c, e in zip(classes, enters, strict=True))
        found[tags] = found.get(tags, 0.0) + p * steps.leave[-1, before]
    return found


@pytest.mark.parametrize("n_tokens", [1, 3])
def test_viterbi_finds_the_best_of_all_paths(n_tokens: int) -> None:
    from multideid.base_systems.identifinder.decoding import best_tags, posteriors

    steps = lattice(n_tokens, 3)
    every, starts = ways(steps), np.zeros(1, dtype=np.int64)
    assert tuple(best_tags(steps, starts).tolist()) == max(every, key=every.__getitem__)
    expected = np.zeros((n_tokens, 5))
    for tags, p in every.items():
        expected[np.arange(n_tokens), tags] += p / sum(every.values())
    np.testing.assert_allclose(posteriors(steps, starts), expected)
