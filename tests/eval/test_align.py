"""Two corpora are paired by id, or refused with a word of where they part."""

from __future__ import annotations

from typing import Any

import pytest

from multideid.document import Document, FailedDocument
from multideid.eval.metrics.align import AlignmentError, align

GOLD = [Document("a", "Seen by Dr. Lee."), Document("b", "Discharged on 3/4.")]


def test_documents_are_paired_whatever_their_order() -> None:
    gold, predicted = align(GOLD, [d.with_spans([]) for d in reversed(GOLD)])
    assert [d.id for d in gold] == [d.id for d in predicted] == ["a", "b"]


@pytest.mark.parametrize(("gold", "predicted", "name"), [([], GOLD, "gold"), (GOLD, [], "mist")])
def test_an_empty_corpus_is_refused_by_name(
    gold: list[Document], predicted: list[Document], name: str
) -> None:
    with pytest.raises(AlignmentError, match=f"the {name} corpus has no documents"):
        align(gold, predicted, "mist")


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        ([GOLD[0].spans, GOLD[1]], "element 0 of the mist corpus is of type tuple"),
        ([GOLD[0], "Discharged on 3/4."], "element 1 of the mist corpus is of type str"),
        ([GOLD[0], FailedDocument("b", "is too long")], "no spans for 'b', which failed: is too"),
    ],
)
def test_what_is_no_document_is_refused_by_its_place(found: list[Any], problem: str) -> None:
    with pytest.raises(AlignmentError, match=problem) as refused:
        align(GOLD, found, "mist")
    assert "Discharged" not in str(refused.value)


def test_missing_and_extra_documents_are_named() -> None:
    with pytest.raises(AlignmentError) as refused:
        align(GOLD, [GOLD[0], Document("c", "Seen.")], "mist")
    assert "the mist corpus lacks 'b'" in str(refused.value)
    assert "the gold corpus lacks 'c'" in str(refused.value)


def test_only_a_few_of_many_missing_documents_are_named() -> None:
    many = [Document(f"n{n}", "x") for n in range(9)]
    with pytest.raises(AlignmentError, match=r"lacks 'n1', 'n2', 'n3', 'n4', 'n5' and 3 more \("):
        align(many, many[:1])


def test_an_id_used_twice_is_refused() -> None:
    with pytest.raises(AlignmentError, match=r"gold corpus has more than one document .* 'a'"):
        align([*GOLD, GOLD[0]], GOLD)


@pytest.mark.parametrize(
    ("text", "offset"), [("Seen by Mr. Lee.", 8), ("Seen by Dr. Lee.\n", 16), ("Seen", 4)]
)
def test_texts_that_differ_are_refused_with_document_and_offset(text: str, offset: int) -> None:
    with pytest.raises(AlignmentError) as refused:
        align(GOLD, [Document("a", text), GOLD[1]])
    assert f"document 'a': the texts differ from character {offset} on" in str(refused.value)
    assert "Lee" not in str(refused.value)
