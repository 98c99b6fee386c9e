"""What a process of `ParallelPredictor` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from multideid.document import Document, Evidence, FailedDocument, Span
from multideid.errors import failed_with
from multideid.redact.surrogates import patient_id
from multideid.site.patients import PATIENT
from multideid.site.site import Site
from multideid.stacking.deidentifier import Deidentifier
from multideid.stacking.failing_notes import results_of
from multideid.taggers.registry import add_session_plugins

Text = tuple[str, str, dict[str, Any]]
"""Id, text, and the values of `meta` that have common types, which models and plug-ins use."""
Found = tuple[tuple[Span, ...], Mapping[Span, Evidence]] | FailedDocument
"""Spans, and the evidence for them."""
Result = Document | FailedDocument
Answer = list[Found] | tuple[str, ...]

_SENT = (str, int, float, bytes, date, time, timedelta, Decimal, np.generic)
_MODULES = {"builtins", "datetime", "decimal", "numpy", "pandas"}

LABELS = "labels"
"""What to send for the model's labels, instead of texts."""


def make_finder(
    load: Callable[[], Deidentifier], plugins: Mapping[str, object], votes: bool
) -> Callable[[Sequence[Text] | str], Answer]:
    """Return a function that finds the PHI of texts with a model.

    Parameters
    ----------
    load : callable
        Returns the model.
    plugins : mapping of str to object
        Base systems that were registered in the session.
    votes : bool
        Whether to count the votes.
    """
    add_session_plugins(plugins)
    model = load()
    # Word lists are loaded on first use: load them once, before there are copies.
    model.predict_batch([Document("first use", "A 1")])
    return partial(_answer, model, votes)


def with_site(model: Deidentifier, site: Site | None) -> Deidentifier:
    """Return a model with a site's knowledge."""
    return model.with_site(site)


def predicted(model: Deidentifier, batch: Sequence[Document], votes: bool) -> list[Result]:
    """Return the results of a batch."""
    if not votes:
        return model.predict_batch(batch)
    return [
        result if isinstance(result, FailedDocument) else result.voted()
        for result in model.read_batch(batch, votes=True)
    ]


def sent(document: Document) -> Text:
    """Return what a process needs to know of a document."""
    used = {key: value for key, value in document.meta.items() if _is_sent(key) and _is_sent(value)}
    if PATIENT in document.meta:
        patient = document.meta[PATIENT]
        used[PATIENT] = patient if _is_sent(patient) else patient_id(patient)
    # Texts of a subclass, whose own __str__ may return something else.
    return str.__str__(document.id), str.__str__(document.text), used


def _is_sent(value: object) -> bool:
    """Return whether a value has a type that every process can read, as no type of a script is."""
    if isinstance(value, Mapping):
        return type(value) is dict and all(map(_is_sent, chain(value, value.values())))
    if isinstance(value, list | tuple):
        return type(value) in {list, tuple} and all(map(_is_sent, value))
    # Their subclasses may be defined in a script, which no other process can import.
    is_known = type(value).__module__.partition(".")[0] in _MODULES
    return value is None or (isinstance(value, _SENT) and is_known)


def _answer(model: Deidentifier, votes: bool, asked: Sequence[Text] | str) -> Answer:
    if isinstance(asked, str):
        return model.labels_
    return _find(model, votes, asked)


def _find(model: Deidentifier, votes: bool, texts: Sequence[Text]) -> list[Found]:
    documents = [Document(name, text, meta=meta) for name, text, meta in texts]
    find = partial(_predicted, model, votes)
    # SystemExit and the like, raised by a base system; `predict_batch` takes care of others.
    results = results_of(documents, find, failed_with, BaseException)
    return [r if isinstance(r, FailedDocument) else (r.spans, r.evidence) for r in results]


def _predicted(model: Deidentifier, votes: bool, batch: Sequence[Document]) -> list[Result]:
    return predicted(model, batch, votes)
