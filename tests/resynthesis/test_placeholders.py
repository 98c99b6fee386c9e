"""Placeholders are found, labelled and filled, unless their type is unknown."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.resynthesis import (
    ModelTypes,
    annotated,
    blanked,
    find_placeholders,
    resynthesize,
    seeded_key,
    types_by_rules,
)

KEY = seeded_key(3)


def found(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(text[p.start : p.end], p.labels) for p in find_placeholders(text)]


def typed(text: str) -> list[str | None]:
    return [one.label for one in types_by_rules([Document("n", text)])[0]]


@pytest.mark.parametrize(
    ("placeholder", "labels"),
    [
        ("[REMOVED]", ()),
        ("[redacted]", ()),
        ("___", ()),
        ("[NAME]", ("PATIENT", "DOCTOR")),
        ("[DATE]", ("DATE",)),
        ("[PATIENT-3f9a2c07]", ("PATIENT",)),
        ("[**Known lastname 1234**]", ("PATIENT",)),
        ("[**Doctor Last Name **]", ("DOCTOR",)),
        ("[**Name (NI) **]", ("PATIENT", "DOCTOR")),
        ("[**Hospital1 18**]", ("HOSPITAL",)),
        ("[**2101-3-4**]", ("DATE",)),
        ("[**3-4**]", ("DATE",)),
        ("[**Telephone/Fax (1) 123**]", ("PHONE",)),
        ("[**Age over 90 **]", ("AGE",)),
        ("[**Medical Record Number **]", ("ID",)),
        ("[**State 3283**]", ("LOCATION",)),
        ("[** **]", ()),
        ("**NAME[AAA, BBB]", ("PATIENT", "DOCTOR")),
        ("**DATE[May 05]", ("DATE",)),
        ("MM/DD/YYYY", ("DATE",)),
        ("XXX-XX-XXXX", ("ID",)),
        ("(XXX) XXX-XXXX", ("PHONE",)),
        ("XXXX", ()),
    ],
)
def test_placeholders_are_found_with_the_labels_of_their_wording(
    placeholder: str, labels: tuple[str, ...]
) -> None:
    assert found(f"seen, {placeholder}, and so on") == [(placeholder, labels)]


@pytest.mark.parametrize(
    "text",
    ["[x] yes [ ] no", "47,XXX", "[sic]", "___________", "see [1] and [A]", "Dr. X. Alder", "I**2",
     "_name_", "[OTHER]", "Factor X", "[...]"],
)  # fmt: skip
def test_other_marks_are_no_placeholders(text: str) -> None:
    assert found(text) == []


def test_letters_after_a_title_are_placeholders() -> None:
    assert [p for p, _ in found("Dr. X and Mrs. ABC, seen at XYZ Hospital by Dr. X.")] == [
        "X", "ABC", "XYZ", "X",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Seen by Dr. [REMOVED] today", "DOCTOR"),
        ("Attending: [REMOVED]", "DOCTOR"),
        ("Dictated by [REMOVED], M.D.", "DOCTOR"),
        ("Mrs. ___ slept", "PATIENT"),
        ("his daughter [REMOVED] came", "PATIENT"),
        ("She lives in [REMOVED].", "LOCATION"),
        ("transferred to [REMOVED].", "HOSPITAL"),
        ("at the [REMOVED] Health Center", "HOSPITAL"),
        ("admitted on [REMOVED] with", "DATE"),
        ("Clonidine since [REMOVED] to", "DATE"),
        ("MRN: [REMOVED]", "ID"),
        ("Account # [REMOVED]", "ID"),
        ("pager [REMOVED]", "PHONE"),
        ("a [REMOVED]-year-old woman", "AGE"),
        ("zeta [REMOVED] zeta", None),
    ],
)
def test_context_gives_the_label(text: str, label: str | None) -> None:
    assert typed(text) == [label]


def test_context_chooses_among_the_labels_of_the_wording() -> None:
    assert typed("Dr. [**Last Name (LF) 12**] on [**Name (NI) **]") == ["DOCTOR", "PATIENT"]


def test_first_and_last_name_side_by_side_are_of_one_person() -> None:
    assert typed("Dr. [**First Name8 (NP2) **] [**Last Name (NP1) **]") == ["DOCTOR", "DOCTOR"]


def test_letters_after_a_title_are_filled_with_a_name() -> None:
    documents, _ = annotated([Document("n", "Dr. X of ABC Hospital")])
    (new,) = resynthesize(documents, key=KEY)
    assert re.fullmatch(r"Dr\. [A-Z][a-z]\w+ of [A-Z][a-z]\w+ Hospital", new.text)


def test_a_span_that_a_placeholder_is_a_part_of_keeps_its_other_words() -> None:
    text = "Dr. [REMOVED]; [REMOVED] Health Center"
    spans = [Span(0, 13, "DOCTOR"), Span(15, 38, "HOSPITAL")]
    (new,) = resynthesize([Document("n", text, spans)], key=KEY)
    assert re.fullmatch(r"Dr\. [A-Z]\w+; [A-Z]\w+ Health Center", new.text)


def test_placeholders_get_spans_and_are_counted_by_source() -> None:
    text = "Mr. [REMOVED] [**2101-3-4**] zeta [REMOVED] zeta; [REMOVED]"
    document = Document("n", text, [Span(len(text) - 9, len(text), "HOSPITAL")])
    (new,), report = annotated([document])
    assert [s.label for s in new.spans] == ["PATIENT", "DATE", "HOSPITAL"]
    assert new.text == text
    figures = report.to_dict()
    assert figures["by_label"] == {"DATE": {"wording": 1}, "PATIENT": {"context": 1}}
    assert figures["left"] == 1
    assert figures["each"][0] == {
        "document": "n", "start": 4, "end": 13, "label": "PATIENT", "source": "context",
    }  # fmt: skip
    assert len(figures["each"]) == 3


def test_a_filled_placeholder_fits_its_place() -> None:
    text = (
        "Dr. [REMOVED] of [REMOVED] Hospital on [**3-4**]; [**Hospital1 18**], [**Hospital1 18**]"
    )
    documents, _ = annotated([Document("n", text)])
    (new,) = resynthesize(documents, key=KEY)
    doctor, hospital, day, first, again = (new.span_text(span) for span in new.spans)
    assert re.fullmatch(r"[A-Z][A-Za-z]+", doctor)
    assert "ospital" not in hospital
    assert re.fullmatch(r"\d{1,2}-\d{1,2}", day)
    assert first == again


def test_the_patient_is_one_person_and_a_relative_another_of_the_same_name() -> None:
    text = "[**Known firstname 1**] [**Known lastname 2**]; Mr. ___; daughter [**First Name 3**]"
    documents, _ = annotated([Document("n", text)])
    (new,) = resynthesize(documents, key=KEY)
    first, last, again, daughter = (new.span_text(span) for span in new.spans)
    assert last == again
    assert daughter not in (first, last)


@settings(max_examples=15)
@given(
    st.lists(
        st.sampled_from(
            "Dr. |[REMOVED]|___|[**Hospital1 18**]| on |MRN |\n|é|[DATE]|**NAME[AA]|XXXX|李".split(
                "|"
            )
        )
    )
)
def test_filling_keeps_the_text_outside_spans(pieces: list[str]) -> None:
    text = "".join(pieces)
    documents, report = annotated([Document("n", text)])
    (new,) = resynthesize(documents, key=KEY)
    kept = re.split(
        "|".join(re.escape(text[s.start : s.end]) for s in documents[0].spans) or "$", text
    )
    assert len(new.spans) == len(report.found) - report.left
    assert all(piece in new.text for piece in kept)


class Keywords:
    """A model that labels two forms of PHI after two words."""

    labels_ = ("WARD", "BADGE")

    def predict(self, documents: Iterable[Document], /) -> list[Document]:
        forms = (r"ward (\[REMOVED\])", "WARD"), (r"badge (\d{5})", "BADGE")
        return [
            d.with_spans(
                Span(*m.span(1), label) for p, label in forms for m in re.finditer(p, d.text)
            )
            for d in documents
        ]


def test_a_model_gives_types_in_its_own_labels() -> None:
    document = Document("n", "ward ___, badge XXXX, Dr. X and zeta [REMOVED]")
    (new,), report = annotated([document], ModelTypes(Keywords()))
    assert [(new.span_text(s), s.label) for s in new.spans] == [("___", "WARD"), ("XXXX", "BADGE")]
    assert report.by_label == {"BADGE": {"model": 1}, "WARD": {"model": 1}}
    assert report.left == 2


def test_a_model_is_not_used_without_placeholders() -> None:
    assert ModelTypes(Keywords())([Document("n", "none")]) == [[]]


def test_blanked_documents_keep_their_labels() -> None:
    new = blanked(Document("n", "Dr. Lee, 3/4", [Span(4, 7, "DOCTOR"), Span(9, 12, "DATE")]))
    assert new.text == "Dr. [REMOVED], [REMOVED]"
    assert [s.label for s in new.spans] == ["DOCTOR", "DATE"]
