"""Review of notes by people: the store of their decisions, and what follows from them.

`Store` is the door; it knows nothing of pages and servers. ``multideid review`` shows it in
a browser (`multideid.review.web`).

Examples
--------
>>> from multideid.review import Change, Store
>>> store = Store("notes.review")  # doctest: +SKIP
>>> for note in store.notes():  # doctest: +SKIP
...     layer = store.layers.get(note.number, "anna")
...     store.layers.change(note.number, "anna", Change(removed=[...], added=[...]))
...     store.layers.accept(note.number, "anna")
"""

from __future__ import annotations

from multideid.review.layers import ADJUDICATED, Change, Layer, Layers, StaleLayerError
from multideid.review.notes import Note, Proposal
from multideid.review.store import Store

__all__ = [
    "ADJUDICATED",
    "Change",
    "Layer",
    "Layers",
    "Note",
    "Proposal",
    "StaleLayerError",
    "Store",
]
