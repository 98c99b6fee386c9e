"""What the checks look at: new taggers of one kind, and a small corpus to try them on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from multideid.arrays import FloatArray
from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.taggers.contract import BaseTagger, SpanTagger
from multideid.taggers.span_adapter import adapt
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable


class Subject:
    """The tagger under test, with the corpus that it is tried on."""

    def __init__(self, make: Callable[[], BaseTagger]) -> None:
        self.make = make
        self.documents = _corpus()

    # Made anew at each use: a tagger that writes into its input must not
    # spoil the other checks.
    @property
    def tokens(self) -> TokenTable:
        """The corpus's tokens."""
        return TokenTable.from_documents(self.documents)

    @property
    def labels(self) -> TokenLabels:
        """Their gold tags."""
        return encode_bio(self.tokens, self.documents)

    def fit(self) -> BaseTagger:
        """Return a new tagger, fitted."""
        tagger = self.make()
        tagger.fit(self.tokens, self.labels)
        return tagger

    @cached_property
    def fitted(self) -> BaseTagger:
        """A tagger fitted once, for the checks that only look."""
        return self.fit()

    @cached_property
    def scores(self) -> FloatArray:
        """Its scores of the corpus."""
        return self.fitted.predict_scores(self.tokens)


def maker(tagger: object) -> Callable[[], BaseTagger]:
    """Return what makes new, unfitted taggers like `tagger`."""
    if isinstance(tagger, BaseTagger):
        return lambda: type(tagger)(**tagger.get_params())
    if isinstance(tagger, type) and issubclass(tagger, BaseTagger):
        return tagger
    if isinstance(tagger, SpanTagger):
        return adapt(tagger, getattr(tagger, "name", "plug-in"))
    raise UsageError(
        f"{tagger!r} is no tagger: it must be a BaseTagger, or have a method tag(document)"
    )


def _corpus() -> list[Document]:
    """Make a dozen short notes with PHI of three labels."""
    surnames = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel")
    return [_note(n, surnames[n % len(surnames)]) for n in range(12)]


def _note(n: int, surname: str) -> Document:
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
