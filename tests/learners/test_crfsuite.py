"""A chain read from a crfsuite model predicts the same labels as crfsuite."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pycrfsuite
import pytest
from scipy import sparse
from sklearn_crfsuite import CRF

from multideid.arrays import LongArray
from multideid.learners.chain import ChainModel
from multideid.learners.crfsuite import CrfsuiteTrainer, read_chain
from multideid.scoring.inference import Steps, marginals, viterbi
from multideid.text.bio import TokenLabels, bio_names

N_FEATURES, ABSENT = 20, 3
NAMES = bio_names(["DATE", "ID"])
ALGORITHMS = ("lbfgs", "l2sgd", "ap", "pa", "arow")


def corpus(seed: int, n_tokens: int, unseen: bool) -> tuple[sparse.csr_matrix, LongArray]:
    """Draw tokens, each with feature 0 so that no two labels are equally good."""
    rng = np.random.default_rng(seed)
    drawn = rng.random((n_tokens, N_FEATURES)) < 0.2
    drawn[:, 0] = True
    # The last features are kept from training, so that the model lacks them.
    drawn[:, -5:] &= unseen
    starts = np.append(0, 1 + np.flatnonzero(rng.random(n_tokens - 1) < 0.3)).astype(np.int64)
    return sparse.csr_matrix(drawn.astype(np.float32)), starts


def gold(features: sparse.csr_matrix) -> TokenLabels:
    rng = np.random.default_rng(7)
    ids = (features.toarray()[:, :15] @ rng.normal(size=(15, len(NAMES)))).argmax(axis=1)
    ids[ids == ABSENT] = 4
    return TokenLabels(ids.astype(np.int32), NAMES)


def items(features: sparse.csr_matrix, starts: LongArray) -> Iterator[list[list[str]]]:
    rows = [[str(column) for column in np.flatnonzero(row)] for row in features.toarray()]
    for first, end in pairwise([*starts.tolist(), len(rows)]):
        yield rows[first:end]


def trained(algorithm: str, path: Path) -> Path:
    features, starts = corpus(0, 300, unseen=False)
    bounds = pairwise([*starts.tolist(), 300])
    tags = [[str(i) for i in gold(features).ids[first:end]] for first, end in bounds]
    crf = CRF(algorithm=algorithm, max_iterations=20, model_filename=str(path))
    crf.fit(list(items(features, starts)), tags)
    return path


def best(chain: ChainModel, features: sparse.csr_matrix, starts: LongArray) -> list[int]:
    emissions = chain.emissions(features)
    steps = Steps.of(starts, len(emissions))
    return viterbi(emissions, chain.transitions.astype(np.float64), steps).tolist()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_labels_are_those_of_crfsuites_own_tagger(algorithm: str, tmp_path: Path) -> None:
    path = trained(algorithm, tmp_path / "model.crfsuite")
    features, starts = corpus(1, 1000, unseen=True)
    chain = read_chain(path.read_bytes(), N_FEATURES, len(NAMES))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    tagged = [int(tag) for sequence in items(features, starts) for tag in tagger.tag(sequence)]
    assert best(chain, features, starts) == tagged
    assert len(set(tagged)) > 2


def test_marginals_are_those_of_crfsuites_own_tagger(tmp_path: Path) -> None:
    path = trained("lbfgs", tmp_path / "model.crfsuite")
    features, starts = corpus(2, 60, unseen=True)
    chain = read_chain(path.read_bytes(), N_FEATURES, len(NAMES))
    steps = Steps.of(starts, features.shape[0])
    found = marginals(chain.emissions(features), chain.transitions.astype(np.float64), steps)
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    expected = []
    for sequence in items(features, starts):
        tagger.set(sequence)
        expected += [
            [tagger.marginal(str(i), t) if str(i) in tagger.labels() else 0.0 for i in range(5)]
            for t in range(len(sequence))
        ]
    assert found == pytest.approx(np.array(expected), abs=1e-9)


def test_the_trainer_gives_the_weights_that_crfsuite_learns(tmp_path: Path) -> None:
    path = trained("lbfgs", tmp_path / "model.crfsuite")
    features, starts = corpus(0, 300, unseen=False)
    trainer = CrfsuiteTrainer("lbfgs", {"max_iterations": 20}, temperature=3.0)
    chain = trainer.train(features, gold(features), starts)
    expected = read_chain(path.read_bytes(), N_FEATURES, len(NAMES))
    assert np.array_equal(chain.weights.toarray(), expected.weights.toarray())
    assert np.array_equal(chain.transitions, expected.transitions)
    assert chain.temperature == 3.0


def test_lbfgs_learns_the_same_every_time() -> None:
    features, starts = corpus(0, 300, unseen=False)
    trainer = CrfsuiteTrainer("lbfgs", {"max_iterations": 20})
    first, again = (trainer.train(features, gold(features), starts) for _ in range(2))
    assert np.array_equal(first.weights.toarray(), again.weights.toarray())
    assert np.array_equal(first.transitions, again.transitions)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_tag_without_example_is_never_given(algorithm: str, tmp_path: Path) -> None:
    path = trained(algorithm, tmp_path / "model.crfsuite")
    chain = read_chain(path.read_bytes(), N_FEATURES, len(NAMES))
    assert chain.seen.tolist() == [label != ABSENT for label in range(5)]
    features, starts = corpus(3, 500, unseen=True)
    scores = chain.scores(features, starts)
    assert ABSENT not in scores.argmax(axis=1)
    # Alone, a tag of weight 0 would beat the others wherever theirs are below.
    chain.weights.data[:] = -np.abs(chain.weights.data) - 1
    assert ABSENT not in best(chain, features, np.arange(500))


def test_without_sequences_everything_is_outside() -> None:
    nothing = sparse.csr_matrix((0, N_FEATURES), dtype=np.float32)
    labels = TokenLabels(np.zeros(0, dtype=np.int32), NAMES)
    chain = CrfsuiteTrainer("lbfgs").train(nothing, labels, np.zeros(0, dtype=np.int64))
    features, starts = corpus(0, 20, unseen=True)
    assert not chain.scores(features, starts).argmax(axis=1).any()


def test_one_label_alone_can_be_learned() -> None:
    features, starts = corpus(0, 30, unseen=False)
    labels = TokenLabels(np.full(30, 2, dtype=np.int32), NAMES)
    chain = CrfsuiteTrainer("lbfgs").train(features, labels, starts)
    assert set(chain.scores(features, starts).argmax(axis=1).tolist()) == {2}
