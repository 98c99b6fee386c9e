"""Augmentation replaces words of the same form, and base systems score the result."""

from __future__ import annotations

import numpy as np
import pytest
from template_notes import sample_corpus

from multideid.features.strings import capitalization
from multideid.stacking.augmentation import (
    AUGMENTATIONS,
    Augmentation,
    word_dropout,
    word_replacement,
)
from multideid.stacking.stacker import Stacker
from multideid.taggers.registry import make_system
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable

DOCUMENTS = sample_corpus(6, seed=4)
TOKENS = TokenTable.from_documents(DOCUMENTS)


def test_only_the_given_share_of_words_is_replaced() -> None:
    words, changed = TOKENS.words(), word_dropout(TOKENS, 0.6, seed=1).words()
    pairs = list(zip(words, changed, strict=True))
    assert all(a == b for a, b in pairs if not a.isalnum())
    assert 0.5 < np.mean([a != b for a, b in pairs if a.isalpha()]) < 0.7
    assert 0.4 < np.mean([a != b for a, b in pairs if a.isdecimal()]) < 0.7


def test_unknown_words_keep_their_length_and_capitals_and_numbers_stay_numbers() -> None:
    pairs = zip(TOKENS.words(), word_dropout(TOKENS, 0.6, seed=1).words(), strict=True)
    for word, other in pairs:
        if word.isdecimal():
            assert other.isdecimal()
        else:
            assert [c.isupper() for c in word] == [c.isupper() for c in other]


def test_replaced_words_are_words_of_the_text_with_the_same_capitalisation() -> None:
    words, changed = TOKENS.words(), word_replacement(TOKENS, 0.6, seed=1).words()
    pairs = list(zip(words, changed, strict=True))
    assert 0.5 < np.mean([a != b for a, b in pairs if a.isalpha()]) < 0.7
    assert set(changed) <= set(words)
    for word, other in pairs:
        assert word.isalnum() or word == other
        assert not word.isalnum() or capitalization(word) == capitalization(other)


@pytest.mark.parametrize("augment", AUGMENTATIONS)
def test_rules_see_no_change_since_texts_and_offsets_stay_the_same(augment: Augmentation) -> None:
    other = augment(TOKENS, seed=1)
    assert other.texts == TOKENS.texts
    assert np.array_equal(other.start, TOKENS.start)
    assert other.memo == {}
    rules = make_system("mimic").fit(TOKENS, encode_bio(TOKENS, DOCUMENTS))
    assert np.array_equal(rules.predict_scores(other), rules.predict_scores(TOKENS))


@pytest.mark.parametrize("augment", AUGMENTATIONS)
def test_replaced_words_depend_on_the_seed(augment: Augmentation) -> None:
    first, again, other = (augment(TOKENS, seed).words() for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("augment", AUGMENTATIONS)
def test_a_table_without_tokens_stays_empty(augment: Augmentation) -> None:
    assert len(augment(TokenTable.from_texts([""]), seed=1)) == 0


def test_tokens_of_augmented_text_have_the_weight_of_the_augmentation() -> None:
    labels = encode_bio(TOKENS, DOCUMENTS)
    scores = [make_system("mimic").fit(TOKENS, labels).predict_scores(TOKENS)]
    part = np.ones(len(TOKENS), dtype=np.bool_)
    training_set = Stacker().training_set(
        TOKENS, labels, scores, [scores] * len(AUGMENTATIONS), part
    )
    n_candidates = len(training_set.weights) // (1 + len(AUGMENTATIONS))
    assert n_candidates > 0
    assert training_set.weights.tolist() == np.repeat([1.0, 1.0, 0.25], n_candidates).tolist()
