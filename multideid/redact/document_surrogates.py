"""The surrogates of one document, which have to agree with one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from multideid.document import Document, Span
from multideid.label_schemes import language_of
from multideid.labels import NAME_KINDS, SurrogateKind, surrogate_kind
from multideid.redact.invented.ages import age_step, changed_age
from multideid.redact.invented.contacts import Contacts
from multideid.redact.invented.dates import Dates, secret_offset
from multideid.redact.invented.institutions import Institutions
from multideid.redact.invented.name_words import Draws, WordBook
from multideid.redact.invented.numbers import network_address, phone, same_shape
from multideid.redact.invented.people import Persons
from multideid.redact.invented.places import Places
from multideid.redact.invented.professions import other_profession
from multideid.redact.invented.vocabulary import Vocabulary
from multideid.redact.keys import Draw
from multideid.redact.modes import mask
from multideid.redact.spelling import fold, words_of

_TRIES = 20
_LONGEST = 300  # Characters; what is longer is no name, date or number.
_SHORT = 4  # Characters; with so few, another name's surrogate may be the same by chance.
_LIKE_OTHERS = (SurrogateKind.DATE, SurrogateKind.AGE)
_SHAPES: Mapping[SurrogateKind | None, Callable[[str, Draw], str]] = {
    None: same_shape,
    SurrogateKind.NUMBER: same_shape,
    SurrogateKind.PHONE: phone,
    SurrogateKind.ADDRESS: network_address,
}

Write = Callable[[str], str | None]


class Plan:
    """What takes the place of each span of a document.

    Parameters
    ----------
    document : Document
    draws : callable
        Gives the patient's draws, as `Key.draw`.
    vocabulary : callable
        Gives the vocabulary of a language, ``"en"`` or ``"es"``.
    keep_weekday : bool
        Whether dates are shifted by whole weeks.
    """

    def __init__(
        self,
        document: Document,
        draws: Draws,
        vocabulary: Callable[[str], Vocabulary],
        keep_weekday: bool,
    ) -> None:
        self._document = document
        self._draws = draws
        self._language = language_of(span.label for span in document.spans)
        self._originals = {fold(document.span_text(span)) for span in document.spans}
        words = {word for text in self._originals for word in words_of(text)}
        book = WordBook(draws, vocabulary(self._language), words)
        self._dates = self._shifted_dates(secret_offset(draws("days"), keep_weekday))
        self._writers = self._word_writers(book)

    def surrogates(self) -> list[str]:
        """Return what takes the place of each span, in order.

        That is the label in brackets where nothing fits, and where what fits
        is what stood there, or stands elsewhere for another patient's PHI.
        """
        return [self._surrogate(span) for span in self._document.spans]

    def _surrogate(self, span: Span) -> str:
        text, kind = self._document.span_text(span), self._kind(span)
        avoided = {fold(text)} if kind in _LIKE_OTHERS else self._originals
        for new in self._candidates(span, text, kind):
            if new is not None and fold(new) not in avoided:
                return new
        return mask(self._document, span)

    def _candidates(
        self, span: Span, text: str, kind: SurrogateKind | None
    ) -> Iterator[str | None]:
        if kind is SurrogateKind.DATE:
            yield self._dates[span]
        elif kind in self._writers:
            yield self._writers[kind](text)
        if kind in _SHAPES or (kind in NAME_KINDS and len(text) <= _SHORT):
            letters = "".join(c for c in fold(text) if c.isalnum())
            for attempt in range(_TRIES):
                draw = self._draws("number", letters, str(attempt))
                yield _SHAPES.get(kind, same_shape)(text, draw)

    def _word_writers(self, book: WordBook) -> Mapping[SurrogateKind | None, Write]:
        """Return what writes the surrogates of a kind that are more than other digits."""
        draws, language = self._draws, self._language
        persons = Persons(self._texts(SurrogateKind.PERSON), book, language)
        institutions = Institutions(self._texts(SurrogateKind.INSTITUTION), book)
        places = Places(book, institutions, language)
        contacts = Contacts(book, persons.word_kinds())
        step = age_step(draws("age"))
        return {
            SurrogateKind.PERSON: persons.renamed,
            SurrogateKind.INSTITUTION: institutions.renamed,
            SurrogateKind.PLACE: places.place,
            SurrogateKind.STREET: places.street,
            SurrogateKind.EMAIL: contacts.email,
            SurrogateKind.URL: contacts.url,
            SurrogateKind.AGE: lambda text: changed_age(text, step),
            SurrogateKind.PROFESSION: lambda text: other_profession(
                text, draws("profession", fold(text)), language
            ),
        }

    def _shifted_dates(self, days: int) -> Mapping[Span, str | None]:
        spans = [span for span in self._document.spans if self._kind(span) is SurrogateKind.DATE]
        texts = self._texts(SurrogateKind.DATE)
        dates = Dates(texts, days, self._language)
        return {span: dates.shifted(n, texts[n]) for n, span in enumerate(spans)}

    def _texts(self, kind: SurrogateKind) -> list[str]:
        spans = self._document.spans
        return [self._document.span_text(span) for span in spans if self._kind(span) is kind]

    def _kind(self, span: Span) -> SurrogateKind | None:
        return (
            surrogate_kind(span.label)
            if span.end - span.start <= _LONGEST
            else SurrogateKind.GENERIC
        )
