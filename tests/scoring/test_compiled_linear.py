"""Compiled sums of feature weights equal the product of features and weights."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from string import ascii_lowercase

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from multideid.arrays import DoubleArray
from multideid.features.chunks import POSITION_IN_CHUNK, of_chunk
from multideid.features.common import FIELD_LABEL, HEADING, POSITION
from multideid.features.document_context import MOST_OCCURRENCES, document_context
from multideid.features.extractor import FeatureExtractor
from multideid.features.lexical import word_lists
from multideid.features.templates import Template, Window, bags, each, joined
from multideid.features.views import of_type, of_type_set
from multideid.scoring import linear_sums as linear
from multideid.scoring.conjunction_sums import (
    EntryTable,
    JoinedTables,
    KeyParts,
    scatter_conjunctions,
)
from multideid.scoring.hash_table import HashTable
from multideid.scoring.linear_part import LinearPart
from multideid.scoring.linear_sums import CompiledLinear
from multideid.scoring.scatter_add import Block
from multideid.scoring.sparse_weights import quantize
from multideid.text.table import TokenTable

WORD = of_type("word", str)
INITIAL = of_type("initial", lambda w: w[0].lower())
SIZE = of_type("size", lambda w: str(len(w)))
LETTERS = of_type_set("letters", lambda w: [c for c in w if c != "c"])
CHUNK = of_chunk("chunk", str.lower)

ONE: tuple[Template, ...] = (
    *each(WORD, (0, -1, 2), "word"),
    joined("pair", (WORD, 0), (WORD, 1)),
    joined("pair", (WORD, -2), (WORD, -1)),
    joined("gap", (INITIAL, -1), (INITIAL, 1)),
    joined("triple", (WORD, -1), (WORD, 0), (WORD, 1)),
    joined("same token", (INITIAL, 1), (SIZE, 1)),
    Window(WORD, (-3, -2, -1), "left"),
    Window(INITIAL, (1, 0, -1), "around"),
    *bags(LETTERS, (0, -1), "letters"),
    *bags(word_lists("lists", ("months", "titles")), (-1, 0, 1), "lists"),
    *bags(document_context("context", INITIAL, 1), (0, -1), "context"),
)
TWO: tuple[Template, ...] = (
    *each(CHUNK, (-1, 0), "chunk"),
    *each(FIELD_LABEL, (0, 1), "label"),
    *each(HEADING, (0,), "heading"),
    joined("pair", (WORD, 0), (WORD, 1)),
    joined("mixed", (FIELD_LABEL, 0), (WORD, 1), (POSITION, -1)),
    joined("place", (CHUNK, 0), (POSITION_IN_CHUNK, 0)),
    *bags(document_context("context label", FIELD_LABEL, 0), (0,), "context"),
)
ALPHABET = "aAbBc1. :/\n\u00e9\u0301\U0001f600\U0001d400\ud800"
NOTES = st.lists(st.text(st.sampled_from(ALPHABET), max_size=20), max_size=4)
TRAINING = ["Aa b Aa: 1\nBb a/1 Aa b\n", "may b Dr. Aa 1 b", "\U0001d400 \u00e9", "Aa Bb Aa Bb", ""]


def part(
    templates: tuple[Template, ...], n_labels: int, seed: int, training: list[str]
) -> LinearPart:
    """Fit an extractor and draw weights, many of which are 0."""
    extractor = FeatureExtractor(templates).fit(TokenTable.from_texts(training))
    rng = np.random.default_rng(seed)
    shape = (extractor.n_features_ + 2, n_labels)
    weights = rng.normal(size=shape) * (rng.random(shape) < 0.4)
    return LinearPart(extractor, sparse.csr_matrix(weights))


def quantized(p: LinearPart, bits: int = 17) -> LinearPart:
    """Return a part as training makes them."""
    return LinearPart(p.extractor, quantize(p.weights, bits))


def check_exact(model: CompiledLinear, table: TokenTable) -> None:
    for p, found in zip(model.parts, model.open(table).scores(0, len(table)), strict=True):
        assert found.dtype == np.float64
        assert np.array_equal(found, expected(p, table))


def expected(p: LinearPart, table: TokenTable) -> DoubleArray:
    features = p.extractor.transform(table).astype(np.float64)
    return np.asarray((features @ p.weights[: features.shape[1]]).toarray())


@pytest.fixture(scope="module")
def parts() -> list[LinearPart]:
    return [part(ONE, 3, 0, TRAINING), part(TWO, 2, 1, TRAINING), part(ONE, 3, 2, TRAINING[:2])]


@pytest.fixture(scope="module")
def model(parts: list[LinearPart]) -> CompiledLinear:
    return CompiledLinear(parts)


@pytest.fixture(scope="module")
def exact_model(parts: list[LinearPart]) -> CompiledLinear:
    return CompiledLinear([quantized(p) for p in parts])


def check(model: CompiledLinear, table: TokenTable, blocks: Iterator[tuple[int, int]]) -> None:
    opened = model.open(table)
    for first, stop in blocks:
        for p, found in zip(model.parts, opened.scores(first, stop), strict=True):
            assert found == pytest.approx(expected(p, table)[first:stop], abs=1e-12)


@given(texts=NOTES)
def test_sums_are_those_of_the_features_of_any_text(
    model: CompiledLinear, texts: list[str]
) -> None:
    table = TokenTable.from_texts(texts)
    check(model, table, iter([(0, len(table))]))


@given(texts=NOTES)
def test_sums_of_quantized_weights_are_exact_though_they_are_float32(
    exact_model: CompiledLinear, texts: list[str]
) -> None:
    check_exact(exact_model, TokenTable.from_texts(texts))
    assert exact_model.arena.scores.dtype == np.float32


def test_different_views_with_one_name_are_scored_separately() -> None:
    other = of_type("word", str.lower)
    templates: tuple[Template, ...] = (
        *each(other, (0, 1), "word"),
        joined("pair", (other, -1), (SIZE, 0)),
    )
    model = CompiledLinear([part(ONE, 3, 0, TRAINING), part(templates, 2, 1, TRAINING)])
    table = TokenTable.from_texts([*TRAINING, "AA aa"])
    check(model, table, iter([(0, len(table))]))


def test_one_part_of_longer_weights_makes_all_sums_float64(parts: list[LinearPart]) -> None:
    model = CompiledLinear([quantized(parts[0]), parts[1]])
    assert model.arena.scores.dtype == np.float64
    table = TokenTable.from_texts(TRAINING)
    check(model, table, iter([(0, len(table))]))


def test_weights_that_are_not_looked_at_may_be_long(parts: list[LinearPart]) -> None:
    p = quantized(parts[0])
    more = sparse.vstack([p.weights[: p.extractor.n_features_], [[1 / 3] * p.n_labels]])
    longer = LinearPart(p.extractor, sparse.csr_matrix(more))
    assert longer.exact_up_to == p.exact_up_to > 128
    assert parts[0].exact_up_to < 1


def test_sums_too_large_for_float32_are_of_float64_from_then_on(parts: list[LinearPart]) -> None:
    # Weights are exact, and sums of four times as much.
    model = CompiledLinear([quantized(p, 22) for p in parts])
    assert model.arena.scores.dtype == np.float32
    first, second = TokenTable.from_texts(["c", ""]), TokenTable.from_texts(TRAINING)
    opened = model.open(first)
    check_exact(model, second)
    assert model.arena.scores.dtype == np.float64
    for p, found in zip(model.parts, opened.scores(0, len(first)), strict=True):
        assert np.array_equal(found, expected(p, first))


def only(template: Template, bits: int, weight: float, texts: list[str]) -> CompiledLinear:
    """Return a model of one template with the same weight for all features but one."""
    extractor = FeatureExtractor((template,)).fit(TokenTable.from_texts(texts))
    weights = np.full((extractor.n_features_, 1), weight)
    weights[0] = 1
    return CompiledLinear([LinearPart(extractor, quantize(sparse.csr_matrix(weights), bits))])


@pytest.mark.parametrize(("bits", "exact"), [(18, np.float32), (23, np.float64)])
def test_neighbours_of_other_occurrences_are_counted_as_many_as_there_may_be(
    bits: int, exact: type[np.floating]
) -> None:
    (template,) = bags(document_context("context", WORD, 1), (0,), "context")
    texts = [" ".join(f"Aa {letter}" for letter in ascii_lowercase[:MOST_OCCURRENCES])]
    model = only(template, bits, 1 - 2.0**-bits, texts)
    check_exact(model, TokenTable.from_texts(texts))
    assert model.arena.scores.dtype == exact


@pytest.mark.parametrize(("n_letters", "exact"), [(8, np.float32), (26, np.float64)])
def test_features_of_one_string_are_counted_where_many_add_up(
    n_letters: int, exact: type[np.floating]
) -> None:
    word = ascii_lowercase[:n_letters]
    (template,) = bags(of_type_set("characters", list), (0,), "letters")
    model = only(template, 20, 1 - 2.0**-20, [word])
    check_exact(model, TokenTable.from_texts([word]))
    assert model.arena.scores.dtype == exact


@pytest.mark.parametrize(
    "texts", [[], [""], ["", "Aa"], ["1"], ["\n"], ["\n\n", "", "Aa b"], ["unseen"], ["Aa " * 3000]]
)
def test_sums_are_those_of_the_features_of_odd_text(
    model: CompiledLinear, texts: list[str]
) -> None:
    table = TokenTable.from_texts(texts)
    check(model, table, iter([(0, len(table))]))


def test_any_rows_of_a_table_can_be_asked_for(model: CompiledLinear) -> None:
    table = TokenTable.from_texts([*TRAINING, "Aa zz: new 1", *TRAINING])
    n = len(table)
    check(model, table, iter([(n - 3, n), (0, 1), (5, 20), (0, n), (7, 7)]))


def test_a_long_text_is_scored_by_tiles(
    model: CompiledLinear, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linear, "_TILE", 7)
    table = TokenTable.from_texts(TRAINING * 3)
    check(model, table, iter([(0, len(table))]))


def test_cached_strings_are_bounded(
    parts: list[LinearPart], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linear, "_MAX_STRINGS", 5)
    model = CompiledLinear(parts)
    rng = np.random.default_rng(0)
    sizes = []
    for _ in range(5):
        words = ["".join(rng.choice(list("abcdeAB1"), 3)) for _ in range(30)]
        table = TokenTable.from_texts([" ".join(words), *TRAINING])
        check(model, table, iter([(0, 9), (9, len(table)), (0, 9)]))
        # Of the strings of one table some may be new; of earlier ones none is kept for ever.
        assert all(len(rows.offsets) < 300 for rows in model.strings.values())
        sizes.append(len(model.arena.scores))
    assert len(set(sizes)) == 1


def test_two_tables_can_be_open_at_once(
    parts: list[LinearPart], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linear, "_MAX_STRINGS", 3)
    model = CompiledLinear(parts)
    tables = [TokenTable.from_texts(TRAINING), TokenTable.from_texts(["c b c1 A", "Aa Bb: 1"])]
    opened = [model.open(table) for table in tables]
    for _ in range(2):
        for table, o in zip(tables, opened, strict=True):
            for p, found in zip(parts, o.scores(0, len(table)), strict=True):
                assert found == pytest.approx(expected(p, table), abs=1e-12)


def test_threads_do_not_disturb_one_another(
    parts: list[LinearPart], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linear, "_MAX_STRINGS", 3)
    model = CompiledLinear(parts)
    texts = [[f"Aa b{n} {n}", *TRAINING[n % 3 :]] for n in range(24)]
    with ThreadPoolExecutor(4) as pool:
        tables = list(map(TokenTable.from_texts, texts))
        found = list(pool.map(lambda table: model.open(table).scores(0, len(table)), tables))
    for table, scores in zip(tables, found, strict=True):
        for p, part_scores in zip(parts, scores, strict=True):
            assert part_scores == pytest.approx(expected(p, table), abs=1e-12)


@pytest.mark.parametrize("templates", [(), tuple(each(WORD, (0,), "word"))])
def test_models_of_few_templates_are_scored(templates: tuple[Template, ...]) -> None:
    model = CompiledLinear([part(templates, 2, 0, TRAINING)])
    table = TokenTable.from_texts(TRAINING)
    check(model, table, iter([(0, len(table))]))


def test_a_model_trained_on_nothing_adds_nothing() -> None:
    model = CompiledLinear([part(ONE, 2, 0, [])])
    assert not np.any(model.open(TokenTable.from_texts(TRAINING)).scores(0, 5)[0])


KEYS = st.lists(st.integers(0, 2**40), max_size=60, unique=True)


@given(st.lists(KEYS, min_size=1, max_size=3), st.lists(st.integers(0, 50)))
def test_each_table_adds_the_weight_of_each_of_its_keys_and_of_no_other(
    keys_of: list[list[int]], others: list[int]
) -> None:
    keys_of = [sorted(keys) for keys in keys_of]
    asked = [*(key for keys in keys_of for key in keys), *others]
    high, low = np.divmod(np.array(asked, dtype=np.int64), 2**20)
    codes = np.array([high, low], dtype=np.int32).reshape(2, len(asked))
    parts = KeyParts(np.array([0, 1]), np.array([0, 0]), np.array([1, 2**20]))
    entries = [
        EntryTable(
            np.arange(len(keys) + 1), np.full(len(keys), t, np.int32), 1.0 + np.arange(len(keys))
        )
        for t, keys in enumerate(keys_of)
    ]
    hashes = [HashTable.of(np.array(keys, dtype=np.int64)) for keys in keys_of]
    tables = JoinedTables.of([parts] * len(keys_of), hashes, entries)
    scores = np.zeros(len(asked) * len(keys_of))
    scatter_conjunctions(codes, tables, Block(0, len(asked), 0, len(keys_of)), scores)
    weights = [{key: 1.0 + n for n, key in enumerate(keys)} for keys in keys_of]
    assert scores.tolist() == [weight.get(key, 0.0) for key in asked for weight in weights]
