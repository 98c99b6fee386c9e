"""Corpora made again have the same text and new PHI under the same labels."""

from __future__ import annotations

import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from template_notes import sample_corpus

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.redact.invented.name_pools import pool
from multideid.redact.invented.vocabulary import WordKind
from multideid.redact.keys import Key
from multideid.redact.spelling import fold, words_of
from multideid.resynthesis import STYLES, resynthesize, seeded_key
from multideid.resynthesis.ambiguous import Ambiguous
from multideid.resynthesis.out_of_dictionary import OutOfDictionary, is_listed
from multideid.resynthesis.segments import segments, words_outside
from multideid.resynthesis.shuffled import Shuffled, syllables

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
def test_a_seed_gives_the_same_corpus_and_another_one_another(style: str) -> None:
    corpus = sample_corpus(2, seed=1)
    once, again, other = (resynthesize(corpus, style, key_of(n)) for n in (4, 4, 5))
    assert [d.text for d in once] == [d.text for d in again]
    assert all(a.text != b.text for a, b in zip(once, other, strict=True))


def test_without_a_key_chance_decides() -> None:
    corpus = sample_corpus(1, seed=1)
    assert resynthesize(corpus)[0].text != resynthesize(corpus)[0].text


@styles
def test_the_same_name_stays_the_same_name(style: str) -> None:
    text = "Martha Alder; Mrs. ALDER; Susan Alder"
    spans = [Span(0, 12, "PATIENT"), Span(19, 24, "PATIENT"), Span(26, 37, "PATIENT")]
    (new,) = resynthesize([Document("n", text, spans)], style, key_of(2))
    patient, alone, daughter = inside(new)
    assert alone == patient.split()[1].upper() == daughter.split()[1].upper()
    assert patient.split()[0] != daughter.split()[0]


@styles
def test_dates_keep_their_distance_whatever_the_style(style: str) -> None:
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


def test_an_unknown_style_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="shuffled"):
        resynthesize([], "sloppy")


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(UsageError, match="negative"):
        seeded_key(-1)


@settings(max_examples=30)
@given(
    st.sampled_from(WordKind),
    st.sampled_from(["", *"ABCDEFGHJKLMNPRSTVWQXZ"]),
    st.integers(0, 10_000),
    st.sampled_from(["en", "es"]),
)
def test_out_of_dictionary_words_are_in_no_list(
    kind: WordKind, initial: str, n: int, language: str
) -> None:
    new = OutOfDictionary(language).word(kind, "alder", initial, KEY.draw(str(n)))
    assert not any(is_listed(word) for word in words_of(new))


def test_names_out_of_dictionary_are_in_no_list_but_for_initials_and_kept_words() -> None:
    text = "Martha Alder Boston MA France Birch"
    labels = ["PATIENT", "PATIENT", "LOCATION", "LOCATION", "LOCATION", "HOSPITAL"]
    spans = [Span(*m.span(), x) for m, x in zip(re.finditer(r"\w+", text), labels, strict=True)]
    for seed in range(4):
        (new,) = resynthesize([Document("n", text, spans)], "out-of-dictionary", key_of(seed))
        assert not any(is_listed(word) for word in words_of(new.text))


def test_lists_hold_words_of_phrases_whatever_their_case_and_accents() -> None:
    assert all(map(is_listed, ("York", "SUSAN", "León", "foley", "Hermosillo")))
    assert not is_listed("Ymfgkstjj")


@cache
def letters_of(kind: WordKind) -> set[str]:
    return {"".join(sorted(fold(name))) for name in pool(kind, "en")[""]}


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.sampled_from([WordKind.FEMALE, WordKind.LAST]))
def test_shuffled_names_are_syllables_of_a_name_in_another_order(n: int, kind: WordKind) -> None:
    new = Shuffled("en").word(kind, "alder", "B", KEY.draw(str(n)))
    assert new[0] == "B"
    assert "".join(sorted(new.lower())) in letters_of(kind)


@pytest.mark.parametrize("name", ["Walker", "Yolanda", "Aaron", "Smith", "Peña", "Ng"])
def test_syllables_joined_are_the_word(name: str) -> None:
    assert "".join(syllables(name)) == name


def test_ambiguous_names_are_words_of_the_corpus_if_it_has_enough() -> None:
    words = frozenset(fold(name) for name in pool(WordKind.LAST, "en")[""][:40])
    words |= {"hill", "long", "rose", "bell", "brown", "may", "grace", "swan", "foley", "hart"}
    words |= {"wood", "stone", "cook", "price", "banks", "berry", "church", "day", "frost"}
    vocabulary = Ambiguous("en", words)
    new = {vocabulary.word(WordKind.LAST, "alder", "", KEY.draw(str(n))) for n in range(60)}
    assert len(new) > 8
    assert {fold(name) for name in new} <= words


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_kind_has_ambiguous_names_even_in_an_empty_corpus(language: str) -> None:
    vocabulary = Ambiguous(language)
    for n, kind in enumerate(WordKind):
        assert vocabulary.word(kind, "alder", "", KEY.draw(str(n)))
    assert len(vocabulary.initials) > 5


def test_words_outside_are_those_that_are_no_phi() -> None:
    document = Document("n", "Hill saw Mr. Hill, Alder", [Span(13, 17, "PATIENT")])
    assert words_outside([document]) == {"hill", "saw", "mr", "alder"}
