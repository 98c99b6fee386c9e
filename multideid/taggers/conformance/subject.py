"""The tagger under test, and a small corpus to try it on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from multideid.arrays import FloatArray
from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.lazy import lazy
from multideid.taggers.contract import BaseTagger, SpanTagger
from multideid.taggers.span_adapter import adapt
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable


class Fit(NamedTuple):
    """A fitted tagger, what `fit` returned, and what it was given and should not have changed."""

    tagger: BaseTagger
    returned: object
    tokens: TokenTable
    labels: TokenLabels


class Subject:
    """The tagger under test, and the documents for it.

    Parameters
    ----------
    make : callable
        Makes a new, unfitted tagger.
    documents : iterable of Document
        Documents with PHI that the tagger should find. Without any, it should
        find some in the synthetic notes.
    """

    def __init__(self, make: Callable[[], BaseTagger], documents: Iterable[Document] = ()) -> None:
        self.make = make
        given, notes = list(documents), _synthetic_notes()
        if given and not any(document.spans for document in given):
            raise UsageError("none of the documents has gold spans; give the PHI to be found")
        self.documents = [*given, *notes]
        self.n_with_phi = len(given or notes)

    # Made for each use, so that a tagger that changes its input affects no other check.
    @property
    def tokens(self) -> TokenTable:
        """The tokens of the documents."""
        return TokenTable.from_documents(self.documents)

    @property
    def labels(self) -> TokenLabels:
        """The gold tags of the tokens."""
        return encode_bio(self.tokens, self.documents)

    def _fit(self) -> Fit:
        tagger, tokens, labels = self.make(), self.tokens, self.labels
        return Fit(tagger, tagger.fit(tokens, labels), tokens, labels)

    # Training may take long, so that the checks share two fits.
    @lazy
    def first(self) -> Fit:
        """A fit for the checks that do not change the tagger."""
        return self._fit()

    @lazy
    def second(self) -> Fit:
        """A second fit on the same documents."""
        return self._fit()

    @property
    def fitted(self) -> BaseTagger:
        """The tagger of the first fit."""
        return self.first.tagger

    @lazy
    def scores(self) -> FloatArray:
        """The scores of `fitted` for all documents."""
        return self.fitted.predict_scores(self.tokens)


def maker(tagger: object) -> Callable[[], BaseTagger]:
    """Return a function that makes new, unfitted taggers like `tagger`."""
    if isinstance(tagger, BaseTagger):
        return lambda: type(tagger)(**tagger.get_params())
    if isinstance(tagger, type) and issubclass(tagger, BaseTagger):
        return tagger
    if isinstance(tagger, SpanTagger):
        return adapt(tagger, getattr(tagger, "name", ""))
    raise UsageError(
        f"{tagger!r} is not a tagger: it must be a BaseTagger, or have a method tag(document)"
    )


def _synthetic_notes() -> list[Document]:
    """Return a dozen short notes with PHI of three labels."""
    surnames = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel")
    return [_synthetic_note(n, surnames[n % len(surnames)]) for n in range(12)]


def _synthetic_note(n: int, surname: str) -> Document:
    pieces = [
        ("ADMISSION:\nSeen by Dr. ", ""),
        (surname, "DOCTOR"),
        (" on ", ""),
        (f"{n + 1}/{2 * n + 3}/2019", "DATE"),
        (f" for pain of grade {n % 5}.\nPager: ", ""),
        (f"555-{1000 + 37 * n}", "PHONE"),
        ("\nNo fever. Plan is rest and fluids.\n", ""),
    ]
    text, spans = "", []
    for piece, label in pieces:
        if label:
            spans.append(Span(len(text), len(text) + len(piece), label))
        text += piece
    return Document(f"note-{n}", text, tuple(spans))
