"""The features of LBJ's second stage from the decisions of the first."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy import sparse
from template_notes import sample_corpus

from multideid.base_systems.lbj import LbjTagger
from multideid.base_systems.lbj.features import stage_one_features
from multideid.document import Document
from multideid.learners.chain import ChainModel
from multideid.learners.stages import out_of_fold_tags
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable

N = 3
OFFSETS = range(-3, 4)


def naive(tokens: TokenTable, decided: list[int]) -> np.ndarray:
    """Walk over the tokens, as the vectorised features do not."""
    # A lower-case word has too many other occurrences to be informative.
    words = [word if word[0].isupper() else f"{i}" for i, word in enumerate(tokens.words())]
    rows = []
    for i in range(len(tokens)):
        near = [_neighbour(tokens, decided, i + k) for k in OFFSETS]
        elsewhere = {
            decided[j]
            for j in range(len(tokens))
            if j != i and words[j] == words[i] and tokens.document[j] == tokens.document[i]
        }
        hot = [tag == near_tag for near_tag in near for tag in range(N + 1)]
        hot += [near[2] * (N + 1) + near[4] == pair for pair in range((N + 1) ** 2)]
        rows.append(hot + [tag in elsewhere for tag in range(N)])
    return np.array(rows, dtype=np.float32)


def _neighbour(tokens: TokenTable, decided: list[int], j: int) -> int:
    return decided[j] if 0 <= j < len(tokens) else N


def test_features_are_those_of_a_walk_over_the_tokens() -> None:
    tokens = TokenTable.from_texts(["Lee saw Cruz and Cruz saw Lee twice"])
    decided = np.random.default_rng(0).integers(0, N, len(tokens)).astype(np.int32)
    found = stage_one_features(tokens, decided, N)
    assert np.array_equal(found.toarray(), naive(tokens, decided.tolist()))


def test_decisions_of_another_document_are_not_seen() -> None:
    texts = ["Lee saw Cruz", "Cruz saw Lee"]
    tokens = TokenTable.from_texts(texts)
    decided = np.array([1, 2, 1, 0, 2, 2], dtype=np.int32)
    both = stage_one_features(tokens, decided, N).toarray()
    alone = [
        stage_one_features(TokenTable.from_texts([text]), decided[3 * d : 3 * d + 3], N).toarray()
        for d, text in enumerate(texts)
    ]
    assert np.array_equal(both, np.vstack(alone))


@pytest.mark.parametrize("n_documents", [1, 2, 4])
def test_stage_two_is_trained_on_decisions_about_unseen_documents(n_documents: int) -> None:
    corpus: list[Document] = sample_corpus(n_documents, seed=5)
    tokens = TokenTable.from_documents(corpus)
    labels = encode_bio(tokens, corpus)
    tagger = LbjTagger(epochs=4).fit(tokens, labels)
    features = tagger.extractor_.transform(tokens)
    decided = out_of_fold_tags(tagger._perceptron, features, tokens, labels, tagger.folds)
    # With one document there are no other folds, so gold tags are used.
    assert np.array_equal(decided, labels.ids) == (n_documents == 1)


def test_a_note_and_its_copies_are_in_the_same_fold() -> None:
    corpus: list[Document] = sample_corpus(4, seed=5) * 2
    tokens = TokenTable.from_documents(corpus)
    labels = encode_bio(tokens, corpus)
    tagger = LbjTagger(epochs=1).fit(tokens, labels)
    trained_on: list[tuple[str, ...]] = []

    def train(features: sparse.csr_matrix, part: TokenTable, gold: TokenLabels) -> ChainModel:
        trained_on.append(part.ids)
        return tagger._perceptron(features, part, gold)

    features = tagger.extractor_.transform(tokens)
    out_of_fold_tags(train, features, tokens, labels, 3, copies=1)
    assert len(trained_on) == 3
    assert all(set(Counter(ids).values()) == {2} for ids in trained_on)
