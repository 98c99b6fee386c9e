"""The network learns by exact gradients, keeps documents apart, and sees all of each."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from multideid.arrays import FloatArray
from multideid.base_systems.convnet import ConvnetTagger
from multideid.base_systems.convnet.context import Context
from multideid.base_systems.convnet.layers import Convolution
from multideid.base_systems.convnet.network import Network, Sizes
from multideid.base_systems.convnet.training import Adam, EmbeddingGradient, NetworkTrainer, Sample
from multideid.document import Document, Span
from multideid.stacking import SingleDeidentifier
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

N_FEATURES, N_LABELS = 9, 3
DOCUMENT = np.array([0] * 7 + [1] * 5, dtype=np.int32)
WORD = np.array([0, 1, 2, 0, 3, 4, 0, 5, 1, 5, 6, 7], dtype=np.int32)
BEGINS = np.isin(np.arange(len(WORD)), [0, 4, 7, 9])
CONTEXT = Context.of(DOCUMENT, WORD, BEGINS)


def features(seed: int = 0) -> sparse.csr_matrix:
    rng = np.random.default_rng(seed)
    dense = rng.random((len(DOCUMENT), N_FEATURES)) < 0.4
    return sparse.csr_matrix(dense.astype(np.float32))


def network(seed: int = 1, *, pooling: bool = True) -> Network:
    sizes = Sizes(N_FEATURES, N_LABELS, 6, 8)
    made = Network(sizes, np.random.default_rng(seed), pooling=pooling)
    made.embeddings *= 10
    return made


def test_prediction_changes_nothing_in_the_network_so_that_threads_can_share_it() -> None:
    net = network()
    before = {name: set(vars(layer)) for name, layer in net.layers()}
    scores(net, features())
    assert {name: set(vars(layer)) for name, layer in net.layers()} == before
    assert not hasattr(net, "_context")


def scores(net: Network, matrix: sparse.csr_matrix) -> FloatArray:
    return net.forward(matrix, CONTEXT)


@pytest.fixture
def of_sums() -> FloatArray:
    """A gradient of the loss ``sum(of_sums * scores)``."""
    rng = np.random.default_rng(3)
    return rng.standard_normal((len(DOCUMENT), N_LABELS)).astype(np.float32)


@pytest.mark.parametrize("pooling", [False, True])
def test_gradients_of_all_parameters_are_finite_differences_of_the_loss(
    of_sums: FloatArray, pooling: bool
) -> None:
    net, matrix = network(pooling=pooling), features()

    def loss() -> float:
        return float((of_sums.astype(np.float64) * scores(net, matrix)).sum())

    net.train()
    rng = np.random.default_rng(0)
    net.forward(matrix, CONTEXT, rng)
    embedded = EmbeddingGradient.of(matrix, net.backward(of_sums))
    pairs = [(p.value, p.gradient) for p in net.parameters().values()]
    whole = np.zeros_like(net.embeddings)
    whole[embedded.rows] = embedded.values
    for value, gradient in [*pairs, (net.embeddings, whole)]:
        slope = float(np.linalg.norm(gradient))
        direction, before = gradient / np.float32(slope), value.copy()
        step = np.float32(1e-4)
        np.add(before, step * direction, out=value)
        above = loss()
        np.subtract(before, step * direction, out=value)
        below = loss()
        np.copyto(value, before)
        assert (above - below) / (2 * float(step)) == pytest.approx(slope, rel=0.02)


def test_no_layer_sees_another_document() -> None:
    net, matrix = network(), features()
    changed = matrix.tolil()
    changed[7:] = 1 - matrix[7:].toarray()
    np.testing.assert_array_equal(scores(net, matrix)[:7], scores(net, changed.tocsr())[:7])


def test_a_token_sees_its_line_and_its_document_however_far() -> None:
    n = 60
    document = np.zeros(n, dtype=np.int32)
    begins = np.isin(np.arange(n), [0, 30])
    context = Context.of(document, np.arange(n, dtype=np.int32), begins)
    plain = np.zeros((n, N_FEATURES), dtype=np.float32)

    def first_score(changed: int, net: Network) -> FloatArray:
        other = plain.copy()
        other[changed, 2] = 1
        return net.forward(sparse.csr_matrix(other), context)[0]

    by_line, by_document = (first_score(token, network()) for token in (29, 59))
    assert np.abs(by_line - by_document).max() > 1e-4
    alone = network(pooling=False)
    np.testing.assert_array_equal(first_score(29, alone), first_score(59, alone))


def test_a_token_sees_the_words_other_occurrences_however_far() -> None:
    net = network(pooling=False)
    n = 60
    document, word = np.zeros(n, dtype=np.int32), np.arange(n, dtype=np.int32)
    word[-1] = 0
    plain = np.zeros((n, N_FEATURES), dtype=np.float32)
    other = plain.copy()
    other[-1, 2] = 1

    def first_score(dense: FloatArray) -> FloatArray:
        context = Context.of(document, word, np.zeros(n, dtype=np.bool_))
        return net.forward(sparse.csr_matrix(dense), context)[0]

    assert np.abs(first_score(plain) - first_score(other)).max() > 1e-4
    word[-1] = n
    np.testing.assert_array_equal(first_score(plain), first_score(other))


def test_a_convolution_takes_neighbours_at_its_distance() -> None:
    convolution = Convolution(np.random.default_rng(0), 1, 3, 2)
    convolution.weights.value = np.eye(3, dtype=np.float32)
    x = np.array([[1.0], [2.0], [3.0], [4.0]], dtype=np.float32)
    found = convolution.forward(x, np.array([0, 0, 0, 1], dtype=np.int32))
    assert found.tolist() == [[0, 1, 3], [0, 2, 0], [1, 3, 0], [0, 4, 0]]


def test_training_fits_what_features_determine() -> None:
    rng = np.random.default_rng(0)
    dense = (rng.random((600, N_FEATURES)) < 0.3).astype(np.float32)
    tags = (dense[:, 0] + 2 * dense[:, 1] * (1 - dense[:, 0])).astype(np.int32)
    document = np.repeat(np.arange(30, dtype=np.int32), 20)
    net = Network(Sizes(N_FEATURES, N_LABELS, 8, 12), np.random.default_rng(0))
    word = np.arange(600, dtype=np.int32)
    matrix = sparse.csr_matrix(dense)
    begins = np.diff(document, prepend=-1) > 0
    NetworkTrainer(60, 0.02, 100, 1, 0.0, 0).train(
        net, Sample(matrix, document, word, tags, begins)
    )
    found = net.forward(matrix, Context.of(document, word, begins)).argmax(axis=1)
    assert (found == tags).mean() > 0.98


@pytest.mark.parametrize(("min_steps", "n_steps"), [(1, 3), (30, 30), (10_000, 90)])
def test_a_small_corpus_is_learned_from_in_smaller_minibatches(
    monkeypatch: pytest.MonkeyPatch, min_steps: int, n_steps: int
) -> None:
    steps = []
    monkeypatch.setattr(Adam, "step", lambda *_: steps.append(1))
    document = np.repeat(np.arange(30, dtype=np.int32), 20)
    nothing = np.zeros(600, dtype=np.int32)
    matrix = sparse.csr_matrix((600, N_FEATURES), dtype=np.float32)
    sample = Sample(matrix, document, nothing, nothing, nothing > 0)
    NetworkTrainer(3, 0.02, 4000, min_steps, 0.0, 0).train(network(), sample)
    assert len(steps) == n_steps


NOTES = [
    Document(f"{n}", text, (Span(start, start + len(name), "DOCTOR"),))
    for n, (name, verb) in enumerate(
        (name, verb)
        for name in ("Lee", "Ngo", "Ward", "Diaz", "Kaur")
        for verb in ("Seen", "Called", "Examined", "Signed")
    )
    for text in [f"{verb} by Dr. {name} for cough and pain.\nPlan: rest."]
    for start in [text.index(name)]
]


@pytest.fixture(scope="module", params=[False, True], ids=["tokens", "transitions"])
def trained(request: pytest.FixtureRequest) -> SingleDeidentifier:
    sizes = {"embedding_dim": 16, "hidden_dim": 16, "min_steps": 800, "min_count": 1}
    params = {"epochs": 40, "transitions": request.param, **sizes}
    return SingleDeidentifier("convnet", params).fit(NOTES)


def test_it_finds_names_that_it_never_saw(trained: SingleDeidentifier) -> None:
    found = trained.predict([Document("new", "Seen by Dr. Yuen for cough.", ())])
    assert [(s.start, s.end, s.label) for s in found[0].spans] == [(12, 16, "DOCTOR")]


def test_scores_of_a_document_do_not_depend_on_the_batch(trained: SingleDeidentifier) -> None:
    tagger = trained.taggers_["convnet"]
    together = tagger.predict_scores(TokenTable.from_documents(NOTES))
    alone = [tagger.predict_scores(TokenTable.from_documents([note])) for note in NOTES]
    np.testing.assert_array_equal(together, np.concatenate(alone))


def test_a_loaded_network_gives_the_same_scores(
    trained: SingleDeidentifier, tmp_path: Path
) -> None:
    tagger, table = trained.taggers_["convnet"], TokenTable.from_documents(NOTES)
    tagger.save(tmp_path)
    loaded = ConvnetTagger.load(tmp_path)
    np.testing.assert_array_equal(tagger.predict_scores(table), loaded.predict_scores(table))


def test_a_model_of_an_earlier_version_is_loaded_without_transitions(tmp_path: Path) -> None:
    sizes = {"embedding_dim": 16, "hidden_dim": 16, "min_count": 1}
    model = SingleDeidentifier("convnet", {"epochs": 2, "transitions": False, **sizes}).fit(NOTES)
    tagger, table = model.taggers_["convnet"], TokenTable.from_documents(NOTES)
    tagger.save(tmp_path)
    saved = json.loads((tmp_path / "tagger.json").read_text())
    del saved["params"]["transitions"]
    (tmp_path / "tagger.json").write_text(json.dumps(saved))
    loaded = ConvnetTagger.load(tmp_path)
    assert loaded.transitions is False
    np.testing.assert_array_equal(tagger.predict_scores(table), loaded.predict_scores(table))


@pytest.mark.parametrize("transitions", [False, True])
def test_it_can_be_fitted_on_no_tokens(transitions: bool) -> None:
    table = TokenTable.from_texts([""])
    labels = TokenLabels(np.zeros(0, np.int32), ("O", "B-X", "I-X"))
    tagger = ConvnetTagger(transitions=transitions).fit(table, labels)
    assert tagger.predict_scores(table).shape == (0, 3)


def test_a_long_document_is_scored_in_parts(
    trained: SingleDeidentifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    tagger = trained.taggers_["convnet"]
    table = TokenTable.from_texts([" ".join(note.text for note in NOTES)])
    whole = tagger.predict_scores(table)
    monkeypatch.setattr("multideid.base_systems.convnet.tagger._LONGEST", 100)
    parts = tagger.predict_scores(table)
    assert parts.shape == whole.shape
    assert (parts.argmax(axis=1) == whole.argmax(axis=1)).mean() > 0.9
