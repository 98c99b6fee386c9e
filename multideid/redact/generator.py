"""Generate the surrogates of one document, consistent with one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from multideid.document import Document, Span
from multideid.label_schemes import language_of
from multideid.labels import SurrogateKind, phi_class, surrogate_kind
from multideid.lazy import lazy
from multideid.redact.invented.ages import OVER, age_step, changed_age
from multideid.redact.invented.british import is_british
from multideid.redact.invented.contacts import Contacts
from multideid.redact.invented.dates import Dates, secret_offset
from multideid.redact.invented.fictional import fictional_phone
from multideid.redact.invented.forms import kind_by_form
from multideid.redact.invented.institutions import Institutions
from multideid.redact.invented.numbers import network_address, phone, same_shape
from multideid.redact.invented.people import Persons, other_profession
from multideid.redact.invented.places import Places
from multideid.redact.invented.pronouns import (
    outside_spans,
    sex_by_pronouns,
    sex_by_title,
)
from multideid.redact.invented.surrogate_map import Draws, SurrogateMap
from multideid.redact.invented.vocabulary import Vocabulary, WordKind
from multideid.redact.keys import Draw
from multideid.redact.modes import mask
from multideid.redact.spelling import fold, words_of

_TRIES = 20
_LONGEST = 300  # Characters; longer spans are no names, dates or numbers.
_SHORT = 4  # Characters; surrogates of names as short as this often collide.
_MAIL_HOST = "example.org"
_MAY_COLLIDE = (SurrogateKind.DATE, SurrogateKind.AGE)


class Conventions(NamedTuple):
    """How surrogates are written; parameters as for `Surrogates`."""

    keep_weekday: bool = False
    date_order: str | None = None
    for_corpora: bool = False


class SurrogateGenerator:
    """Generates a surrogate for each span of a document.

    Parameters
    ----------
    document : Document
    draws : callable
        Returns the random draws of the patient, as `Key.draw`.
    vocabulary : callable
        Returns the vocabulary of a language, ``"en"`` or ``"es"``.
    conventions : Conventions
    """

    def __init__(
        self,
        document: Document,
        draws: Draws,
        vocabulary: Callable[[str], Vocabulary],
        conventions: Conventions,
    ) -> None:
        self.conventions = conventions
        self._document = document
        self._originals = {fold(document.span_text(span)) for span in document.spans}
        words = {word for text in self._originals for word in words_of(text)}
        self.draws = draws
        self.language = language_of(span.label for span in document.spans)
        self.surrogate_map = SurrogateMap(draws, vocabulary(self.language), words)

    def surrogates(self) -> list[str]:
        """Return the surrogate of each span, in order.

        A span becomes its label in brackets if no surrogate can be generated
        that differs from the span itself and, except for dates and ages, from
        all other PHI of the document. Only ``90+`` stays.
        """
        return [self._surrogate(span) for span in self._document.spans]

    def text(self, span: Span) -> str:
        """Return the text of a span."""
        return self._document.span_text(span)

    @lazy
    def persons(self) -> Persons:
        """The names of people."""
        texts = self._texts(SurrogateKind.PERSON)
        sex = (
            None if self.conventions.for_corpora else sex_by_pronouns(outside_spans(self._document))
        )
        patients = [self.text(span) for span in self._document.spans if _is_patient(span)]
        return Persons(
            texts,
            self.surrogate_map,
            self.language,
            sex=sex,
            patients=patients,
            titled={} if self.conventions.for_corpora else self._titled(),
        )

    def _titled(self) -> dict[str, WordKind]:
        """Return the sex of each name with a title."""
        names = {s: sex_by_title(self._document, s) for s in self._spans(SurrogateKind.PERSON)}
        return {self.text(span): sex for span, sex in names.items() if sex is not None}

    @lazy
    def institutions(self) -> Institutions:
        """The names of institutions."""
        return Institutions(self._texts(SurrogateKind.INSTITUTION), self.surrogate_map)

    @lazy
    def places(self) -> Places:
        """Places and addresses."""
        return Places(self.surrogate_map, self.institutions, self.language)

    @lazy
    def contacts(self) -> Contacts:
        """E-mail and web addresses."""
        host = None if self.conventions.for_corpora else _MAIL_HOST
        return Contacts(self.surrogate_map, self.persons.word_kinds(), host)

    @lazy
    def age_step(self) -> int:
        """The number of years by which ages change."""
        return age_step(self.draws("age"))

    @lazy
    def shifted_dates(self) -> Mapping[Span, str | None]:
        """The surrogate of each date."""
        days = secret_offset(self.draws("days"), self.conventions.keep_weekday)
        dates = Dates(
            self._texts(SurrogateKind.DATE),
            days,
            self.language,
            self.conventions.date_order,
            day_first=not self.conventions.for_corpora
            and is_british(outside_spans(self._document)),
        )
        spans = self._spans(SurrogateKind.DATE)
        return {span: dates.shifted(n, self.text(span)) for n, span in enumerate(spans)}

    def _surrogate(self, span: Span) -> str:
        kind = self._kind(span)
        text = fold(self.text(span))
        excluded = {text} if kind in _MAY_COLLIDE else self._originals
        for new in WRITERS[kind](self, span) if kind in WRITERS else ():
            # 90+ stands for all ages over 89, wherever it is from.
            if new is not None and (new == OVER or fold(new) not in excluded):
                return new
            if new == self.text(span) and self._may_stay(kind):
                return new
        if kind is SurrogateKind.DATE and surrogate_kind(span.label) is not kind:
            span = span._replace(label="DATE")
        return mask(self._document, span)

    def _may_stay(self, kind: SurrogateKind | None) -> bool:
        """Return whether a surrogate may be its original.

        In whole weeks, dates move so far that nothing but a weekday is as it was.
        """
        return kind is SurrogateKind.DATE and self.conventions.keep_weekday

    def _kind(self, span: Span) -> SurrogateKind | None:
        if span.end - span.start > _LONGEST:
            return SurrogateKind.GENERIC
        by_form = None if self.conventions.for_corpora else kind_by_form(self.text(span))
        return by_form or surrogate_kind(span.label)

    def _spans(self, kind: SurrogateKind) -> list[Span]:
        return [span for span in self._document.spans if self._kind(span) is kind]

    def _texts(self, kind: SurrogateKind) -> list[str]:
        return [self.text(span) for span in self._spans(kind)]


def _is_patient(span: Span) -> bool:
    row = phi_class(span.label)
    return row is not None and row.label == "PATIENT"


Writer = Callable[[SurrogateGenerator, Span], Iterator[str | None]]
"""Yields candidates for the surrogate of a span, the best first; None if it cannot write one."""


def _single(write: Callable[[SurrogateGenerator, Span], str | None]) -> Writer:
    """Return a writer with a single candidate."""

    def candidates(generator: SurrogateGenerator, span: Span) -> Iterator[str | None]:
        yield write(generator, span)

    return candidates


def _shaped(exchange: Callable[[str, Draw], str]) -> Writer:
    """Return a writer that draws other characters until they differ from all PHI."""

    def candidates(generator: SurrogateGenerator, span: Span) -> Iterator[str | None]:
        text = generator.text(span)
        characters = "".join(c for c in fold(text) if c.isalnum())
        for attempt in range(_TRIES):
            yield exchange(text, generator.draws("number", characters, str(attempt)))

    return candidates


def _name(write: Callable[[SurrogateGenerator, str], str]) -> Writer:
    """Return a writer of names; very short ones may become other letters instead."""
    other_letters = _shaped(same_shape)

    def candidates(generator: SurrogateGenerator, span: Span) -> Iterator[str | None]:
        text = generator.text(span)
        yield write(generator, text)
        if len(text) <= _SHORT:
            yield from other_letters(generator, span)

    return candidates


def _phone(generator: SurrogateGenerator, span: Span) -> Iterator[str | None]:
    return _shaped(phone if generator.conventions.for_corpora else fictional_phone)(generator, span)


def _profession(generator: SurrogateGenerator, span: Span) -> str:
    text = generator.text(span)
    return other_profession(text, generator.draws("profession", fold(text)), generator.language)


WRITERS: Mapping[SurrogateKind | None, Writer] = {
    SurrogateKind.PERSON: _name(lambda g, text: g.persons.renamed(text)),
    SurrogateKind.INSTITUTION: _name(lambda g, text: g.institutions.renamed(text)),
    SurrogateKind.PLACE: _name(lambda g, text: g.places.place(text)),
    SurrogateKind.STREET: _name(lambda g, text: g.places.street(text)),
    SurrogateKind.DATE: _single(lambda g, span: g.shifted_dates[span]),
    SurrogateKind.AGE: _single(lambda g, span: changed_age(g.text(span), g.age_step)),
    SurrogateKind.EMAIL: _single(lambda g, span: g.contacts.email(g.text(span))),
    SurrogateKind.URL: _single(lambda g, span: g.contacts.url(g.text(span))),
    SurrogateKind.PHONE: _phone,
    SurrogateKind.ADDRESS: _shaped(network_address),
    SurrogateKind.NUMBER: _shaped(same_shape),
    SurrogateKind.PROFESSION: _single(_profession),
    None: _shaped(same_shape),
}
"""The surrogate writer of each kind; None is the kind of unknown labels.

Spans of a kind without a writer become their label in brackets.
"""
