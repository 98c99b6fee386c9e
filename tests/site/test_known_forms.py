"""Known values are found in the forms of notes, and ordinary words with evidence only."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document
from multideid.site import Site
from multideid.site.composed import Composed
from multideid.site.known_forms import forms_of
from multideid.site.newborns import with_designation
from multideid.site.occurrences import known_places, places_of
from multideid.site.step import SiteStep
from multideid.text.table import TokenTable

NAMES = {
    "Rosa Alder", "MacBirch", "O'Dell", "De la Cedro", "Mary Ann", "Baby Girl Dogwood", "Hope Elm",
    "Doe, Jane 44", "R. L.", "Newfir",
}  # fmt: skip


def _found(text: str, values: set[str], label: str = "PATIENT") -> list[str]:
    places = sorted(places_of(text, {label: values}))
    widest = [p for p in places if not any(o != p and o.start <= p.start < p.end <= o.end
                                           for o in places)]  # fmt: skip
    return list(dict.fromkeys(text[start:end] for start, end, _ in widest))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("seen Baby Boy Alder", ["Baby Boy Alder"]),
        ("b/o alder, well", ["b/o alder"]),
        ("TWIN II ALDER", ["TWIN II ALDER"]),
        ("ALDER, BG A born", ["ALDER, BG A"]),
        ("ALDER-TWIN 2.", ["ALDER-TWIN 2"]),
        ("Baby of Rosa Alder", ["Baby of Rosa Alder"]),
        ("Rosasgirl Alder", ["Rosasgirl Alder"]),
        ("Alder twin pregnancy, baby boy", ["Alder"]),
        ("baby girl of Dogwood", ["baby girl of Dogwood"]),
        ("The baby girl cried. Baby well.", []),
        ("Mac Birch; mac birch", ["Mac Birch", "mac birch"]),
        ("O Dell and ODell", ["O Dell", "ODell"]),
        ("DELACEDRO or de Lacedro", ["DELACEDRO", "de Lacedro"]),
        ("maryann", ["maryann"]),
        ("a new fir tree", []),
        ("Alder III, Elm Jr.", ["Alder III", "Elm Jr."]),
        ("DOE, JANE; Doe, Jane 44", ["DOE, JANE", "Doe, Jane 44"]),
        ("R. L. was", ["R. L."]),
    ],
)
def test_names_are_found_whatever_becomes_of_them(text: str, found: list[str]) -> None:
    assert _found(text, NAMES) == found


@pytest.mark.parametrize(
    ("text", "known", "found"),
    [
        ("MRN 671452", "00671452", ["671452"]),
        ("0000671452.", "671452", ["0000671452"]),
        ("00 67:14_52", "00671452", ["00 67:14_52"]),
        ("mrn00671452", "00671452", ["00671452"]),
        ("no. 0048813", "RV0048813", ["0048813"]),
        ("CC\N{EN DASH}4471#B", "CC-4471-B", ["CC\N{EN DASH}4471#B"]),
        ("given 12 and 0201 ml", "0201", []),
        ("0.0 0 0 12, 12", "0000012", []),
        ("four four one nine zero", "four four one nine zero", ["four four one nine zero"]),
    ],
)
def test_numbers_are_found_with_other_marks_letters_and_zeros(
    text: str, known: str, found: list[str]
) -> None:
    assert _found(text, {known}, "MEDICALRECORD") == found


def test_a_short_number_needs_a_word_before_it() -> None:
    places = places_of("chart 0201, bed 0201", {"MEDICALRECORD": {"0201"}})
    assert [place.start for place in places] == [6]


@pytest.mark.parametrize("known", ["7 Mar 1951", "1951-03-07", "March 7th, 1951", "19510307"])
@pytest.mark.parametrize(
    "written",
    ["07-Mar-1951", "MAR 07,1951", "1951-Mar-07", "07Mar1951", "7 / 3 / 1951", "030751", "3.7.51"],
)
def test_known_dates_are_read_and_found_in_all_forms(known: str, written: str) -> None:
    assert _found(f"born {written}.", {known}, "DATE") == [written]
    assert _found("born 8 Mar 1951, 030851", {known}, "DATE") == []


def test_offsets_are_those_of_the_text_whatever_its_letters() -> None:
    text = "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}d00671452"
    assert _found(text, {"00671452"}, "MEDICALRECORD") in ([], ["00671452"])
    assert with_designation("Baby Alder", 5, 10) == (0, 10)
    assert with_designation("seen by Alder, well", 8, 13) == (8, 13)


def _step(text: str, score: float | None) -> list[tuple[str, float | None]]:
    """Return what is found in a note of Hope Elm, in which the model gives words a score."""
    step = SiteStep(Site(patients={"7": {"name": "Hope Elm"}}))
    note = Document("n", text, meta={"patient": "7"})
    asked: list[Document] = []

    def score_spans(documents: Sequence[Document]) -> list[tuple[float | None, ...]]:
        asked.extend(documents)
        return [(score,) * len(document.spans) for document in documents]

    (found,) = step.apply(TokenTable.from_documents([note]), [note], score_spans, ["PATIENT"])
    assert len(asked) == bool(re.search("hope", text))
    return [(text[one.span.start : one.span.end], one.score) for one in found]


def test_an_ordinary_word_is_a_name_if_the_model_finds_it_likely_enough() -> None:
    text = "we hope so"
    doubtful = known_places(text, {"PATIENT": {"Hope Elm"}}).doubtful
    assert [text[a:b] for a, b, _ in doubtful] == ["hope"]
    assert _step(text, 0.02) == []
    ((word, score),) = _step(text, 0.05)
    assert (word, score) == ("hope", pytest.approx(32 * 0.05 / (32 * 0.05 + 0.95)))


def test_an_ordinary_word_in_the_names_of_two_people_is_found_once() -> None:
    site = Site(patients={"7": {"name": "Hope Elm", "doctor": "Dr. Hope"}})
    note = Document("n", "She expressed hope.", meta={"patient": "7"})

    def score_spans(documents: Sequence[Document]) -> list[tuple[float | None, ...]]:
        return [(0.9,) * len(document.spans) for document in documents]

    tokens = TokenTable.from_documents([note])
    (found,) = SiteStep(site).apply(tokens, [note], score_spans, ["PATIENT", "DOCTOR"])
    assert [note.text[one.span.start : one.span.end] for one in found] == ["hope"]


def test_no_score_is_asked_for_without_doubt_and_none_is_needed() -> None:
    assert _step("we hope so", None) == []
    assert _step("for Elm", 0.0) == [("Elm", 1.0)]


@pytest.mark.parametrize(
    "written",
    [
        "March the 7th, 1951", "the seventh of March 1951", "3/7/'51", "7. M\u00e4rz 1951",
        "7 de marzo de 1951", "7 mars 1951", "MARCH SEVENTH 1951", "7th day of March 1951",
    ],
)  # fmt: skip
def test_known_dates_are_found_in_words_and_other_languages(written: str) -> None:
    (found,) = _found(f"born {written}.", {"1951-03-07"}, "DATE")
    assert found == written.removeprefix("the ")


def test_a_dotless_i_counts_as_an_i_in_the_name_of_a_month() -> None:
    text = "4 ma\u0131 2005; ma\u0131l of g\u0131u"
    assert _found(text, {"2005-05-04"}, "DATE") == ["4 ma\u0131 2005"]


def test_a_date_beside_another_one_is_found_whole() -> None:
    text = "1.2.1990, March 7, 1951; 4/3/31, Mar-07-1951"
    assert _found(text, {"1951-03-07"}, "DATE") == ["March 7, 1951", "Mar-07-1951"]
    assert _found("5 juin 1931", {"1931-06-19"}, "DATE") == []


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("617-555-0123 x22", "617.555.0123"),
        ("617-555-0199 (home), (617) 555-0123 (cell)", "617-555-0123"),
        ("617-555-0199 / 617-555-0123", "555-0123"),
        ("+47 22 33 44 55", "22334455"),
        ("020 7946 0123", "+44 20 7946 0123"),
        ("+44 20 7946 0123", "02079460123"),
        ("+34 912 345 678", "91 234 56 78"),
        ("912345678", "+34912345678"),
    ],
)
def test_known_phones_are_found_with_other_codes_and_without_what_is_beside_them(
    known: str, text: str
) -> None:
    assert _found(f"call {text} now", set(forms_of("PHONE", known)), "PHONE") == [text]


@pytest.mark.parametrize(
    "text",
    ["12 Oakvale Street", "12 OAKVALE ST.", "12 Oakvale St., Apt. 4, S\u00e3o Tom\u00e9 IA 50010"],
)
def test_known_addresses_are_found_by_line_and_abbreviated(text: str) -> None:
    known = set(forms_of("STREET", "12 Oakvale Street, Apartment 4, Sao Tome, IA 50010"))
    assert _found(f"at {text} alone", known, "STREET") == [text.removesuffix(".")]
    assert _found("in apt 4, or unit 12", known, "STREET") == []


@pytest.mark.parametrize("text", ["12 Oak Street", "12 OAK ST", "12 Oak St., Ames", "Oak street"])
def test_known_addresses_with_a_short_name_are_found_by_line(text: str) -> None:
    known = set(forms_of("STREET", "12 Oak Street, Apt 4, Ames, IA 50010"))
    assert _found(f"at {text}", known, "STREET") == [text.removesuffix("., Ames")]
    assert _found("12 oak trees, apt 4, IA 50010", known, "STREET") == []
    assert _found("a 10 day course", set(forms_of("STREET", "10 Day Street")), "STREET") == []


def test_known_places_are_found_without_accents_and_compounds_abbreviated() -> None:
    assert _found("in Malm\u00f6", {"MALMO"}, "CITY") == ["Malm\u00f6"]
    assert _found("Saint Olave Hosp.", {"St Olave Hospital"}, "HOSPITAL") == ["Saint Olave Hosp"]
    assert _found("Hauptstr. 5", {"Hauptstra\u00dfe 5"}, "STREET") == ["Hauptstr. 5"]


_ACCENTED = [
    ("HOSPITAL", "H\u00f4pital Saint-\u00c9tienne"), ("STREET", "Calle Mu\u00f1oz 12"),
    ("CITY", "M\u00e1laga"), ("EMAIL", "jos\u00e9@mail.example"), ("DATE", "4 f\u00e9vrier 2005"),
    ("DATE", "4 de febrero de mil novecientos cincuenta y d\u00f3s"), ("ID", "\u00c9T-4471"),
    ("PATIENT", "Zo\u00eb \u00c5lander"), ("CITY", "\uc11c\uc6b8"),
]  # fmt: skip


@pytest.mark.parametrize("forms", [("NFC", "NFD"), ("NFD", "NFC"), ("NFD", "NFD")])
@pytest.mark.parametrize(("label", "value"), _ACCENTED)
def test_letters_and_their_marks_may_be_in_one_character_or_several(label, value, forms) -> None:
    known, written = (unicodedata.normalize(form, value) for form in forms)
    text = unicodedata.normalize(forms[1], f"\u00c9t\u00e9: {written}, h\u00f4pital")
    assert _found(text, {known}, label) == [written]


_LETTERS = st.sampled_from([*"aEn3 .-", *"\u0301\u0302\u0323\u20dd", *"\u00e9\u1100\u1161\u11a8"])


@given(st.text(_LETTERS))
def test_composed_letters_have_the_offsets_of_all_their_characters(text: str) -> None:
    note = Composed.of(text)
    extents = note.extents or [(n, n + 1) for n in range(len(text))]
    covered = [n for start, end in dict.fromkeys(extents) for n in range(start, end)]
    assert covered == list(range(len(text)))
    for n, (start, end) in enumerate(extents):
        assert note.text[n] in unicodedata.normalize("NFC", text[start:end])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ms Ng and Mrs. O. came; Ng tube, O negative", ["Ng", "O"]),
        ("MS O negative; mr ng", []),
        ("Mrs. hope said", ["hope"]),
        ("Oak, H: HR 9; OAK H; Oak, H; Oak A-fib; Oak H 80", ["Oak", "OAK H", "Oak, H"]),
        ("A.-M. Oak, Oak, A-M", ["A.-M. Oak, Oak, A-M"]),
        ("Oak\N{EN DASH}Cruz", ["Oak\N{EN DASH}Cruz"]),
        ("por los dolores de la pierna, del, Los, DE LA", []),
        ("van de la Cruz, Dolores, Van", ["van de la Cruz, Dolores, Van"]),
        ("een van den, Van", ["Van"]),
        ("Oak's son, the Oaks", ["Oak"]),
    ],
)
def test_short_names_need_a_title_and_particles_a_name(text: str, found: list[str]) -> None:
    names = {"Hope Ng", "Oak, Anne-Marie", "de la Cruz, Dolores", "Van Oak"}
    assert _found(text, names) == found


def test_initials_alone_are_doubtful() -> None:
    places = known_places("for R.L., RL, P.O. of Lopez", {"PATIENT": {"Rosa Lopez"}})
    assert [(a, b) for a, b, _ in places.doubtful] == [(4, 7)]


@pytest.mark.parametrize(
    "text",
    [
        "grant came with duke",
        "smith is well, seen by john",
        "my name is hope",
        "a neighbour named hope",
    ],
)
def test_words_that_notes_seldom_have_and_names_after_a_cue_are_names(text: str) -> None:
    names = {"Grant Duke", "John Smith", "Hope Elm"}
    found = re.findall("grant|duke|smith|john|hope", text)
    assert _found(text, names) == found


@pytest.mark.parametrize(
    "text",
    ["the grant was refused", "his bill, a duke", "we hope so, it may be long", "each smith"],
)
def test_words_are_no_names_after_an_article_or_where_notes_often_have_them(text: str) -> None:
    names = {"Grant Duke", "John Smith", "Hope Long", "Bill May"}
    assert _found(text, names) == []


@pytest.mark.parametrize(
    ("known", "written"),
    [
        ("John Smith", "JSmith"),
        ("John Smith", "smithj"),
        ("John Smith", "john_smith"),
        ("John Q. Smith", "jqsmith"),
        ("Ivan Petrovich Sokolov", "IP Sokolov"),
        ("Ivan Petrovich Sokolov", "Sokolov I.P"),
        ("Ivan Petrovich Sokolov", "Ivan Petrovich"),
        ("Mar\u00eda Garc\u00eda L\u00f3pez", "L\u00f3pez Garc\u00eda"),
        ("Mar\u00eda Garc\u00eda L\u00f3pez", "Garcia-Lopez, M"),
        ("Mar\u00eda del Carmen Roble", "M.\u00aa Carmen"),
        ("Wei-Ming Chen", "WM Chen"),
        ("Wei-Ming Chen", "CHEN Weiming"),
        ("Li Na", "Li Na"),
        ("Li Na", "NA LI"),
        ("\u738b\u5c0f\u660e", "\u738b\u5c0f\u660e"),
        ("\u738b\u5c0f\u660e", "\u5c0f\u660e"),
        ("O'Neil", "O`Neil"),
        ("O'Neil", "O\u00b4Neil"),
        ("O'Neil", "O' Neil"),
        ("ONeil", "O\u2019Neil"),
        ("Smith-Jones", "SMITH JONES"),
        ("Smith Jones", "Smith\u2013Jones"),
    ],
)
def test_names_are_found_in_the_habits_of_other_countries_and_systems(
    known: str, written: str
) -> None:
    assert _found(f"and {written}; well", {known}) == [written]


def test_names_in_scripts_without_spaces_are_found_inside_of_text() -> None:
    assert _found("\u60a3\u8005\u738b\u5c0f\u660e\u4eca\u65e5", {"\u738b\u5c0f\u660e"}) == [
        "\u738b\u5c0f\u660e"
    ]


@pytest.mark.parametrize("text", ["LEEP done", "cabg, a pager", "li na k levels", "ct head"])
def test_names_with_initials_are_no_clinical_words(text: str) -> None:
    assert _found(text, {"Paul Lee", "Gil Cab", "Rob Page", "Li Na", "Carl Tann"}) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [("seen RLM today", ["RLM"]), ("seen R.L. here", ["R.L"]), ("seen RL, rlm", [])],
)
def test_initials_are_doubtful_in_notes_without_the_name_too(text: str, found: list[str]) -> None:
    places = known_places(text, {"PATIENT": {"Rosa Lopez Mora"}})
    assert (places.certain, [text[a:b] for a, b, _ in places.doubtful]) == ([], found)


@pytest.mark.parametrize(
    "written",
    [
        "siete de marzo de 1951",
        "siete de marzo de mil novecientos cincuenta y uno",
        "sept mars 1951",
        "sept mars mil neuf cent cinquante et un",
        "siebter M\u00e4rz 1951",
        "siebten Maerz neunzehnhunderteinundf\u00fcnfzig",
        "March seventh, nineteen fifty-one",
        "7.III.1951",
        "7-III-51",
        "07 03 1951",
        "7 maart 1951",
        "7 marzo 1951",
        "1951\u5e743\u67087\u65e5",
    ],
)
def test_known_dates_are_found_written_out_in_roman_months_and_more_languages(written: str) -> None:
    assert _found(f"born {written}.", {"1951-03-07"}, "DATE") == [written]
    assert _found(f"born {written}.", {"1951-03-08", "1952-03-07"}, "DATE") == []


@pytest.mark.parametrize(
    ("known", "written"),
    [
        ("06 12 34 56 78", "0033612345678"),
        ("+33 6 12 34 56 78", "06.12.34.56.78"),
        ("030 12345678", "+49 (0)30 12345678"),
        ("0412 345 678", "61412345678"),
        ("98765 43210", "+919876543210"),
    ],
)
def test_known_phones_are_found_with_the_code_of_any_country(known: str, written: str) -> None:
    assert _found(f"call {written} now", set(forms_of("PHONE", known)), "PHONE") == [written]


@pytest.mark.parametrize(
    ("known", "text", "found"),
    [
        ("123-45-6789", "SSN xxx-xx-6789", ["6789"]),
        ("123-45-6789", "***6789 or last 4: 6789", ["6789"]),
        ("123-45-6789", "in 6789 cells, xxx-xx-6788", []),
        ("123456789", "no. 123,456,789", ["123,456,789"]),
        ("123456789", "no. 123456789X", ["123456789X"]),
        ("ABC/2019/00456", "see ABC-2019-456", ["ABC-2019-456"]),
    ],
)
def test_known_numbers_are_found_masked_with_a_check_letter_and_without_inner_zeros(
    known: str, text: str, found: list[str]
) -> None:
    assert _found(text, {known}, "MEDICALRECORD") == found


@pytest.mark.parametrize(
    ("label", "known", "written"),
    [
        ("EMAIL", "j.fir@mail.example", "j.fir @ mail.example"),
        ("EMAIL", "j.fir@mail.example", "J.Fir(at)mail.example"),
        ("ZIP", "50010-1234", "50010"),
        ("STREET", "12 Oakvale Street", "Oakvale St"),
        ("STREET", "12 Oakvale Street", "12 Oakvale"),
        ("STREET", "12 rue de la Paix", "12 r. de la Paix"),
    ],
)
def test_known_contacts_are_found_in_shorter_forms(label: str, known: str, written: str) -> None:
    assert _found(f"at {written}; well", set(forms_of(label, known)), label) == [written]
