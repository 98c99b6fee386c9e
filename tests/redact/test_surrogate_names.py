"""Surrogates of names keep their form, and refer to the same people."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.redact import Key, Realistic, Surrogates, WordKind
from multideid.redact.invented.name_pools import is_first_name, pool, sexes
from multideid.redact.spelling import fold, words_of

KEY = Key.from_secret(b"the key of these tests")
NAMES = st.sampled_from(
    "Martha Alder|Alder|ALDER|M. Alder|Alder, Martha|Martha Q. Alder|Jim Beech|Beech-Alder|JB|"
    "Mary O'Brien|Ana de la Cruz|Li|KIM|Dr. Beech|Alder's".split("|")
)


def named(*texts: str, label: str = "PATIENT", **options) -> list[str]:
    """Return the surrogates of names in one document."""
    spans, at = [], 0
    for text in texts:
        spans.append(Span(at, at + len(text), label))
        at += len(text) + 1
    return Surrogates(KEY, **options).of(Document("d", "\n".join(texts), tuple(spans)))


@pytest.fixture(scope="module")
def alder() -> tuple[str, str]:
    """Return the first and last name of the surrogate of Martha Alder."""
    first, last = named("Martha Alder")[0].split()
    return first, last


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Alder", "{last}"),
        ("ALDER", "{LAST}"),
        ("alder", "{small}"),
        ("MARTHA ALDER", "{FIRST} {LAST}"),
        ("M. Alder", "{f}. {last}"),
        ("M.A.", "{f}.{l}."),
        ("MA", "{f}{l}"),
        ("Alder, Martha", "{last}, {first}"),
        ("ALDER,MARTHA", "{LAST},{FIRST}"),
        ("Alder's", "{last}'s"),
        ("Martha\nAlder", "{first}\n{last}"),
        ("Dr. Alder", "Dr. {last}"),
        ("Mrs. M. Alder", "Mrs. {f}. {last}"),
        ("Alder, M.D.", "{last}, M.D."),
        ("Martha Alder Jr.", "{first} {last} Jr."),
        ("Martha", "{first}"),
        ("M. Alder, MD, PhD", "{f}. {last}, MD, PhD"),
        ("Martha Alder, NP", "{first} {last}, NP"),
        ("Mr. & Mrs. Alder", "Mr. & Mrs. {last}"),
        ("Baby Boy Alder", "Baby Boy {last}"),
        ("ALDER, BABY GIRL", "{LAST}, BABY GIRL"),
        ("Alder Jr., Martha", "{last} Jr., {first}"),
        ("Martha de la Alder", "{first} de la {last}"),
        ("MJ Alder", "{f}{j} {last}"),
        ("Dr. Alder MJ", "Dr. {last} {f}{j}"),
    ],
)
def test_variants_of_a_name_keep_their_form(alder: tuple[str, str], text: str, form: str) -> None:
    first, last = alder
    parts = {"first": first, "last": last, "FIRST": first.upper(), "LAST": last.upper()}
    initial = named("J")[0]
    expected = form.format(**parts, small=last.lower(), f=first[0], l=last[0], j=initial)
    assert named("Martha Alder", text)[1] == expected
    # Another document need not hold the full name.
    assert named(text) == [expected]


@pytest.mark.parametrize("name", ["Das", "De", "von"])
def test_a_particle_that_is_the_last_name_is_replaced(name: str) -> None:
    forms = ("{f} {l}", "{l}, {f}", "{l} {i}.", "Dr. {l} {i}", "{f} {l}'s", "{l}'s")
    texts = [form.format(f="Ravi", l=name, i="R") for form in forms]
    first, last = named(texts[0])[0].split()
    assert last != name
    assert named(*texts) == [form.format(f=first, l=last, i=first[0]) for form in forms]


def test_halves_of_a_hyphenated_name_are_those_of_the_names_alone(alder) -> None:
    both, other = named("Alder-Beech", "Beech")
    assert both == f"{alder[1]}-{other}"


def test_relatives_keep_the_shared_last_name(alder) -> None:
    patient, daughter, son = named("Martha Alder", "Susan Alder", "James Alder")
    assert patient == " ".join(alder)
    assert daughter.split()[1] == son.split()[1] == alder[1]
    assert len({name.split()[0] for name in (patient, daughter, son)}) == 3


@given(st.sampled_from(["female", "male"]), st.integers(0, 500))
def test_sex_of_a_known_first_name_is_kept(sex: str, n: int) -> None:
    kind = WordKind.FEMALE if sex == "female" else WordKind.MALE
    names = pool(kind, "en")[""]
    first = named(f"{names[n % len(names)]} Alder")[0].split()[0]
    assert sexes()[fold(first)] is kind


def test_middle_initial_changes_too() -> None:
    new = named("Martha Q. Alder")[0]
    assert re.fullmatch(r"[A-Z]\w+ [A-PR-Z]\. [A-Z]\w+", new)


def test_a_single_name_is_resolved_by_the_full_one() -> None:
    # Thomas alone may be either.
    full, alone = named("James Thomas", "Thomas")
    assert full.split()[1] == alone
    full, alone = named("Thomas James", "Thomas")
    assert full.split()[0] == alone


def test_spanish_people_have_two_last_names() -> None:
    full, last, first = named(
        "Ana Peral Olmo", "Peral Olmo", "Ana", label="NOMBRE_SUJETO_ASISTENCIA"
    )
    assert full == f"{first} {last}"
    assert fold(first) in {fold(name) for name in pool(WordKind.FEMALE, "es")[""]}


def test_letters_of_any_script_are_replaced_with_their_marks() -> None:
    texts = ["李伟", "Jose\u0301", "Ирина", "प्रिया", "Zoë"]
    for text, new in zip(texts, named(*texts), strict=True):
        assert set(new).isdisjoint(set(text) - set("Jose Zo"))
        assert new.isascii()


@pytest.mark.parametrize(
    "text", ["Don Beech", "Van Beech", "Di Beech", "do beech", "Kim Do", "Al B"]
)
def test_first_names_that_are_also_titles_or_particles_do_not_stay(text: str) -> None:
    kept = set(text.lower().split()) & set(named(text)[0].lower().split())
    assert kept == set()


@pytest.mark.parametrize("text", ["Ana de la Cruz", "ANA DE LA CRUZ", "de la Cruz", "Jan van Berg"])
def test_particles_stay(text: str) -> None:
    new = named(text)[0]
    particles = {"de", "la", "van", "DE", "LA"}
    assert [w for w in new.split() if w in particles] == [w for w in text.split() if w in particles]


def test_digits_in_a_name_are_replaced() -> None:
    new = named("Alder 7731")[0]
    assert re.fullmatch(r"[A-Z]\w+ [1-9]\d{3}", new)
    assert "7731" not in new


@given(st.lists(NAMES, min_size=1, max_size=8))
def test_no_word_of_a_name_of_the_document_is_used(texts: list[str]) -> None:
    kept = {"dr", "de", "la", "s"}
    words = {word for text in texts for word in words_of(text)} - kept
    new = {word for text in named(*texts) for word in words_of(text)} - kept
    assert {word for word in new & words if len(word) > 1} == set()


@given(st.lists(NAMES, min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_names_makes_no_difference(texts: list[str], random) -> None:
    other = list(texts)
    random.shuffle(other)
    assert dict(zip(texts, named(*texts), strict=True)) == dict(
        zip(other, named(*other), strict=True)
    )


def test_names_with_another_meaning_are_not_chosen() -> None:
    names = {fold(name) for name in pool(WordKind.LAST, "en")[""]}
    assert names.isdisjoint(["foley", "swan", "may", "bone", "mercy", "paris"])
    assert len(names) > 10_000


def test_more_people_are_called_martha_first_and_alder_last() -> None:
    assert is_first_name("martha")
    assert not is_first_name("alder")


def test_a_custom_vocabulary_is_used() -> None:
    class Permuted(Realistic):
        def word(self, kind, original, initial, draw, /):
            letters = list(original)
            return "".join(letters.pop(draw.below(len(letters))) for _ in original)

    new = named("Alexander", vocabulary=Permuted)[0]
    assert new != "Alexander"
    assert sorted(new.lower()) == sorted("alexander")


@pytest.mark.parametrize("name", ["Deepika", "Aoife", "Mary-Ann", "Jean-Pierre"])
def test_first_names_of_all_countries_stay_first_names(name) -> None:
    firsts = {fold(first) for first in pool(WordKind.FIRST, "en")[""]}
    assert set(words_of(named(name)[0])) <= firsts
