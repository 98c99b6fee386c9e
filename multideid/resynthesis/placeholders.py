"""Find placeholders of removed PHI, and the labels that their wording implies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from multideid.labels import SurrogateKind, surrogate_kind

_TITLES = ("Dr.", "Dr", "Mr.", "Mr", "Mrs.", "Mrs", "Ms.", "Ms", "Miss", "Prof.")
_AFTER_TITLE = "|".join(rf"(?<={re.escape(title)}\s)" for title in _TITLES)
# Dr. X is a placeholder, Dr. X. Alder a name.
_NOBODY = r"X{2,5}|Y{2,3}|Z{2,3}|XYZ|ABCD?|[XYZ](?!\.\s*[A-Z])"
_FACILITY = r"\s+(?:[A-Z][\w']*\s+){0,2}(?:Hospital|Clinic|Medical|Health|Nursing|Center|Infirmary)"
_WORDS = (
    r"RE-?MOVED|REDACTED|DELETED|MASKED|OMITTED|WITHHELD|DE-?IDENTIFIED|ANONYMI[SZ]ED|PHI|NAMES?"
    r"|X{2,5}|_{2,5}"
)

# In this order: more specific forms come first.
_FORMS = {
    # MIMIC II and III: [**Known lastname 1234**], [**2101-3-4**]
    "starred": r"\[\*\*(?P<inner>[^\[\]*]{0,80})\*\*\]",
    # De-ID: **NAME[AAA, BBB], **DATE
    "de_id": r"\*\*(?P<name>[A-Z][A-Z-]{2,20})(?:\[[^\[\]\n]{0,60}\])?",
    # [REMOVED], <NAME>; [DATE] and [PATIENT-3f9a2c07] of this package
    "bracketed": rf"[\[<](?P<word>(?i:{_WORDS}))[\]>]",
    "label": r"[\[<](?P<label>[A-Z][A-Z0-9_-]{1,40}?)(?:-[0-9a-f]{8})?[\]>]",
    "date": r"\b(?:MM|DD|XX|xx)/(?:MM|DD|XX|xx)(?:/(?:YYYY|YY|XXXX|XX|xxxx|xx))?\b",
    "phone": r"(?:\(XXX\) ?|\bXXX-)?\bXXX-XXXX\b|(?:\(xxx\) ?|\bxxx-)?\bxxx-xxxx\b",
    "ssn": r"\bXXX-XX-XXXX\b",
    # MIMIC IV
    "blank": r"(?<!_)_{3,6}(?!_)",
    "titled": rf"(?:{_AFTER_TITLE})(?:{_NOBODY})\b",
    "facility": rf"\b(?:X{{2,5}}|XYZ|ABCD?)\b(?={_FACILITY})",
    "letters": r"\bX{4,10}\b",
}
_PLACEHOLDER = re.compile("|".join(f"(?P<{name}_>{form})" for name, form in _FORMS.items()))

_PERSONS = ("PATIENT", "DOCTOR")
_FORM_LABELS = {"date": ("DATE",), "phone": ("PHONE",), "ssn": ("ID",), "facility": ("HOSPITAL",)}
_HINTS = (
    (r"e-?mail", ("EMAIL",)),
    (r"\burl\b|web ?site", ("URL",)),
    (r"hospital|ward|clinic|nursing|institution", ("HOSPITAL",)),
    (r"compan|universit|college|location|state|country|street|address|city|town|zip|apartment"
     r"|place|po box", ("LOCATION",)),
    (r"phone|fax|pager|contact info", ("PHONE",)),
    (r"attending|dictator|doctor|physician|provider|\bmd[ -]", ("DOCTOR",)),
    (r"known|patient", ("PATIENT",)),
    (r"name|initial|person", _PERSONS),
    (r"\bage\b", ("AGE",)),
    (r"date|month|year|day|holiday|^[\d/ -]*\d[\d/ -]*$", ("DATE",)),
    (r"number|numeric|identifier|record|social|job|clip|\bid\b|account|serial", ("ID",)),
)  # fmt: skip


class Placeholder(NamedTuple):
    """A placeholder of removed PHI.

    Parameters
    ----------
    start, end : int
        Half-open character offsets into the text.
    labels : tuple of str
        Possible labels by its wording; empty if any is possible.
    """

    start: int
    end: int
    labels: tuple[str, ...]


def find_placeholders(text: str) -> list[Placeholder]:
    """Return the placeholders of a text, in order.

    Supported are ``[REMOVED]`` and similar words, labels in brackets as written
    by this package, ``___``, ``Dr. X``, ``XXXX``, ``MM/DD/YYYY``, and the
    placeholders of MIMIC (``[**Hospital1 18**]``) and De-ID (``**NAME[AAA]``).
    """
    return list(_found(text))


def inner_text(placeholder: str) -> str:
    """Return the content of a placeholder in brackets, without stars; otherwise an empty string.

    Examples
    --------
    >>> inner_text("[**Known lastname 1234**]"), inner_text("___")
    ('Known lastname 1234', '')
    """
    return placeholder.strip("[]<>()* ") if placeholder[:1] in ("[", "<", "(", "*") else ""


def _found(text: str) -> Iterator[Placeholder]:
    for match in _PLACEHOLDER.finditer(text):
        labels = _labels(match)
        if labels is not None:
            yield Placeholder(*match.span(), labels)


def _labels(match: re.Match[str]) -> tuple[str, ...] | None:
    """Return the possible labels of a match; None if it is not a placeholder."""
    form = next(name for name in _FORMS if match[f"{name}_"] is not None)
    if form == "label":
        return _of_label(match["label"])
    if form == "de_id":
        return _of_label(match["name"]) or _hinted(match["name"])
    if form == "starred":
        return _hinted(match["inner"])
    if form == "bracketed" and match["word"].upper().startswith("NAME"):
        return _PERSONS
    return _FORM_LABELS.get(form, ())


def _of_label(label: str) -> tuple[str, ...] | None:
    kind = surrogate_kind(label)
    if kind is None:
        return None
    if kind is SurrogateKind.PERSON and label in ("NAME", "PERSON", "PER"):
        return _PERSONS
    return None if kind is SurrogateKind.GENERIC else (label,)


def _hinted(words: str) -> tuple[str, ...]:
    return next((labels for hint, labels in _HINTS if re.search(hint, words, re.I)), ())
