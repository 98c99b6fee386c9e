"""Names of columns and keys that say that their values are identifiers."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

# Words of a name, in lower case and joined by "_"; the first rule that fits decides.
_RULES = (
    ("EMAIL", r"e_?mail(?:_?addr(?:ess)?)?"),
    ("FAX", r"fax(?:_?(?:no|nr|num|number))?"),
    ("PHONE", r"(?:tele|cell)?_?phone(?:_?(?:no|nr|num|number))?|tel(?:_?(?:no|nr))?|mobile|pager"),
    ("SSN", r"ssn|social_?security(?:_?(?:no|nr|num|number))?|nhs_?(?:no|number)|nin"),
    ("MEDICALRECORD", r"mrn|med(?:ical)?_?rec(?:ord)?(?:_?(?:no|nr|num|number|id))?|chart_?no"),
    ("HEALTHPLAN", r"(?:insurance|policy|member|medicare|medicaid)_?(?:no|nr|num|number|id)|hicn"),
    ("ACCOUNT", r"acc(?:oun)?t(?:_?(?:no|nr|num|number|id))?"),
    ("LICENSE", r"licen[cs]e(?:_?(?:no|nr|num|number))?|npi|dea"),
    ("IPADDR", r"ip(?:_?addr(?:ess)?)?"),
    ("ZIP", r"zip(?:_?code)?|post(?:al)?_?code|plz"),
    (
        "STREET",
        r"street(?:_?(?:name|address))?|addr(?:ess)?(?:_?(?:line_?)?\d)?|home_?addr(?:ess)?",
    ),
    ("CITY", r"city|town|birth_?place|place_?of_?birth"),
    ("DATE", r"dob|(?:birth|death)_?(?:date|day)|date_?of_?(?:birth|death)|birthdate"),
    ("DATE", r"(?:admi(?:t|ssion)|discharge|visit|service|encounter)_?(?:date|dt|time)"),
    ("DOCTOR", r"(?:doctor|physician|provider|attending|author|surgeon|nurse|staff)(?:_?name)?"),
    ("DOCTOR", r"(?:signed|dictated|seen)_?by"),
    ("PATIENT", r"(?:pt|pat|patient|subject|member|person)_?(?:full_?|last_?|first_?)?name"),
    ("PATIENT", r"(?:first|last|full|given|family|middle|maiden|sur|fore)_?name|next_?of_?kin"),
    ("HOSPITAL", r"hospital(?:_?name)?|facility(?:_?name)?|clinic(?:_?name)?"),
    (
        "IDNUM",
        r"(?:pt|pat|patient|subject|person|encounter|visit|csn|fin|empi|case)_?(?:id|no|num)",
    ),
    ("IDNUM", r"(?:pt|pat|patient|subject|person|encounter|visit)_?number|csn|fin|empi|passport"),
    ("USERNAME", r"user_?name|login"),
)
_COMPILED = [
    *((label, re.compile(rf"(?:.*_)?(?:{pattern})")) for label, pattern in _RULES),
    ("NAME", re.compile("name")),
]

_LOOKS = (
    ("EMAIL", re.compile(r"[^\s@]+@[^\s@]+\.[A-Za-z]{2,}")),
    ("SSN", re.compile(r"\d{3}-\d{2}-\d{4}")),
    ("PHONE", re.compile(r"(?:\+?1[ .\-]?)?\(?\d{3}\)?[ .\-]\d{3}[ .\-]\d{4}")),
    (
        "DATE",
        re.compile(r"\d{1,2}/\d{1,2}/\d{2,4}|\d{4}-\d\d-\d\d(?:[T ].*)?|\d{1,2}\.\d{1,2}\.\d{4}"),
    ),
)
_SAMPLE = 200
_SHOWN = 8


class IdentifierWarning(UserWarning):
    """Values of a file that are kept as they are look like identifiers."""


def identifier_label(name: str) -> str | None:
    """Return the PHI class that a column or key is of, by its name.

    Examples
    --------
    >>> identifier_label("PatientName"), identifier_label("Date of birth"), identifier_label("note")
    ('PATIENT', 'DATE', None)
    """
    words = re.sub(r"\W+", "_", _BOUNDARY.sub("_", name)).strip("_").lower()
    return next((label for label, pattern in _COMPILED if pattern.fullmatch(words)), None)


def values_look_like(values: Iterable[str]) -> str | None:
    """Return the PHI class that most of some values have the form of, if any."""
    sample = [value.strip() for value in islice(filter(None, values), _SAMPLE)]
    for label, pattern in _LOOKS:
        if sample and sum(bool(pattern.fullmatch(v)) for v in sample) > len(sample) / 2:
            return label
    return None


def identifier_columns(columns: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the names of columns that look like identifiers, by name or by values."""
    return [
        name
        for name, values in columns.items()
        if identifier_label(name) or values_look_like(values)
    ]


def warn_of_identifiers(path: object, kept: Sequence[str], remedy: str) -> None:
    """Warn that columns or keys with these names are kept as they are."""
    if kept:
        shown = ", ".join(map(repr, kept[:_SHOWN])) + (", ..." if len(kept) > _SHOWN else "")
        warnings.warn(
            f"{path}: all but the chosen text is kept as it is, and this looks like "
            f"identifiers: {shown}; {remedy}",
            IdentifierWarning,
            stacklevel=2,
        )
