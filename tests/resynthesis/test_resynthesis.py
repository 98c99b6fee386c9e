"""Resynthesized corpora have the same text and new PHI with the same labels."""

from __future__ import annotations

import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from template_notes import sample_corpus

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.redact.keys import Key
from multideid.resynthesis import STYLES, resynthesize, seeded_key
from multideid.resynthesis.segments import segments

NAMES = ("PATIENT", "DOCTOR", "HOSPITAL", "LOCATION")
PHI = st.one_of(
    st.sampled_from(
        "Martha Alder|ALDER, M.|Dr. Lee|O'Brien-Beech|李伟|Birch Memorial Hospital|BMH|Boston, MA "
        "02114|12 Oak Street|3/4/05|2/30/05|March 4th|soon|447-19-20|(617) 555-0134|93|Peña|"
        "[REMOVED]|[**Last Name 12**]".split("|")
    ),
    st.text(min_size=1, max_size=12),
)
LABELS = st.sampled_from("PATIENT DOCTOR HOSPITAL LOCATION DATE ID PHONE AGE EMAIL BADGE".split())
KEY = Key.from_secret(b"the key of these tests")
key_of = cache(seeded_key)  # Making a key is slow on purpose.
styles = pytest.mark.parametrize("style", STYLES)


@st.composite
def documents(draw) -> Document:
    """Draw a document of segments with and without PHI, which may touch."""
    pieces, spans, at = [], [], 0
    for _ in range(draw(st.integers(0, 5))):
        between, phi = draw(st.text(max_size=8)), draw(PHI)
        spans.append(Span(at + len(between), at + len(between) + len(phi), draw(LABELS)))
        pieces += [between, phi]
        at = spans[-1].end
    return Document(draw(st.text(max_size=3)), "".join([*pieces, draw(st.text(max_size=8))]), spans)


def outside(document: Document) -> list[str]:
    return [text for label, text in segments(document) if label is None]


def inside(document: Document) -> list[str]:
    return [document.span_text(span) for span in document.spans]


@styles
@settings(max_examples=10)
@given(document=documents(), seed=st.integers(0, 3))
def test_text_outside_stays_and_phi_is_new(style: str, document: Document, seed: int) -> None:
    (new,) = resynthesize([document], style, key_of(seed))
    assert outside(new) == outside(document)
    assert [span.label for span in new.spans] == [span.label for span in document.spans]
    assert all(a != b for a, b in zip(inside(new), inside(document), strict=True))
    assert new.id == document.id


@styles
def test_equal_seeds_give_equal_corpora_and_others_differ(style: str) -> None:
    corpus = sample_corpus(2, seed=1)
    once, again, other = (resynthesize(corpus, style, key_of(n)) for n in (4, 4, 5))
    assert [d.text for d in once] == [d.text for d in again]
    assert all(a.text != b.text for a, b in zip(once, other, strict=True))


def test_without_a_key_each_corpus_differs() -> None:
    corpus = sample_corpus(1, seed=1)
    assert resynthesize(corpus)[0].text != resynthesize(corpus)[0].text


@styles
def test_equal_names_have_equal_surrogates(style: str) -> None:
    text = "Martha Alder; Mrs. ALDER; Susan Alder"
    spans = [Span(0, 12, "PATIENT"), Span(19, 24, "PATIENT"), Span(26, 37, "PATIENT")]
    (new,) = resynthesize([Document("n", text, spans)], style, key_of(2))
    patient, alone, daughter = inside(new)
    assert alone == patient.split()[1].upper() == daughter.split()[1].upper()
    assert patient.split()[0] != daughter.split()[0]


@styles
def test_dates_keep_their_distance_in_all_styles(style: str) -> None:
    spans = [Span(0, 9, "DATE"), Span(10, 19, "DATE")]
    (new,) = resynthesize([Document("n", "3/14/2004 3/19/2004", spans)], style, key_of(2))
    (m1, d1, y1), (m2, d2, y2) = ([int(x) for x in t.split("/")] for t in inside(new))
    assert y1 != 2004
    assert (y2 * 372 + m2 * 31 + d2) - (y1 * 372 + m1 * 31 + d1) in (5, 6, 7, 8)


def test_an_age_over_89_becomes_another_one() -> None:
    (new,) = resynthesize([Document("n", "a 93-year-old", [Span(2, 4, "AGE")])], key=key_of(0))
    assert re.fullmatch(r"a 9[0-24-9]-year-old", new.text)


def test_phi_of_no_kind_becomes_another_common_value_of_its_label() -> None:
    values = [*["male", "female"] * 5, "in a coma since the flood"]
    corpus = [Document(str(n), v, [Span(0, len(v), "OTHER")]) for n, v in enumerate(values)]
    new = [document.text for document in resynthesize(corpus, key=key_of(0))]
    assert new[:10] == ["female", "male"] * 5
    assert new[10] in ("male", "female")


def test_rare_values_of_phi_of_no_kind_are_not_used_elsewhere() -> None:
    corpus = [Document(str(n), v, [Span(0, len(v), "OTHER")]) for n, v in enumerate(["a b", "c"])]
    assert {document.text for document in resynthesize(corpus, key=key_of(0))} == {"[OTHER]"}


def test_a_date_that_does_not_exist_becomes_one_that_does() -> None:
    (new,) = resynthesize([Document("n", "2/30/05", [Span(0, 7, "DATE")])], key=key_of(0))
    assert re.search(r"\d", new.text)
    assert "[DATE]" not in new.text


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("winter 2005", r"[A-Z][a-z]+ (19|20)\d\d"),
        ("Q3 2005", r"[A-Z][a-z]+ (19|20)\d\d"),
        ("2/30/2005", r"\d{1,2}/\d{1,2}/(19|20)\d\d"),
    ],
)
def test_a_date_that_cannot_be_parsed_keeps_its_range_of_years(text: str, form: str) -> None:
    (new,) = resynthesize([Document("n", text, [Span(0, len(text), "DATE")])], key=key_of(0))
    assert re.fullmatch(form, new.text)
    assert 1 <= abs(int(new.text[-4:]) - 2005) <= 6


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("1950s", ("1940s", "1960s")),
        ("1990's", ("1980's", "2000's")),
        ("the late 90s", ("the late 80s", "the late 00s")),
    ],
)
def test_a_decade_becomes_the_one_before_or_after_it(text: str, others: tuple[str, str]) -> None:
    document = Document("n", text, [Span(0, len(text), "DATE")])
    new = {resynthesize([document], key=key_of(seed))[0].text for seed in range(8)}
    assert new == set(others)


def test_an_unknown_style_is_refused_with_a_list_of_styles() -> None:
    with pytest.raises(UsageError, match="shuffled"):
        resynthesize([], "sloppy")


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(UsageError, match="negative"):
        seeded_key(-1)
