"""What is surely found once counts everywhere in a note."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.site.agreement import agreeing
from multideid.site.findings import Scored


def _again(text: str, *found: tuple[str, str, float | None]) -> list[tuple[int, str, str]]:
    spans = sorted(
        Scored(Span(text.index(t), text.index(t) + len(t), label), score)
        for t, label, score in found
    )
    (result,) = agreeing([Document("n", text)], [spans])
    return [(f.start, text[f.start : f.end], f.label) for f in result]


def test_parts_of_a_name_are_found_alone_and_in_any_case() -> None:
    text = "Deepika Iyer came. This is deepika, IYER's file."
    assert _again(text, ("Deepika Iyer", "PATIENT", 0.9)) == [
        (27, "deepika", "PATIENT"),
        (36, "IYER", "PATIENT"),
    ]


@pytest.mark.parametrize("text", ["Dr Will Price: will the price", "Wu Li, li", "Iyer Iyers"])
def test_ordinary_words_short_parts_and_parts_of_words_do_not_count(text) -> None:
    name = {"D": "Will Price", "W": "Wu Li", "I": "Iyer"}[text[0]]
    assert _again(text, (name, "DOCTOR", 1.0)) == []


def test_unsure_finds_do_not_count_and_finds_without_a_score_do() -> None:
    assert _again("Iyer, iyer", ("Iyer", "PATIENT", 0.4)) == []
    assert _again("Iyer, iyer", ("Iyer", "PATIENT", None)) == [(6, "iyer", "PATIENT")]


def test_other_phi_counts_as_a_whole() -> None:
    text = "St Osyth Clinic, id 44-7193. At st osyth clinic; id 447193; Osyth."
    found = _again(text, ("St Osyth Clinic", "HOSPITAL", 1.0), ("44-7193", "ID", 1.0))
    assert found == [(32, "st osyth clinic", "HOSPITAL"), (52, "447193", "ID")]


def test_the_label_is_the_most_frequent_one() -> None:
    text = "Iyer. Iyer A. Iyer B. iyer"
    spans = [Span(0, 4, "DOCTOR"), Span(6, 10, "PATIENT"), Span(14, 18, "PATIENT")]
    (found,) = agreeing([Document("n", text)], [[Scored(s) for s in spans]])
    assert [f.label for f in found] == ["PATIENT"]


def test_notes_of_one_patient_agree_and_those_of_others_do_not() -> None:
    first = Document("a", "Iyer", meta={"patient": 7})
    others = [Document(str(n), "iyer", meta={"patient": p}) for n, p in enumerate(("7", 8, ""))]
    found = agreeing([first, *others], [[Scored(Span(0, 4, "PATIENT"))], [], [], []])
    assert [len(f) for f in found] == [0, 1, 0, 0]


def test_letters_that_resemble_those_of_a_month_are_no_error() -> None:
    text = "On 2005-05-04: ma\u0131l, g\u0131u; 4 Ma\u0131 2005"
    assert _again(text, ("2005-05-04", "DATE", 1.0)) == [(26, "4 Ma\u0131 2005", "DATE")]


_DATES = st.sampled_from(["2005-05-04", "4 mai 2005", "4 Ma\u0131 2005", "ma\u0131l", " g\u0131u "])
_TEXTS = st.lists(st.text(max_size=30) | _DATES, max_size=5).map("".join)


@given(_TEXTS, st.data())
def test_nothing_that_is_found_overlaps_a_span(text, data) -> None:
    bounds = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    label = data.draw(st.sampled_from(["PATIENT", "DATE"]))
    spans = [Span(a, b, label) for a, b in zip(bounds[::2], bounds[1::2], strict=False)]
    (found,) = agreeing([Document("n", text)], [[Scored(s) for s in spans]])
    assert not [(f, s) for f in found for s in spans if f.start < s.end and s.start < f.end]
    assert all(0 <= f.start < f.end <= len(text) for f in found)
