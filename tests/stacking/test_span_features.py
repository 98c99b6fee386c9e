"""Features of span candidates: relations to decided spans, forms, repeats in the document."""

from __future__ import annotations

import numpy as np
import pytest
from tagged_words import scores_of, tags_of

from multideid.stacking.meta_features import ScoreNormalisation
from multideid.stacking.span_candidates import SpanCandidates
from multideid.stacking.span_features import SpanFeatures, n_columns
from multideid.stacking.span_forms import form_columns
from multideid.stacking.span_relations import DecidedSpans, is_exact
from multideid.stacking.span_repeats import repeat_columns
from multideid.text.bio import tag_runs
from multideid.text.table import TokenTable

PLAIN = ScoreNormalisation(0.0, 1.0)


def only(marked: str) -> tuple[object, SpanCandidates]:
    """Return the tokens, and the marked spans as the candidates."""
    tokens, tags = tags_of(marked)
    first, last, label = (c.astype(np.int64) for c in tag_runs(tokens.document, tags))
    return tokens, SpanCandidates(first, last, label, np.arange(len(first)))


@pytest.mark.parametrize(
    ("decided", "relation"),
    [
        ("a b c d", 0),
        ("a NAME[b c] d", 1),
        ("a DATE[b c] d", 2),
        ("a NAME[b c d]", 3),
        ("a NAME[b] c d", 4),
        ("a DATE[b] c d", 5),
        ("NAME[a b c] d", 6),
        ("a b NAME[c] d", 7),
        ("a b DATE[c] d", 8),
        ("NAME[a b c d]", 9),
        ("NAME[a b] c d", 10),
        ("DATE[a b] c d", 11),
    ],
)
def test_how_decided_spans_lie_to_a_candidate(decided: str, relation: int) -> None:
    tokens, candidates = only("a NAME[b c] d")
    voters = [tags_of(decided)[1], tags_of("a b c d")[1]]
    relations = DecidedSpans(tokens, voters).relations(candidates)
    assert relations.tolist() == [[relation], [0]]
    assert is_exact(relations).tolist() == [[relation == 1], [False]]


@pytest.mark.parametrize(
    ("decided", "goes_on"),
    [
        ("a NAME[b c] d", (False, False)),
        ("NAME[a b] c d", (True, False)),
        ("NAME[a] NAME[b c] d", (False, False)),
        ("NAME[a] b c d", (False, False)),
        ("a b c NAME[d]", (False, False)),
        ("a NAME[b c d]", (False, True)),
        ("DATE[a b c d]", (False, False)),
    ],
)
def test_whether_a_decided_span_of_the_label_goes_on(decided: str, goes_on) -> None:
    tokens, candidates = only("a NAME[b c] d")
    voters = [tags_of("a b c d")[1], tags_of(decided)[1]]
    left, right = DecidedSpans(tokens, voters).goes_on(candidates)
    assert (left.tolist(), right.tolist()) == tuple([[False], [side]] for side in goes_on)


@pytest.mark.parametrize(
    ("marked", "others", "value"),
    [
        ("NAME[Ann Lee] came. Ann Lee left", "", 0),
        ("NAME[Ann Lee] came. Ann Lee left", "Ann Lee came. NAME[Ann Lee] left", 1),
        ("NAME[Ann Lee] came. ANN LEE left", "Ann Lee came. DATE[ANN LEE] left", 2),
        ("NAME[a] b a c a", "a b NAME[a] c DATE[a]", 3),
        ("NAME[a] b a c a", "a b DATE[a] c DATE[a]", 2),
        ("NAME[a] b a c a d a", "a b NAME[a] c DATE[a] d DATE[a]", 4),
        ("NAME[a] b a", "DATE[a] b a", 0),
        ("NAME[a] b a", "DATE[a] b NAME[a]", 1),
        ("NAME[Ann Lee] came. Ann Lee left", "Ann Lee came. NAME[Ann] Lee left", 0),
    ],
)
def test_what_was_decided_of_the_same_words_elsewhere(marked, others, value) -> None:
    tokens, candidates = only(marked)
    tags = tags_of(others or marked)[1]
    assert repeat_columns(tokens, candidates, tags)[0][0].tolist() == [value]


def test_last_and_first_words_are_compared_too() -> None:
    tokens, candidates = only("NAME[Ann Lee] came. Bo Lee left, Ann Ode stayed")
    _, tags = tags_of("Ann Lee came. NAME[Bo Lee] left, DATE[Ann Ode] stayed")
    columns = [column.tolist() for column, _ in repeat_columns(tokens, candidates, tags)]
    assert columns == [[0], [1], [2]]


def test_words_of_other_documents_do_not_count() -> None:
    tokens, candidates = only("NAME[Ann] came\nAnn left")
    split = type(tokens).from_texts(["Ann came\n", "Ann left"])
    tags = np.zeros(len(split), dtype=np.int32)
    tags[int(split.first[1])] = 3
    assert repeat_columns(split, candidates, tags)[0][0].tolist() == [0]


def test_a_word_is_not_taken_for_words_of_the_first_document() -> None:
    tokens = TokenTable.from_texts(["ann lee x", "lee y"])
    candidates = SpanCandidates(*(np.array([value]) for value in (3, 3, 1, 0)))
    tags = np.array([3, 4, 0, 0, 0], dtype=np.int32)
    assert [column.tolist() for column, _ in repeat_columns(tokens, candidates, tags)] == [[0]] * 3


def test_very_long_spans_are_compared_too() -> None:
    n = 50_000
    tokens = TokenTable.from_texts(["a " * n + "b " + "a " * n])
    candidates = SpanCandidates(*(np.array([value]) for value in (0, n - 1, 1, 0)))
    tags = np.full(2 * n + 1, 4, dtype=np.int32)
    tags[: n + 1], tags[n + 1] = 0, 3
    columns = [column.tolist() for column, _ in repeat_columns(tokens, candidates, tags)]
    assert columns == [[1], [1], [1]]


def forms(marked: str) -> list[int]:
    tokens, candidates = only(marked)
    return [column.item() for column, _ in form_columns(tokens, candidates)]


def test_neighbours_on_other_lines_do_not_count() -> None:
    assert forms("ward 3\nNAME[Ann]\n4 beds")[2:4] == forms("NAME[Ann]")[2:4]
    assert forms("3 NAME[Ann] 4")[2:4] != forms("NAME[Ann]")[2:4]


def test_a_line_end_of_two_characters_is_one_of_one() -> None:
    one, two = (forms(f"ward 3{end}NAME[Ann{end}Lee]{end}4 beds") for end in ("\n", "\r\n"))
    assert one == two


@pytest.mark.parametrize(
    ("marked", "flag"),
    [
        ("NAME[Ann   Lee]", 0),
        ("NAME[Ann\nLee]", 1),
        ("NAME[Lee, Ann]", 2),
        ('NAME[Ann "Bo Lee]', 3),
        ("NAME[Ann (Lee]", 4),
        ("x-NAME[Ann]", 5),
        ("NAME[Ann]/", 6),
    ],
)
def test_flags_of_a_candidate(marked: str, flag: int) -> None:
    flags = forms(marked)[5:]
    assert flags[flag]
    assert not any(forms("to NAME[Ann Lee] now")[5:])


def test_length_is_counted_up_to_seven() -> None:
    lengths = [forms(f"NAME[{'a ' * n}a]")[4] for n in range(9)]
    assert lengths == [0, 1, 2, 3, 4, 5, 6, 6, 6]


def test_scores_are_the_normalised_ones_of_the_tags_of_the_span() -> None:
    tokens, candidates = only("a NAME[b c] d")
    values = scores_of(tags_of("a NAME[b c d]")[1])
    values[1] *= 0.5
    features = SpanFeatures.of(tokens, candidates, [tags_of("a b c d")[1]] * 2, [values], [PLAIN])
    # The mean, the least, "inside" at the first token, and after the last.
    assert features.scores.tolist() == [[0.75, 0.5, 0.0, 1.0]]


@pytest.mark.parametrize("n_systems", [1, 3])
def test_columns_are_as_many_as_announced(n_systems: int) -> None:
    tokens, candidates = only("to NAME[Ann Lee] on DATE[3/4]")
    decided = [tags_of("to NAME[Ann] Lee on DATE[3/4]")[1]] * (n_systems + 1)
    scores = [scores_of(decided[0])] * n_systems
    features = SpanFeatures.of(tokens, candidates, decided, scores, [PLAIN] * n_systems)
    assert (features.width, features.scores.shape[1]) == n_columns(n_systems)
    assert features.active.max() < features.width
