"""Properties of the surrogates of any document."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from template_notes import sample_corpus

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.label_schemes import SCHEMES
from multideid.labels import SurrogateKind, surrogate_kind
from multideid.redact import Key, Surrogates, generator, redact, rewrite
from multideid.redact.spelling import fold
from multideid.stacking import SingleDeidentifier

KEY = Key.from_secret(b"the key of these tests")
OTHER_KEY = Key.from_secret(b"some other key, as long")
LABELS = sorted({label for scheme in SCHEMES.values() for label in scheme} | {"BADGE"})
PHI = st.sampled_from(
    ["Martha Alder", "ALDER, M.", "Birchmont", "Birchmont Hospital", "BMH", "3/4/05", "March 2005",
     "2/30/05", "Monday", "92", "45", "7", "123-45-67", "(617) 555-0134", "jalder@birchmont.org",
     "https://www.birchmont.org/staff/alder.html", "10.0.0.1", "carpenter", "12 Oak Street",
     "Boston, MA 02139", "[REMOVED]", "Dr. X", "___", "varón", "\U0001f600"],
)  # fmt: skip


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Draw a document of PHI and any other text, with spans that may touch."""
    phi = st.tuples(st.one_of(PHI, st.text(min_size=1, max_size=12)), st.sampled_from(LABELS))
    text, spans = draw(st.text(max_size=8)), []
    for covered, label in draw(st.lists(phi, max_size=6)):
        spans.append(Span(len(text), len(text) + len(covered), label))
        text += covered + draw(st.text(max_size=8))
    return Document("d", text, tuple(spans))


def outside(document: Document) -> list[str]:
    """Return the segments of text between the spans, including the first and last."""
    starts = [0, *(span.end for span in document.spans)]
    ends = [*(span.start for span in document.spans), len(document.text)]
    return [document.text[a:b] for a, b in zip(starts, ends, strict=True)]


def note(*phi: tuple[str, str], name: str = "d", **meta: object) -> Document:
    """Write a document of PHI alone, one a line."""
    spans, at = [], 0
    for text, label in phi:
        spans.append(Span(at, at + len(text), label))
        at += len(text) + 1
    return Document(name, "\n".join(text for text, _ in phi), tuple(spans), meta)


@given(documents())
def test_text_outside_spans_and_number_order_and_labels_of_spans_are_kept(document) -> None:
    new = rewrite(document, Surrogates(KEY))
    assert outside(new) == outside(document)
    assert [span.label for span in new.spans] == [span.label for span in document.spans]
    assert new.text == redact(document, Surrogates(KEY))


@given(documents())
def test_no_surrogate_is_its_original_nor_another_of_the_document(document: Document) -> None:
    texts = [document.span_text(span) for span in document.spans]
    originals = {fold(text) for text in texts}
    for span, text, new in zip(document.spans, texts, Surrogates(KEY).of(document), strict=True):
        if new == f"[{span.label}]":
            continue
        assert new.casefold() != text.casefold()
        if surrogate_kind(span.label) not in (SurrogateKind.DATE, SurrogateKind.AGE):
            assert fold(new) not in originals


@given(documents())
@settings(max_examples=30)
def test_runs_with_one_key_agree(document: Document) -> None:
    assert Surrogates(KEY).of(document) == Surrogates(KEY).of(document)


def test_runs_with_two_keys_differ() -> None:
    for document in sample_corpus(3):
        one, other = (Surrogates(key).of(document) for key in (KEY, OTHER_KEY))
        same = sum(a == b for a, b in zip(one, other, strict=True))
        assert same < len(one) / 10


def test_documents_of_one_patient_agree_and_of_two_do_not() -> None:
    phi = [("Martha Alder", "PATIENT"), ("3/4/2005", "DATE"), ("4471920", "ID")]
    replacer = Surrogates(KEY, patient="mrn")
    first = replacer.of(note(*phi, name="a", mrn=17))
    again = replacer.of(note(("Birchmont Clinic", "HOSPITAL"), *phi, name="b", mrn=17))
    other = replacer.of(note(*phi, name="a", mrn=18))
    assert again[1:] == first
    assert all(a != b for a, b in zip(first, other, strict=True))


def test_documents_without_a_patient_are_each_of_another_one() -> None:
    phi = ("Martha Alder", "PATIENT")
    names = {Surrogates(KEY, patient="mrn").of(note(phi, name=name))[0] for name in "abc"}
    assert len(names) == 3
    # An id that reads like a document's is not taken for one.
    patient = Surrogates(KEY, patient="mrn").of(note(phi, name="x", mrn="a"))
    assert patient[0] not in names


# What pandas reads as missing, and in other case.
_MISSING = "NaN,nan,-NaN,NA,na,N/A,n/a,<NA>,#N/A,#NA,#N/A N/A,None,NULL,null,NaT,-1.#IND".split(",")


@pytest.mark.parametrize("missing", [None, "", "  ", float("nan"), pd.NA, pd.NaT, *_MISSING])
def test_a_missing_patient_is_no_patient(missing: object) -> None:
    replacer = Surrogates(KEY, patient="mrn")
    document = note(("Martha Alder", "PATIENT"), mrn=missing)
    assert replacer.patient_of(document) == "document d"
    assert replacer.patient_of(note(mrn=" 17 ")) == replacer.patient_of(note(mrn=17))


@pytest.mark.parametrize(
    ("parameter", "value"),
    [("date_order", "dayfirst"), ("date_order", 1), ("keep_weekday", "no"), ("patient", 3)],
)
def test_a_parameter_that_cannot_be_used_is_refused(parameter: str, value: object) -> None:
    with pytest.raises(UsageError, match=f"{parameter} must be "):
        Surrogates(KEY, **{parameter: value})


@pytest.mark.parametrize("text", ["Monday", "FRI.", "on Tuesday", "Mon - Wed"])
def test_a_weekday_without_a_date_stays_on_request_only(text: str) -> None:
    document = note((text, "DATE"), ("Monday, 3/5/2007", "DATE"))
    kept, moved = (Surrogates(KEY, keep_weekday=keep).of(document)[0] for keep in (True, False))
    assert kept == text
    assert moved not in (text, "[DATE]")


@pytest.mark.parametrize("number", [44719, 44719.0, "44719.0", "44719", " 44719.00 "])
def test_a_number_identifies_a_patient_whatever_the_column_holds_it_as(number: object) -> None:
    replacer = Surrogates(KEY, patient="mrn")
    assert replacer.patient_of(note(mrn=number)) == "patient 44719"
    assert replacer.patient_of(note(mrn=44719.5)) == "patient 44719.5"
    assert replacer.patient_of(note(mrn="044719")) == "patient 044719"


def test_dates_of_a_patient_are_all_shifted_alike() -> None:
    texts = [f"2005-{month:02}-15" for month in range(1, 13)]
    new = Surrogates(KEY).of(note(*((text, "DATE") for text in texts)))
    days = {(date.fromisoformat(b) - date.fromisoformat(a)).days for a, b in zip(texts, new, strict=True)}  # noqa: E501  # fmt: skip
    assert len(days) == 1
    assert 366 <= abs(days.pop()) <= 1826


def test_impossible_dates_become_the_label() -> None:
    assert Surrogates(KEY).of(note(("2/30/2005", "DATE"), ("soon", "DATE"))) == ["[DATE]"] * 2


def test_mail_address_of_a_person_follows_the_name() -> None:
    name, short, mail, plain = Surrogates(KEY).of(
        note(
            ("Martha Alder", "PATIENT"),
            ("malder@birchmont.org", "EMAIL"),
            ("martha.alder@birchmont.org", "EMAIL"),
            ("http://www.birchmont.org/alder/7.html", "URL"),
        )
    )
    first, last = name.lower().split()
    assert re.fullmatch(rf"{first[0]}{last}@[a-z]+\.org", short)
    assert re.fullmatch(rf"{first}\.{last}@[a-z]+\.org", mail)
    assert re.fullmatch(rf"http://www\.[a-z]+\.org/{last}/\d\.html", plain)
    assert "birchmont" not in short + mail + plain


@pytest.mark.parametrize("label", ["PATIENT", "NOMBRE_SUJETO_ASISTENCIA", "NAME", "patient"])
def test_labels_of_all_schemes_ask_for_the_same_kind(label: str) -> None:
    assert surrogate_kind(label) is SurrogateKind.PERSON


def test_unknown_labels_keep_the_shape() -> None:
    assert re.fullmatch(r"[A-Z]-[1-9]\d{3}[a-z]", Surrogates(KEY).of(note(("B-1234x", "BADGE")))[0])


def test_every_label_of_every_scheme_has_a_kind() -> None:
    kinds = Counter(surrogate_kind(label) for scheme in SCHEMES.values() for label in scheme)
    assert None not in kinds
    assert set(kinds) == set(SurrogateKind)


def test_all_phi_of_generated_notes_has_a_surrogate() -> None:
    for document in sample_corpus(5):
        new = Surrogates(KEY).of(document)
        masked = [n for n, s in zip(new, document.spans, strict=True) if n == f"[{s.label}]"]
        assert masked == []


@pytest.mark.parametrize("label", LABELS)
def test_spans_of_any_length_are_replaced_soon(label: str) -> None:
    for text in (
        " " * 20_000,
        "-" * 20_000,
        "3/4/05 " * 3_000,
        "a" * 20_000,
        "a-" * 150,
        " " * 299,
    ):
        assert Surrogates(KEY).of(note((text, label)))[0] != text


def test_rules_find_as_much_in_notes_with_surrogates() -> None:
    corpus = sample_corpus(12, seed=5)
    rules = SingleDeidentifier("mimic").fit(corpus)

    def found(documents: list[Document]) -> Counter[str]:
        pairs = zip(documents, rules.predict(documents), strict=True)
        return Counter(s.label for gold, new in pairs for s in gold.spans if s in new.spans)

    before = found(corpus)
    after = found([rewrite(document, Surrogates(KEY)) for document in corpus])
    # Ages over 89 are no longer ages.
    assert sum(after[label] - before[label] for label in before if label != "AGE") >= -5
    assert all(after[label] >= 0.9 * before[label] for label in ("DATE", "DOCTOR", "ID", "PHONE"))


def test_spans_can_be_replaced_one_by_one() -> None:
    replacer = Surrogates(KEY)
    documents = sample_corpus(2)
    for document in (*documents, *documents):
        each = [replacer(document, span) for span in document.spans]
        assert each == replacer.of(document)


def test_every_kind_but_the_generic_one_has_a_writer() -> None:
    assert set(generator.WRITERS) == {None, *SurrogateKind} - {SurrogateKind.GENERIC}


def test_a_writer_in_the_table_is_used_for_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    def upside_down(generator, span):
        yield generator.text(span)[::-1]

    document = note(("abc", "OTHER"), ("Alder", "PATIENT"))
    assert Surrogates(KEY).of(document)[0] == "[OTHER]"
    monkeypatch.setattr(
        generator, "WRITERS", {**generator.WRITERS, SurrogateKind.GENERIC: upside_down}
    )
    assert Surrogates(KEY).of(document)[0] == "cba"
