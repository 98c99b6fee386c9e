"""SNoW: Winnow's rule, the sparse links, and inference over the entities of a line."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from template_notes import sample_corpus

from multideid.base_systems.snow import SnowTagger
from multideid.base_systems.snow.features import snow_templates
from multideid.base_systems.snow.inference import Inference
from multideid.base_systems.snow.relations import Relations
from multideid.base_systems.snow.winnow import WinnowTrainer
from multideid.features.templates import Conjunction
from multideid.text.bio import TokenLabels, bio_names, encode_bio
from multideid.text.table import TokenTable

NAMES = bio_names(["X", "Y"])
O, BX, IX, BY, IY = range(5)  # noqa: E741


def tags(*ids: int) -> TokenLabels:
    return TokenLabels(np.array(ids, dtype=np.int32), NAMES)


def rows(*starts: int) -> np.ndarray:
    return np.array(starts, dtype=np.int64)


def binary(*features: list[int]) -> sparse.csr_matrix:
    return sparse.csr_matrix(np.array(features, dtype=np.float32))


def test_a_tag_is_linked_only_to_features_that_occur_with_it() -> None:
    features = binary([1, 1, 0], [0, 1, 1])
    network = WinnowTrainer(epochs=1).train(features, tags(O, BX), rows(0))
    linked = [(f, tag) for f, tag in zip(*network.weights.nonzero(), strict=True)]
    assert linked == [(0, O), (1, O), (1, BX), (2, BX)]
    assert network.seen.tolist() == [True, True, False, False, False]


def test_links_are_promoted_where_too_little_was_active_and_demoted_where_too_much() -> None:
    trainer = WinnowTrainer(epochs=1, separator=0)
    few = trainer.train(binary([1] * 8), tags(BX), rows(0)).weights.toarray()
    # The average of what it was and what it became, for 8 * 0.2 is not the 4 it should have been.
    assert few[:, BX] == pytest.approx(0.2 * (1 + 1.35) / 2)
    many = trainer.train(binary([1] * 30, [1] * 30), tags(BX, O), rows(0)).weights.toarray()
    # 30 * 0.2 is more than 4: "O" has to give way at the first token, "B" at the second.
    assert many[:, O] == pytest.approx(0.2 * (1 + 0.8 + 0.8) / 3)
    assert many[:, BX] == pytest.approx(0.2 * (1 + 1 + 0.8) / 3)


def test_a_thick_separator_goes_on_learning_near_the_threshold() -> None:
    def weight(separator: float) -> float:
        trainer = WinnowTrainer(epochs=1, separator=separator)
        return float(trainer.train(binary([1] * 22), tags(BX), rows(0)).weights[0, BX])

    # 22 * 0.2 is above 4, but not above 5.
    assert weight(0) == pytest.approx(0.2)
    assert weight(1) > 0.2


def test_irrelevant_features_lose_to_the_informative_one() -> None:
    rng = np.random.default_rng(0)
    dense = (rng.random((400, 30)) < 0.5).astype(np.float32)
    labels = tags(*(dense[:, 7].astype(int) * BX).tolist())
    network = WinnowTrainer(epochs=10).train(binary(*dense), labels, np.arange(400))
    weights = network.weights.toarray()[:, BX]
    assert weights.argmax() == 7
    assert weights[7] > 3 * np.delete(weights, 7).max()
    found = network.activations(binary(*dense)).argmax(axis=1)
    assert np.array_equal(found, labels.ids)


def test_pairs_that_never_meet_are_held_back_and_common_ones_gain_nothing() -> None:
    # X and Y take turns, but for one line in which two X touch.
    line = [BX, O, BY, IY, O, BX, O, BY, O]
    labels = tags(*line * 20, BX, BX, O)
    starts = np.append(np.arange(20) * len(line), 20 * len(line))
    relations = Relations.learn(labels, starts, strength=1.0)
    assert relations.apart[0, 0] < -2
    assert relations.apart[1, 1] < -1
    assert relations.apart[0, 1] == relations.apart[1, 0] == 0
    assert relations.beside[0, 0] == 0
    assert relations.beside[1, 1] == 0


def test_entities_of_different_lines_are_not_related() -> None:
    relations = Relations.learn(tags(*[BX, O, BY, O] * 50), np.arange(100) * 2, strength=1.0)
    assert not relations.apart.any()
    assert not relations.beside.any()


def ways(activations: np.ndarray, relations: Relations) -> dict[tuple[int, ...], float]:
    """The weight of every valid assignment to one line."""
    found = {}
    for way in product(range(5), repeat=len(activations)):
        total, last, before = 0.0, None, O
        for t, tag in enumerate(way):
            if tag in (IX, IY) and before not in (tag, tag - 1):
                break
            if tag in (BX, BY):
                kind = relations.apart if before == O else relations.beside
                total += 0 if last is None else kind[last, (tag - 1) // 2]
                last = (tag - 1) // 2
            total, before = total + activations[t, tag], tag
        else:
            found[way] = np.exp(total)
    return found


@pytest.mark.parametrize("n_tokens", [1, 2, 5])
def test_inference_finds_the_best_of_all_assignments(n_tokens: int) -> None:
    dice = np.random.default_rng(n_tokens)
    relations = Relations(-2 * dice.random((2, 2)), -4 * dice.random((2, 2)))
    activations = dice.normal(size=(n_tokens, 5))
    every = ways(activations, relations)
    inference = Inference.under(relations, np.ones(5, dtype=np.bool_))
    scores = inference.scores(activations, rows(0))
    assert tuple(scores.argmax(axis=1).tolist()) == max(every, key=every.__getitem__)
    shares = np.zeros((n_tokens, 5))
    for way, weight in every.items():
        shares[np.arange(n_tokens), way] += weight / sum(every.values())
    found = 1 / (1 + np.exp(-scores))
    # The tag of the best assignment may have been raised above the likeliest of its token.
    raised = (scores.argmax(axis=1) != shares.argmax(axis=1))[:, None]
    assert np.where(raised, shares, found) == pytest.approx(shares, abs=2e-3)


def test_an_entity_is_dropped_that_does_not_agree_with_the_one_before() -> None:
    activations = np.full((3, 5), -3.0)
    activations[2, O] = 0
    activations[0, BX], activations[1, O], activations[2, BY] = 9, 9, 1
    seen = np.ones(5, dtype=np.bool_)
    none, apart = np.zeros((2, 2)), np.array([[0.0, -5.0], [0.0, 0.0]])
    free = Inference.under(Relations(none, none), seen).scores(activations, rows(0))
    assert free.argmax(axis=1).tolist() == [BX, O, BY]
    bound = Inference.under(Relations(none, apart), seen)
    assert bound.scores(activations, rows(0)).argmax(axis=1).tolist() == [BX, O, O]
    # Entities of the previous line have no influence.
    assert bound.scores(activations, rows(0, 1)).argmax(axis=1).tolist() == [BX, O, BY]


def test_tags_without_an_example_are_never_given() -> None:
    seen = np.array([True, True, True, False, False])
    none = np.zeros((2, 2))
    activations = np.full((4, 5), -3.0)
    activations[:, BY] = 0
    scores = Inference.under(Relations(none, none), seen).scores(activations, rows(0))
    assert scores.argmax(axis=1).max() <= IX
    assert scores[:, BY:].max() == -8


def test_capitalised_words_have_the_length_of_their_run() -> None:
    parts = (t.parts[0] for t in snow_templates("lexicon") if isinstance(t, Conjunction))
    view = next(view for view, _ in parts if view.name == "snow capital run")
    column = view.column(TokenTable.from_texts(["Ann Lee Poe saw Ed\nJo"]))
    assert "".join(column.names[c] for c in column.codes.tolist()) == "3330101"


def test_learning_follows_the_seed_and_survives_saving(tmp_path: Path) -> None:
    corpus = sample_corpus(4)
    tokens = TokenTable.from_documents(corpus)
    labels = encode_bio(tokens, corpus)
    first, again = (SnowTagger(epochs=2).fit(tokens, labels) for _ in range(2))
    first.save(tmp_path)
    scores = first.predict_scores(tokens)
    assert np.array_equal(scores, again.predict_scores(tokens))
    assert np.array_equal(scores, SnowTagger.load(tmp_path).predict_scores(tokens))
    assert (scores.argmax(axis=1) == labels.ids).mean() > 0.97


def test_it_needs_no_example_to_be_fitted() -> None:
    empty = TokenTable.from_texts([""])
    tagger = SnowTagger().fit(empty, tags())
    found = tagger.predict_scores(TokenTable.from_texts(["A b"]))
    assert found.argmax(axis=1).tolist() == [O, O]
