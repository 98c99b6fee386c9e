"""Generate PHI from templates, for placeholders without an original."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta

from multideid.document import Document, Span
from multideid.labels import SurrogateKind, surrogate_kind
from multideid.redact.invented.date_words import month
from multideid.redact.invented.name_pools import pool
from multideid.redact.invented.numbers import ordinal_ending
from multideid.redact.invented.surrogate_map import Draws
from multideid.redact.invented.vocabulary import WordKind
from multideid.redact.keys import Draw
from multideid.resynthesis.contexts import RELATIVES
from multideid.resynthesis.placeholders import inner_text

_PATIENTS = ("PATIENT", "NOMBRE_SUJETO_ASISTENCIA")
_OTHERS = 4
"""Number of people of a label in one document, except the patient."""

_FIRST_DAY, _DAYS, _ADMISSION = date(1995, 1, 1), 5_000, 40
_TITLE_BEFORE = re.compile(r"\b(?:Drs?|Mrs?|Ms|Miss|Prof|Sra?|Dra|D|Dña)\b\.?\s*$")
_RELATIVE_BEFORE = re.compile(rf"\b(?:{RELATIVES})\b\W*(?:is |named )?$", re.I)
_BIRTH_BEFORE = re.compile(r"\b(?:birth|born|dob|d\.o\.b|nacimiento|nacid[oa])\b.{0,12}$", re.I)
_YOUNGEST, _LIFE = 7_000, 20_000  # Days.
_WINDOW = 25  # Characters.
_FACILITY_AFTER = re.compile(
    r"'?s?\s+(?:\w+\s+)?(?:hospital|clinic|medical|health|nursing|unit|center)", re.I
)
_A_DATE = re.compile(r"\d{1,4}(?:[-/]\d{1,4}){0,2}")
_A_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_HOSPITALS = {
    "en": ("{} Hospital", "{} Memorial Hospital", "{} Medical Center", "{} Community Hospital",
           "{} Nursing Home"),
    "es": ("Hospital {}", "Hospital Universitario {}", "Clínica {}"),
}  # fmt: skip
# The formats of Sibanda & Uzuner (2006), 3, and others that occur in notes.
_DATE_FORMS = {
    "en": ("{m}/{d}/{yy}", "{m:02}/{d:02}/{y}", "{name} {d}, {y}", "{d} {name}, {y}", "{m}/{d}",
           "{name} {d}", "{d}{th} of {name}, {y}", "{y}-{m:02}-{d:02}"),
    "es": ("{d:02}/{m:02}/{y}", "{d} de {name} de {y}", "{m:02}/{y}"),
}  # fmt: skip
_PERSON_FORMS = ("{last}", "{last}", "{first} {last}", "{i}. {last}", "{i}. {j}. {last}")
_PARTIAL = {
    "first": re.compile(r"first ?name", re.I),
    "last": re.compile(r"last ?name", re.I),
    "i": re.compile(r"initial", re.I),
}
_FIXED = {
    SurrogateKind.PHONE: ("{0:03}-555-{1:04}", "({0:03}) 555-{1:04}"),
    SurrogateKind.NUMBER: ("{0:03}{1:04}", "{0:03}-{1:04}", "{1:04}{0:03}7"),
    SurrogateKind.EMAIL: ("a{0}@mail.org",),
    SurrogateKind.URL: ("www.site{0}.org",),
    SurrogateKind.ADDRESS: ("10.20.30.{0}",),
    SurrogateKind.PROFESSION: ("clerk",),
}


class TemplateGenerator:
    """Generates consistent PHI for one document.

    It determines the form only, since surrogates in the requested style replace it.
    The patient is the same person everywhere, and dates are within some weeks.

    Parameters
    ----------
    document : Document
    draws : callable
        Returns the random draws of the document, as `Key.draw`.
    language : {"en", "es"}
    """

    def __init__(self, document: Document, draws: Draws, language: str) -> None:
        self._document = document
        self._draws = draws
        self._language = language
        self._admitted = _FIRST_DAY + timedelta(days=draws("draft", "day").below(_DAYS))
        self._last = pool(WordKind.LAST, language)[""]
        self._writers: Mapping[SurrogateKind | None, Callable[[Span, Draw], str]] = {
            SurrogateKind.PERSON: self._person,
            SurrogateKind.DATE: self._date,
            SurrogateKind.INSTITUTION: self._institution,
            SurrogateKind.PLACE: lambda span, draw: pool(WordKind.CITY, language)[""].choose(draw),
            SurrogateKind.STREET: self._street,
            SurrogateKind.AGE: lambda span, draw: str(90 + draw.below(9)),
        }

    def generate(self, span: Span) -> str | None:
        """Return PHI for a span by its label and context; None for unknown labels.

        Equal placeholders with a number, such as ``[**Hospital1 18**]``, get the
        same PHI everywhere in the document.
        """
        kind = surrogate_kind(span.label)
        draw = self._draws("draft", span.label, self._identity(span))
        if kind in self._writers:
            return self._writers[kind](span, draw)
        if kind in _FIXED:
            return draw.choose(_FIXED[kind]).format(100 + draw.below(900), draw.below(10_000))
        return None

    def _identity(self, span: Span) -> str:
        text = self._document.span_text(span)
        return text if any(c.isdigit() for c in text) else str(span.start)

    def _before(self, span: Span) -> str:
        return self._document.text[max(0, span.start - _WINDOW) : span.start]

    def _person(self, span: Span, draw: Draw) -> str:
        text = self._document.span_text(span)
        before = self._before(span)
        form = draw.choose(_PERSON_FORMS)
        if _TITLE_BEFORE.search(before):
            form = "{last}"
        for part, hint in _PARTIAL.items():
            if hint.search(text):
                form = f"{{{part}}}"
        return form.format(**self._names_of(span.label, before, draw))

    def _names_of(self, label: str, before: str, draw: Draw) -> dict[str, str]:
        """Return the parts of the name of the patient, a relative or another person."""
        if label not in _PATIENTS:
            return self._names(label, str(draw.below(_OTHERS)))
        patient = self._names(label, "patient")
        if _RELATIVE_BEFORE.search(before):
            return {
                **self._names(label, f"relative {draw.below(_OTHERS)}"),
                "last": patient["last"],
            }
        return patient

    def _names(self, *who: str) -> dict[str, str]:
        draw = self._draws("draft", "person", *who)
        sex = draw.choose((WordKind.FEMALE, WordKind.MALE))
        first = pool(sex, self._language)[""].choose(draw)
        middle = draw.choose("ABCDEGHJLMPRST")
        return {"first": first, "last": self._last.choose(draw), "i": first[0], "j": middle}

    def _date(self, span: Span, draw: Draw) -> str:
        text = self._document.span_text(span)
        inner = inner_text(text)
        if _A_DATE.fullmatch(inner):
            return inner
        day = self._admitted + timedelta(days=draw.below(_ADMISSION))
        forms = _DATE_FORMS[self._language]
        if _BIRTH_BEFORE.search(self._before(span)):
            day -= timedelta(days=_YOUNGEST + draw.below(_LIFE))
            forms = tuple(form for form in forms if "{y" in form)
        if not inner and (year := _A_YEAR.search(text)):
            # A date that cannot be parsed, such as 2/30/2005 or winter 2005.
            day = date(int(year[0]), day.month, min(day.day, 28))
            in_words = any(c.isalpha() for c in text)
            forms = ("{name} {y}",) if in_words else ("{m}/{d}/{y}",)
        name = month("enero" if self._language == "es" else "january").series[day.month - 1]
        return draw.choose(forms).format(
            d=day.day, m=day.month, y=day.year, yy=f"{day.year % 100:02}",
            th=ordinal_ending(day.day),
            name=name if self._language == "es" else name.capitalize(),
        )  # fmt: skip

    def _institution(self, span: Span, draw: Draw) -> str:
        name = self._last.choose(draw)
        if _FACILITY_AFTER.match(self._document.text[span.end : span.end + 40]):
            return name
        return draw.choose(_HOSPITALS[self._language]).format(name)

    def _street(self, span: Span, draw: Draw) -> str:
        form = "Calle {1} {0}" if self._language == "es" else "{0} {1} Street"
        return form.format(1 + draw.below(900), self._last.choose(draw))
