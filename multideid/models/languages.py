"""The languages of models, and the refusal of notes in others."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from multideid.label_schemes import language_of
from multideid.models.bundled import bundled_models

if TYPE_CHECKING:
    from multideid.stacking import Deidentifier


def model_language(model: str | Path | Deidentifier, labels: Collection[str]) -> str | None:
    """Return the language that a model reads; None if it is not known.

    The name of a bundled model begins with its language, and labels of the Spanish
    scheme are those of Spanish notes.

    Parameters
    ----------
    model : str, Path or Deidentifier
        As for `multideid.deid.DeidOptions`.
    labels : collection of str
        Its labels.
    """
    from multideid.text.languages import LANGUAGES

    if isinstance(model, str) and model in {bundled.name for bundled in bundled_models()}:
        code = model.partition("-")[0]
        return code if code in LANGUAGES else None
    return "es" if language_of(labels) == "es" else None


def language_refusal(
    model: str | Path | Deidentifier, labels: Callable[[], Collection[str]], checked: bool
) -> Callable[[str], str | None]:
    """Return a function that says why a text is refused, or None if it is not.

    Parameters
    ----------
    model : str, Path or Deidentifier
        As for `multideid.deid.DeidOptions`.
    labels : callable
        Returns the labels of the model; called with the first text.
    checked : bool
        Whether anything is refused.
    """

    @cache
    def language() -> str | None:
        return model_language(model, labels())

    return (lambda text: _refusal(text, language())) if checked else (lambda text: None)


def _refusal(text: str, language: str | None) -> str | None:
    from multideid.text.languages import LANGUAGES, foreign_language

    found = None if language is None else foreign_language(text, language)
    if language is None or found is None:
        return None
    return (
        f"is in {found}, and the model reads {LANGUAGES[language]}; choose another --model "
        f"({_bundled()}, or one of your own), or read it all the same with --language-check off"
    )


def _bundled() -> str:
    from multideid.text.languages import LANGUAGES

    names = [bundled.name for bundled in bundled_models()]
    return ", ".join(f"{n} for {LANGUAGES.get(n.partition('-')[0], 'others')}" for n in names)
