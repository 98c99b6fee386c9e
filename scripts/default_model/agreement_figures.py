"""How much agreement finds in dev notes, for a model and for its systems alone.

The halves of a note serve as two notes of a patient.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from multideid.document import Document, Span
from multideid.eval import Evaluation, evaluate
from multideid.models import load
from multideid.samples import sample_corpus
from multideid.site import Site
from multideid.stacking import MultiDeidentifier
from multideid.stacking.comparison import members_alone

_NAMES = ("DOCTOR", "PATIENT")
_SITE = Site(agreement=True)


def agreement_of_systems(model: str | Path, n_documents: int | None = None) -> Iterator[str]:
    """Yield a table of the base systems, their vote and the model, each with and without agreement.

    Parameters
    ----------
    model : str or Path
        A Multi model.
    n_documents : int, optional
        Default: all dev notes.
    """
    gold, multi = sample_corpus(n_documents, split="dev"), load(model)
    assert isinstance(multi, MultiDeidentifier)
    columns = [f"P | R | {' | '.join(f'{name} found' for name in _NAMES)}"] * 2
    yield f"| without agreement, and with it | {' | '.join(columns)} |"
    yield f"|---|{'---|' * 8}"
    for name, alone in {**members_alone(multi), "multi": multi}.items():
        figures = [
            figure
            for used in (alone, alone.with_site(_SITE))
            for figure in _found(evaluate(gold, used.predict(gold)))
        ]
        yield f"| {name} | {' | '.join(f'{figure:.4f}' for figure in figures)} |"


def _found(scores: Evaluation) -> list[float]:
    """Return precision, recall, and the shares of names found, whatever label they were given."""
    tokens, matrix = scores.tokens.two_way(), scores.tokens
    # Row and column 0 are the tokens that are not PHI.
    by_label = dict(zip(matrix.labels, matrix.counts[1:], strict=True))
    rows = [by_label[name] for name in _NAMES]
    found = [1 - float(row[0]) / max(1, int(row.sum())) for row in rows]
    return [tokens.precision, tokens.recall, *found]


def agreement_of_halves(model: str | Path, n_documents: int | None = None) -> Iterator[str]:
    """Yield a table: without agreement, within each half, and across the halves of a note.

    Parameters
    ----------
    model : str or Path
    n_documents : int, optional
        Default: all dev notes.
    """
    gold = [half for note in sample_corpus(n_documents, split="dev") for half in halves(note)]
    plain = load(model)
    agreeing = plain.with_site(_SITE)
    alone = [Document(half.id, half.text) for half in gold]
    yield f"| {len(gold)} halves of notes | P | R | strict | R of {' | R of '.join(_NAMES)} |"
    yield "|---|---|---|---|---|---|"
    for name, used, notes in (
        ("no agreement", plain, alone),
        ("within each half", agreeing, alone),
        ("across the halves", agreeing, gold),
    ):
        scores = evaluate(gold, used.predict(notes))
        tokens = scores.tokens.two_way()
        figures = [tokens.precision, tokens.recall, scores.spans.strict.micro().f()]
        figures += [scores.tokens.per_class()[label].recall for label in _NAMES]
        yield f"| {name} | {' | '.join(f'{figure:.4f}' for figure in figures)} |"


def halves(note: Document) -> Iterator[Document]:
    """Yield the parts of a note before and after the line end in its middle, as a patient's.

    A note without a line end outside its spans has no second part.
    """
    ends = [n + 1 for n, character in enumerate(note.text) if character == "\n"]
    free = [n for n in ends if not any(span.start < n < span.end for span in note.spans)]
    middle = min(free, key=lambda n: abs(2 * n - len(note.text)), default=len(note.text))
    for start, end in ((0, middle), (middle, len(note.text))):
        spans = [
            Span(span.start - start, span.end - start, span.label)
            for span in note.spans
            if start <= span.start < end
        ]
        text = note.text[start:end]
        if text:
            yield Document(f"{note.id}-{start}", text, tuple(spans), {"patient": note.id})
