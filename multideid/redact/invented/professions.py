"""Professions, to stand for other professions."""

from __future__ import annotations

from multideid.redact.invented import spanish
from multideid.redact.keys import Draw
from multideid.redact.spelling import fold, like

_ENGLISH = (
    "accountant", "architect", "baker", "bank clerk", "beekeeper", "bookbinder", "bricklayer",
    "bus driver", "butcher", "cabinet maker", "carpenter", "cashier", "dressmaker", "economist",
    "electrician", "farmer", "florist", "gardener", "glazier", "hairdresser", "jeweler",
    "journalist", "librarian", "machinist", "mail carrier", "painter", "plumber", "potter",
    "receptionist", "roofer", "sailor", "salesperson", "tailor", "translator", "truck driver",
    "upholsterer", "waiter", "watchmaker", "welder",
)  # fmt: skip


def other_profession(text: str, draw: Draw, language: str = "en") -> str:
    """Return a profession that is not the one of the text."""
    names = spanish.PROFESSIONS if language == "es" else _ENGLISH
    name = draw.choose([name for name in names if name not in fold(text)])
    return like(text, name.capitalize() if text[:1].isupper() else name)
