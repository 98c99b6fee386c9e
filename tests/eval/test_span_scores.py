"""Span scores agree with naive and with well-known implementations."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.eval.metrics.span_metrics import count_spans

LABELS = ("AGE", "DATE", "NAME")
LENGTH = 12


@st.composite
def span_sets(draw: st.DrawFn) -> tuple[Span, ...]:
    cuts = sorted(draw(st.sets(st.integers(0, LENGTH), max_size=8)))
    spans = [Span(a, b, draw(st.sampled_from(LABELS))) for a, b in pairwise(cuts)]
    return tuple(span for span in spans if draw(st.booleans()))


corpora = st.lists(st.tuples(span_sets(), span_sets()), min_size=1, max_size=4)
Pairs = list[tuple[tuple[Span, ...], tuple[Span, ...]]]


def as_documents(pairs: Pairs) -> tuple[list[Document], list[Document]]:
    text = "x" * LENGTH
    gold = [Document(str(n), text, spans) for n, (spans, _) in enumerate(pairs)]
    return gold, [d.with_spans(spans) for d, (_, spans) in zip(gold, pairs, strict=True)]


@given(corpora)
def test_strict_scores_are_those_of_comparing_sets(pairs: Pairs) -> None:
    gold, predicted = as_documents(pairs)
    there = {(n, *span) for n, (spans, _) in enumerate(pairs) for span in spans}
    found = {(n, *span) for n, (_, spans) in enumerate(pairs) for span in spans}
    counts = count_spans(gold, predicted, LABELS)
    micro = counts.micro()
    assert (micro.correct, micro.predicted, micro.gold) == (
        len(there & found),
        len(found),
        len(there),
    )
    for label, score in counts.per_class().items():
        assert score.correct == sum(span[3] == label for span in there & found)
        assert score.predicted == sum(span[3] == label for span in found)
        assert score.gold == sum(span[3] == label for span in there)
    blind = count_spans(gold, predicted, LABELS, type_blind=True)
    assert blind.micro().correct == len({s[:3] for s in there} & {s[:3] for s in found})


@given(st.tuples(span_sets(), span_sets()), st.booleans())
def test_relaxed_matching_finds_the_most_pairs(
    pair: tuple[tuple[Span, ...], tuple[Span, ...]], type_blind: bool
) -> None:
    gold, predicted = as_documents([pair])
    counts = count_spans(gold, predicted, LABELS, matching="relaxed", type_blind=type_blind)
    assert counts.micro().correct == most_pairs(*pair, type_blind)


def most_pairs(gold: tuple[Span, ...], predicted: tuple[Span, ...], type_blind: bool) -> int:
    def match(a: Span, b: Span) -> bool:
        return a.start < b.end and b.start < a.end and (type_blind or a.label == b.label)

    for size in range(min(len(gold), len(predicted)), 0, -1):
        for some in combinations(gold, size):
            for others in permutations(predicted, size):
                if all(map(match, some, others)):
                    return size
    return 0


def test_one_long_prediction_finds_one_gold_span_only() -> None:
    gold, predicted = as_documents(
        [((Span(0, 2, "NAME"), Span(4, 6, "NAME")), (Span(0, 12, "NAME"),))]
    )
    score = count_spans(gold, predicted, LABELS, matching="relaxed").micro()
    assert (score.correct, score.recall) == (1, 0.5)


def test_labels_not_asked_for_are_left_out() -> None:
    gold, predicted = as_documents([((Span(0, 2, "NAME"), Span(4, 6, "AGE")), ())])
    assert count_spans(gold, predicted, ["AGE"]).micro().gold == 1


def test_there_is_no_other_matching() -> None:
    with pytest.raises(UsageError, match="choose from strict, relaxed"):
        count_spans([], [], LABELS, matching="exact")


def bio(spans: tuple[Span, ...]) -> list[str]:
    tags = ["O"] * LENGTH
    for start, end, label in spans:
        tags[start:end] = [f"B-{label}", *[f"I-{label}"] * (end - start - 1)]
    return tags


# Without any span seqeval's macro scores are NaN.
@given(corpora.filter(lambda pairs: any(map(any, pairs))))
@settings(deadline=None, max_examples=40)
def test_strict_scores_are_those_of_seqeval(pairs: Pairs) -> None:
    metrics = pytest.importorskip("seqeval.metrics.v1")
    scheme = pytest.importorskip("seqeval.scheme").IOB2
    gold, predicted = as_documents(pairs)
    counts = count_spans(gold, predicted, LABELS)
    tags = [[bio(spans[side]) for spans in pairs] for side in (0, 1)]
    options = {"scheme": scheme, "zero_division": 0}
    for average, score in (("micro", counts.micro()), ("macro", counts.macro())):
        expected = metrics.precision_recall_fscore_support(*tags, average=average, **options)[:3]
        assert (score.precision, score.recall, score.f()) == pytest.approx(expected)
    occurring = sorted({span.label for pair in pairs for spans in pair for span in spans})
    by_class = metrics.precision_recall_fscore_support(*tags, average=None, **options)
    for label, *expected in zip(occurring, *by_class, strict=True):
        score = counts.per_class()[label]
        figures = (score.precision, score.recall, score.f(), score.gold)
        assert figures == pytest.approx(tuple(expected))


@given(corpora)
@settings(deadline=None)
def test_strict_scores_are_those_of_nervaluate(pairs: Pairs) -> None:
    nervaluate = pytest.importorskip("nervaluate")
    gold, predicted = as_documents(pairs)
    tags = [[bio(spans[side]) for spans in pairs] for side in (0, 1)]
    evaluator = nervaluate.Evaluator(*tags, tags=list(LABELS), loader="list")
    overall = evaluator.evaluate()["overall"]
    for matching, type_blind in (("strict", False), ("exact", True)):
        score = count_spans(gold, predicted, LABELS, type_blind=type_blind).micro()
        assert (score.correct, score.predicted, score.gold) == (
            overall[matching].correct,
            overall[matching].actual,
            overall[matching].possible,
        )


@pytest.mark.parametrize("type_blind", [False, True])
def test_spans_that_only_touch_do_not_match_in_relaxed_mode(type_blind: bool) -> None:
    gold, predicted = as_documents(
        [((Span(2, 6, "NAME"),), (Span(0, 2, "NAME"), Span(6, 9, "NAME")))]
    )
    counts = count_spans(gold, predicted, LABELS, matching="relaxed", type_blind=type_blind)
    assert counts.micro().correct == 0


def test_spans_that_share_one_character_match_in_relaxed_mode() -> None:
    gold, predicted = as_documents([((Span(2, 6, "NAME"),), (Span(0, 3, "NAME"),))])
    assert count_spans(gold, predicted, LABELS, matching="relaxed").micro().correct == 1
