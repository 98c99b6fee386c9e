"""Majorities of a first pass elsewhere in the document (Krishnan and Manning 2006)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from template_notes import sample_corpus

from multideid.base_systems.stanford import StanfordTagger
from multideid.base_systems.stanford.consistency import (
    consistency_features,
    n_consistency_features,
)
from multideid.document import Document
from multideid.scoring import scorer
from multideid.text.bio import bio_names, encode_bio
from multideid.text.table import TokenTable

NAMES = bio_names(["X", "Y"])
CLASSES = ("O", "X", "Y")
TAGS = {"-": 0, "X": 1, "x": 2, "Y": 3, "y": 4}


def majorities(*documents: tuple[str, str]) -> list[str]:
    """Return the majorities of other occurrences, entities and longer entities, per token.

    Each document comes with its tags, one character a token; "." is nothing.
    """
    table = TokenTable.from_texts([text for text, _ in documents])
    decided = np.array([TAGS[c] for _, tags in documents for c in tags], dtype=np.int32)
    found = consistency_features(table, decided, len(NAMES)).toarray()
    assert found.shape == (len(table), n_consistency_features(len(NAMES)))
    blocks = (found[:, :3], found[:, 3:5], found[:, 5:])
    letters = ("OXY", "XY", "XY")
    return [
        "".join(_letter(block[t], of) for block, of in zip(blocks, letters, strict=True))
        for t in range(len(table))
    ]


def _letter(row: np.ndarray, letters: str) -> str:
    return letters[int(row.argmax())] if row.any() else "."


def test_a_word_has_the_majority_class_of_its_other_occurrences() -> None:
    found = majorities(("Lee Lee Lee Lee saw", "XYX--"))
    assert [f[0] for f in found] == ["O", "X", "O", "X", "."]


def test_an_entity_has_the_majority_label_of_others_with_the_same_words() -> None:
    found = majorities(("Ann Lee saw ann lee or Ann Lee", "Xx-Yy-Yy"))
    assert [f[1] for f in found] == ["Y", "Y", ".", "X", "X", ".", "X", "X"]


def test_an_entity_has_the_majority_label_of_longer_ones_that_contain_it() -> None:
    found = majorities(("Lee saw Ann Lee Poe", "X-Yyy"))
    assert [f[2] for f in found] == ["Y", ".", ".", ".", "."]


def test_documents_are_independent() -> None:
    alone = majorities(("Lee saw Ann Lee", "X-Yy"))
    assert majorities(("Lee saw Ann Lee", "X-Yy"), ("Lee saw Lee", "Y-Y"))[:4] == alone


def test_an_inside_tag_that_follows_nothing_begins_an_entity() -> None:
    assert majorities(("Lee Lee", "xY"), ("Lee", "x"))[:2] == ["YY.", "XX."]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text("AbC.\n ", max_size=20), max_size=3), st.randoms(use_true_random=False))
def test_any_tags_of_any_text_have_at_most_one_of_each(texts: list[str], dice: object) -> None:
    table = TokenTable.from_texts(texts)
    rng = np.random.default_rng(dice.randrange(2**32))  # type: ignore[attr-defined]
    decided = rng.integers(0, len(NAMES), len(table)).astype(np.int32)
    found = consistency_features(table, decided, len(NAMES)).toarray()
    assert found.shape == (len(table), n_consistency_features(len(NAMES)))
    for block in (found[:, :3], found[:, 3:5], found[:, 5:]):
        assert (block.sum(axis=1) <= 1).all()
    assert not found[decided == 0, 3:].any()


@pytest.fixture(scope="module")
def corpus() -> list[Document]:
    return sample_corpus(3, seed=1)


@pytest.fixture(scope="module")
def tagger(corpus: list[Document]) -> StanfordTagger:
    tokens = TokenTable.from_documents(corpus)
    return StanfordTagger(consistency=True, epochs=1).fit(tokens, encode_bio(tokens, corpus))


def test_both_passes_in_compiled_loops_score_as_without(
    tagger: StanfordTagger, corpus: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scorer, "COMPILE_AFTER", 0)
    monkeypatch.setattr(scorer, "_BLOCK", 50)
    tokens = TokenTable.from_documents([*corpus, Document("empty", "", ())])
    wanted = tagger.score_by_features(tokens)
    found = tagger.predict_scores(tokens)
    assert found == pytest.approx(wanted, abs=1e-5)
    assert np.array_equal(found.argmax(axis=1), wanted.argmax(axis=1))


def test_both_passes_are_saved(
    tagger: StanfordTagger, corpus: list[Document], tmp_path: Path
) -> None:
    tagger.save(tmp_path)
    tokens = TokenTable.from_documents(corpus)
    again = StanfordTagger.load(tmp_path)
    assert again.consistency
    assert np.array_equal(again.predict_scores(tokens), tagger.predict_scores(tokens))


def test_one_document_is_enough_to_learn_from(corpus: list[Document]) -> None:
    tokens = TokenTable.from_documents(corpus[:1])
    labels = encode_bio(tokens, corpus[:1])
    fitted = StanfordTagger(consistency=True, epochs=4).fit(tokens, labels)
    assert (fitted.predict_scores(tokens).argmax(axis=1) == labels.ids).mean() > 0.9
