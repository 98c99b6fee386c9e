"""Feature matrices equal those of a loop over tokens with sets of features."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from multideid.errors import ModelError, UsageError
from multideid.features.common import SHAPE
from multideid.features.extractor import FeatureExtractor
from multideid.features.templates import Bag, Conjunction, Template, Window, bags, each, joined
from multideid.features.views import of_type, of_type_set
from multideid.persistence import load_strings, save_strings
from multideid.text.table import TokenTable

WORD = of_type("word", str)
INITIAL = of_type("initial", lambda w: w[0].lower())
LETTERS = of_type_set("letters", lambda w: [c for c in w if c != "c"])

TEMPLATES: tuple[Template, ...] = (
    *each(WORD, (0, -1, 2), "word"),
    joined("pair", (WORD, 0), (INITIAL, 1)),
    joined("triple", (WORD, -1), (WORD, 0), (WORD, 1)),
    Window(WORD, (-3, -2, -1), "left"),
    Window(INITIAL, (-1, 0, 1), "around"),
    *bags(LETTERS, (0, -1), "letters"),
)

SHAPE_BEFORE = joined("shape", (SHAPE, -1))

Feature = tuple[object, ...]
NOTES = st.lists(st.text(st.sampled_from("aAbc1 \n"), max_size=14), max_size=4)
EDGE = "the document's edge"


def features_of(template: Template, words: list[str], i: int) -> set[Feature]:
    """Return the features of one token of one document, one at a time."""

    def at(view: object, offset: int) -> str:
        if not 0 <= i + offset < len(words):
            return EDGE
        word = words[i + offset]
        return word if view is WORD else word[0].lower()

    if isinstance(template, Conjunction):
        return {tuple(at(view, offset) for view, offset in template.parts)}
    if isinstance(template, Window):
        return {(at(template.view, o),) for o in template.offsets} - {(EDGE,)}
    if not 0 <= i + template.offset < len(words):
        return set()
    return {(c,) for c in words[i + template.offset] if c != "c"}


def naive(template: Template, table: TokenTable) -> list[set[Feature]]:
    words = table.words()
    documents = [words[a:b] for a, b in zip(table.first, table.first[1:], strict=False)]
    return [features_of(template, d, i) for d in documents for i in range(len(d))]


def patterns(matrix: np.ndarray) -> list[tuple[float, ...]]:
    """Return a matrix's columns in an order of their own."""
    return sorted(map(tuple, matrix.T.tolist()))


def dense(rows: list[set[Feature]], columns: list[Feature]) -> np.ndarray:
    return np.array([[float(c in row) for c in columns] for row in rows]).reshape(
        len(rows), len(columns)
    )


@given(NOTES, NOTES, st.integers(1, 3))
def test_features_are_those_of_a_walk_over_the_tokens(
    training: list[str], unseen: list[str], min_count: int
) -> None:
    tables = [TokenTable.from_texts(training), TokenTable.from_texts(unseen)]
    extractor = FeatureExtractor(TEMPLATES, min_count).fit(tables[0])
    found = np.vstack([extractor.transform(table).toarray() for table in tables])
    for n, template in enumerate(TEMPLATES):
        rows = [naive(template, table) for table in tables]
        counts = Counter(feature for row in rows[0] for feature in row)
        columns = [feature for feature, count in counts.items() if count >= min_count]
        block = found[:, extractor.first_[n] : extractor.first_[n + 1]]
        assert patterns(block) == patterns(dense(rows[0] + rows[1], columns)), template.name
    assert found.shape[1] == extractor.n_features_


@given(NOTES)
def test_a_document_alone_has_the_rows_it_has_in_a_batch(texts: list[str]) -> None:
    table = TokenTable.from_texts(texts)
    extractor = FeatureExtractor(TEMPLATES).fit(TokenTable.from_texts(["a bA 1\ncb", "a"]))
    batch = extractor.transform(table).toarray()
    for d, text in enumerate(texts):
        alone = extractor.transform(TokenTable.from_texts([text])).toarray()
        assert np.array_equal(batch[table.rows([d])], alone)


@pytest.mark.parametrize("training", [["a b c1\nA"], [""], []])
@pytest.mark.parametrize("texts", [["a b zz"], ["", "a"], [""], []])
def test_matrices_are_float32_with_int32_indices(training: list[str], texts: list[str]) -> None:
    extractor = FeatureExtractor(TEMPLATES).fit(TokenTable.from_texts(training))
    matrix = extractor.transform(TokenTable.from_texts(texts))
    assert isinstance(matrix, sparse.csr_matrix)
    assert (matrix.dtype, matrix.indices.dtype, matrix.indptr.dtype) == (
        np.float32,
        np.int32,
        np.int32,
    )
    assert matrix.shape == (len(TokenTable.from_texts(texts)), extractor.n_features_)
    matrix.check_format(full_check=True)
    assert set(matrix.data.tolist()) <= {1.0}


def test_features_are_binary() -> None:
    table = TokenTable.from_texts(["a a a a b a"])
    matrix = FeatureExtractor(TEMPLATES).fit_transform(table)
    assert matrix.toarray().max() == 1
    assert FeatureExtractor([Window(WORD, (-2, -1, 1), "w")]).fit_transform(table).max() == 1


def test_min_count_counts_tokens_not_occurrences() -> None:
    table = TokenTable.from_texts(["a b b"])
    window = Window(WORD, (-2, -1), "w")
    assert FeatureExtractor([window], 1).fit(table).n_features_ == 2
    assert FeatureExtractor([window], 2).fit(table).n_features_ == 1


def test_an_unknown_value_in_any_part_makes_no_conjunction() -> None:
    extractor = FeatureExtractor([joined("p", (WORD, 0), (WORD, 1))])
    extractor.fit(TokenTable.from_texts(["a b"]))
    assert extractor.transform(TokenTable.from_texts(["a new"])).nnz == 0
    assert extractor.transform(TokenTable.from_texts(["b"])).nnz == 1


def test_equal_templates_count_once() -> None:
    twice = FeatureExtractor([*TEMPLATES, *TEMPLATES])
    assert twice.templates == TEMPLATES


def test_conjunctions_of_many_parts_do_not_mix_their_values() -> None:
    # Five of 2^13 values (with the edge) are 65 bits, of which the first must not be lost.
    words = [chr(0x4E00 + n) for n in range(2**13 - 5)]
    ends = [f"{first} b c d e" for first in words[::512]]
    table = TokenTable.from_texts([" ".join(words), *ends])
    five = FeatureExtractor([joined("five", *((WORD, offset) for offset in range(5)))])
    matrix = five.fit_transform(table)
    assert five.n_features_ == len(set(naive_windows(table, 5)))
    assert matrix.sum(axis=1).tolist() == [[1.0]] * len(table)


def naive_windows(table: TokenTable, size: int) -> list[tuple[str, ...]]:
    words = table.words()
    documents = [words[a:b] for a, b in zip(table.first, table.first[1:], strict=False)]
    padded = [(d, [*d, *[EDGE] * size]) for d in documents]
    return [tuple(p[i : i + size]) for d, p in padded for i in range(len(d))]


def test_groups_partition_the_columns_by_feature_class() -> None:
    extractor = FeatureExtractor(TEMPLATES).fit(TokenTable.from_texts(["a bA 1\ncb", "a"]))
    groups = extractor.groups()
    assert set(groups) == {template.group for template in TEMPLATES}
    columns = np.sort(np.concatenate(list(groups.values())))
    assert columns.tolist() == list(range(extractor.n_features_))


def test_a_loaded_extractor_gives_the_same_matrix(tmp_path: Path) -> None:
    training = TokenTable.from_texts(["a b\ud800 é\u0301\nA c1", "\U0001f600 a"])
    table = TokenTable.from_texts(["a b\ud800 new\U0001f600", "c1 é\u0301"])
    extractor = FeatureExtractor(TEMPLATES).fit(training)
    extractor.save(tmp_path, "f")
    loaded = FeatureExtractor(TEMPLATES).load(tmp_path, "f")
    before, after = extractor.transform(table), loaded.transform(table)
    assert before.nnz > 0
    assert (before != after).nnz == 0
    assert before.shape == after.shape


@given(NOTES, st.integers(0, 10_000))
def test_kept_columns_do_not_change(unseen: list[str], seed: int) -> None:
    training, table = ["a bA 1\ncb", "a A bb b"], TokenTable.from_texts(unseen)
    extractor = FeatureExtractor(TEMPLATES).fit(TokenTable.from_texts(training))
    before = extractor.transform(table).toarray()
    kept = np.flatnonzero(np.random.default_rng(seed).random(before.shape[1]) < 0.3)
    after = extractor.keep(kept).transform(table)
    assert np.array_equal(after.toarray(), before[:, kept])
    assert extractor.n_features_ == len(kept)


def test_values_without_columns_are_dropped(tmp_path: Path) -> None:
    templates = [*each(WORD, (0,), "word"), joined("pair", (INITIAL, 0), (INITIAL, 1))]
    extractor = FeatureExtractor(templates).fit(TokenTable.from_texts(["a b Cc d"]))
    table = TokenTable.from_texts(["b Cc a b"])
    extractor.keep(np.array([2, 4]))
    assert list(extractor.vocabularies_["word"]) == ["b"]
    assert list(extractor.vocabularies_["initial"]) == ["a", "b"]
    extractor.save(tmp_path, "f")
    loaded = FeatureExtractor(templates).load(tmp_path, "f").transform(table).toarray()
    assert np.array_equal(loaded, extractor.transform(table).toarray())
    assert loaded.sum() > 0


def test_a_string_that_is_stored_twice_is_refused(tmp_path: Path) -> None:
    FeatureExtractor(TEMPLATES).fit(TokenTable.from_texts(["a b"])).save(tmp_path, "f")
    strings = load_strings(tmp_path, "f-strings")
    save_strings(tmp_path, "f-strings", [*strings[:-1], strings[0]])
    with pytest.raises(ModelError, match=r"f-strings\.npz: holds a string twice"):
        FeatureExtractor(TEMPLATES).load(tmp_path, "f")


def test_products_that_wrap_keep_all_values_of_their_views() -> None:
    texts = [" ".join(f"{a}{b}" for a in "abcdefgh" for b in "abcdefgh")]
    wide = joined("many", *[(WORD, n) for n in range(11)])
    extractor = FeatureExtractor([*each(WORD, (0,), "word"), wide])
    before = extractor.fit_transform(TokenTable.from_texts(texts)).toarray()
    kept = np.array([3, 70, 80])
    after = extractor.keep(kept).transform(TokenTable.from_texts(texts)).toarray()
    assert np.array_equal(after, before[:, kept])
    assert after.sum() == 3


def test_different_views_with_one_name_are_refused() -> None:
    other = of_type("word", str.upper)
    with pytest.raises(UsageError, match=r"two different views are named 'word'.*str.*str.upper"):
        FeatureExtractor([*each(WORD, (0,), "word"), *each(other, (0,), "word")])


@pytest.mark.parametrize("changed", [TEMPLATES[::-1], TEMPLATES[1:], (*TEMPLATES, SHAPE_BEFORE)])
def test_an_extractor_with_other_templates_does_not_load(
    changed: tuple[Template, ...], tmp_path: Path
) -> None:
    FeatureExtractor(TEMPLATES).fit(TokenTable.from_texts(["a b"])).save(tmp_path, "f")
    with pytest.raises(ModelError, match=r"f-templates\.npz: was trained with the feature"):
        FeatureExtractor(changed).load(tmp_path, "f")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Window(WORD, (1, 2), "g"), Window(WORD, (2, 1), "g")),
        (Bag(LETTERS, 0, "g"), Bag(LETTERS, 1, "g")),
        (joined("g", (WORD, 0), (WORD, 1)), joined("g", (WORD, 1), (WORD, 0))),
    ],
)
def test_template_names_differ(first: Template, second: Template) -> None:
    assert first.name != second.name
