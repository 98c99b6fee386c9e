"""Sums of embeddings by string are those of the features, alone and in any batch."""

from __future__ import annotations

import numpy as np
import pytest

from multideid.arrays import FloatArray
from multideid.base_systems.convnet import embedding_sums
from multideid.base_systems.convnet.context import Context
from multideid.base_systems.convnet.embedding_sums import EmbeddingSums
from multideid.base_systems.convnet.features import convnet_templates
from multideid.base_systems.convnet.inference import document_scores
from multideid.base_systems.convnet.network import Network, Sizes
from multideid.features.extractor import FeatureExtractor
from multideid.text.table import TokenTable

SEEN = "Dr. Lee saw Ann Lee on 03/04/2019.\nMRN: 4471-22\n\nLondon, seen by LEE."
NEW = [
    "Seen: (Ann), Ann; Ann. LEE; (LEE) MRN 99-1.\nParis 03/04",
    "Who: (Eve) Eve, Eve.",
    "\n\n",
    "Zoë O'Neill\nlondon Lee",
]


@pytest.fixture(scope="module")
def extractor() -> FeatureExtractor:
    return FeatureExtractor(convnet_templates()).fit(TokenTable.from_texts([SEEN]))


@pytest.fixture(scope="module")
def embeddings(extractor: FeatureExtractor) -> FloatArray:
    levels = np.random.default_rng(0).integers(-127, 128, (extractor.n_features_, 6))
    return (levels / 512).astype(np.float32)


def test_sums_are_those_of_the_features(
    extractor: FeatureExtractor, embeddings: FloatArray
) -> None:
    sums = EmbeddingSums(extractor, embeddings)
    for texts in ([SEEN], NEW, [SEEN, *NEW], []):
        table = TokenTable.from_texts(texts)
        wanted = extractor.transform(table) @ embeddings
        np.testing.assert_allclose(sums.of(table), wanted, rtol=0, atol=1e-5)


def test_a_sum_does_not_depend_on_the_batch_or_on_what_came_before(
    extractor: FeatureExtractor, embeddings: FloatArray, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = EmbeddingSums(extractor, embeddings).of(TokenTable.from_texts([SEEN]))
    monkeypatch.setattr(embedding_sums, "_MOST_ROWS", 5)
    sums = EmbeddingSums(extractor, embeddings)
    for _ in range(3):
        together = sums.of(TokenTable.from_texts([*NEW, SEEN]))
        np.testing.assert_array_equal(together[-len(alone) :], alone)


@pytest.mark.parametrize("pooling", [False, True])
def test_one_document_is_scored_as_the_training_pass_scores_it(pooling: bool) -> None:
    rng = np.random.default_rng(1)
    network = Network(Sizes(4, 3, 6, 8), rng, pooling=pooling)
    for n in (1, 2, 5, 40):
        embedded = rng.standard_normal((n, 6)).astype(np.float32)
        network.embeddings = embedded
        document, word = np.zeros((2, n), dtype=np.int32)
        word += rng.integers(0, 9, n)
        context = Context.of(document, word, rng.random(n) < 0.3)
        wanted = network.forward(np.eye(n, dtype=np.float32), context)
        found = document_scores(network, embedded, context)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-4)
