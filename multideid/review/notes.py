"""Notes of a review, and what models propose for them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, NamedTuple

from multideid.document import Document, Span
from multideid.review.layers import spans_from_json


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a model proposes for a note.

    Parameters
    ----------
    spans : tuple of Span
        The layers of reviewers begin with these.
    scores : tuple of float or None
        One per span: the mean probability of its tokens to be PHI.
    systems : dict of str to tuple of Span
        What each base system found by itself.
    problem : str, optional
        Why the model failed on the note; there are no spans then.
    margins : dict of str to tuple of float or None
        One per span of each system: how far it scores the label above "no PHI". Margins of
        one system can be compared, those of two cannot. Empty if they are not known.
    """

    spans: tuple[Span, ...] = ()
    scores: tuple[float | None, ...] = field(default=())
    systems: dict[str, tuple[Span, ...]] = field(default_factory=dict)
    problem: str | None = None
    margins: dict[str, tuple[float | None, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Note:
    """A note of a review.

    Parameters
    ----------
    number : int
        Identifies it in the store.
    document : Document
        Without spans.
    held_out : bool
        Whether it is kept out of training, to measure with.
    proposal : Proposal or None
        None as long as no model has read the note.
    """

    number: int
    document: Document
    held_out: bool
    proposal: Proposal | None


class QueueRow(NamedTuple):
    """A note in the queue, without its text.

    Parameters
    ----------
    number : int
    id : str
    read, failed : bool
        Whether a model has read it, and whether it failed on it.
    """

    number: int
    id: str
    read: bool
    failed: bool


def meta_to_json(document: Document) -> str:
    """Return the other fields of a document as JSON."""
    return json.dumps(dict(document.meta), default=str)


def evidence_to_json(proposal: Proposal) -> str:
    """Return the scores of a proposal, and what each system found, as JSON."""
    systems = {name: [list(span) for span in spans] for name, spans in proposal.systems.items()}
    # More digits than anybody reads would make long notes slow to send.
    margins = {name: list(map(_rounded, own)) for name, own in proposal.margins.items()}
    return json.dumps({"scores": proposal.scores, "systems": systems, "margins": margins})


def _rounded(margin: float | None) -> float | None:
    return round(margin, 2) if margin is not None and isfinite(margin) else None


def note_of_row(row: Any) -> Note:
    """Return the note of a row of the table."""
    document = Document(row["id"], row["text"], meta=json.loads(row["meta"]))
    return Note(row["number"], document, bool(row["held_out"]), proposal_of_row(row))


def proposal_of_row(row: Any) -> Proposal | None:
    """Return what was proposed for the note of a row; None if no model has read it."""
    if row["proposed"] is None:
        return None
    evidence = json.loads(row["evidence"])
    systems = {name: tuple(Span(*s) for s in spans) for name, spans in evidence["systems"].items()}
    spans = spans_from_json(row["proposed"])
    # Reviews that older versions began have no margins.
    margins = {name: tuple(own) for name, own in evidence.get("margins", {}).items()}
    return Proposal(spans, tuple(evidence["scores"]), systems, row["problem"], margins)
