"""The feature templates of the boosted trees and of each trigger variant."""

from __future__ import annotations

from multideid.features.common import LOWER
from multideid.features.szarvas import szarvas_templates
from multideid.features.templates import Template, each, joined

_NEAR = (-4, -3, -2, -1, 1, 2, 3, 4)
_FAR = (-6, -5, *_NEAR, 5, 6)
_STRETCHES = (
    *((-n - 1, -n) for n in (1, 2)),
    *((n, n + 1) for n in (1, 2)),
    (-3, -2, -1),
    (1, 2, 3),
    (-4, -3, -2, -1),
    (1, 2, 3, 4),
)


def token_triggers() -> list[Template]:
    """Return the templates of the words around a token."""
    return each(LOWER, _NEAR, "trigger")


def phrase_triggers() -> list[Template]:
    """Return the templates of the words around a phrase, in a wider window."""
    return each(LOWER, _FAR, "trigger")


def trigram_triggers() -> list[Template]:
    """Return the templates of runs of words next to a phrase.

    The paper has runs of two and three words. Runs have up to four tokens here, since
    punctuation marks are tokens too.
    """
    return [joined("trigger run", *((LOWER, n) for n in run)) for run in _STRETCHES]


WORD_ITSELF = each(LOWER, (0,), "word")
"""The template of the token's own word."""

TRIGGERS = {"token": token_triggers, "phrase": phrase_triggers, "trigram": trigram_triggers}
"""The templates of each trigger variant."""


def all_templates() -> list[Template]:
    """Return all templates of the system, including those of all variants."""
    triggers = [template for variant in TRIGGERS.values() for template in variant()]
    return szarvas_templates(list(dict.fromkeys(triggers)))
