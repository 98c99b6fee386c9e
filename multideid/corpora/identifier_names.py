"""Names of columns and keys that say that their values are identifiers."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from multideid.corpora.age_fields import is_over_89, names_age

_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

# Words of a name, in lower case and joined by "_"; the first rule that fits decides.
_RULES = (
    ("EMAIL", r"e_?mail(?:_?addr(?:ess)?)?"),
    ("FAX", r"fax(?:_?(?:no|nr|num|number))?"),
    ("PHONE", r"(?:tele|cell)?_?phone(?:_?(?:no|nr|num|number))?|tel(?:_?(?:no|nr))?|mobile|pager"),
    ("SSN", r"ssn|social_?security(?:_?(?:no|nr|num|number))?|nhs_?(?:no|number)|nin"),
    (
        "MEDICALRECORD",
        r"mrn(?:_?(?:id|no|nr|nbr|num|number))?|med(?:ical)?_?rec(?:ord)?(?:_?(?:no|nr|num|number|id))?|chart_?no",
    ),
    ("HEALTHPLAN", r"(?:insurance|policy|member|medicare|medicaid)_?(?:no|nr|num|number|id)|hicn"),
    ("ACCOUNT", r"acc(?:oun)?t(?:_?(?:no|nr|num|number|id))?"),
    ("LICENSE", r"licen[cs]e(?:_?(?:no|nr|num|number))?|npi|dea"),
    ("IPADDR", r"ip(?:_?addr(?:ess)?)?"),
    ("ZIP", r"zip(?:_?code)?|post(?:al)?_?code|plz"),
    (
        "STREET",
        r"street(?:_?(?:name|address))?|addr(?:ess)?(?:_?(?:line_?)?\d)?|home_?addr(?:ess)?"
        r"|add_?line_?\d",
    ),
    ("CITY", r"city|town|birth_?place|place_?of_?birth"),
    ("DATE", r"dob|yob|(?:birth|death)_?(?:date|day|year|yr|month)|birthdate"),
    (
        "DATE",
        r"(?:date|year|yr|month|day)_?of_?(?:birth|death)|(?:year|yr)_?(?:born|died)"
        r"|dob_?(?:year|month)",
    ),
    (
        "LOCATION-OTHER",
        r"latitude|longitude|geo_?(?:location|position|point|hash)|lat_?(?:lng|lon)",
    ),
    (
        "LOCATION-OTHER",
        r"gps(?:_?(?:location|position|point|lat(?:itude)?|lon(?:g|gitude)?|lng|coord(?:inate)?s?))?",
    ),
    (
        "DATE",
        r"(?:admi(?:t|ssion)|admsn|disch(?:arge)?|visit|service|encounter|contact|note|event|reg"
        r"|chart|birth|death|deceased)_?(?:date|dt|time|date_?time|dt_?tm)",
    ),
    ("DOCTOR", r"(?:doctor|physician|provider|attending|author|surgeon|nurse|staff)(?:_?name)?"),
    ("DOCTOR", r"(?:signed|dictated|seen|verified|performed)_?by|pcp"),
    ("PATIENT", r"(?:pt|pat|patient|subject|member|person)_?(?:full_?|last_?|first_?)?name"),
    ("PATIENT", r"(?:first|last|full|given|family|middle|maiden|sur|fore)_?name|next_?of_?kin"),
    ("PATIENT", r"(?:guar(?:antor)?|mothers?|fathers?|spouse|guardian)_?name|name_?full(?:_?.*)?"),
    ("PATIENT", r"emerg(?:ency)?_?contact(?:_?name)?"),
    ("HOSPITAL", r"hospital(?:_?name)?|facility(?:_?name)?|clinic(?:_?name)?"),
    (
        "IDNUM",
        r"(?:pt|pat|patient|subject|person|encounter|encntr|visit(?:_?occurrence)?|csn|fin|empi|case"
        r"|hadm|stay|note|event|user|author|prov|provider|prsnl|accession)_?(?:id|no|nbr|num)",
    ),
    ("IDNUM", r"(?:pt|pat|patient|subject|person|encounter|visit)_?number|csn|fin|empi|passport"),
    ("IDNUM", r"person_?source_?value"),
    ("USERNAME", r"user_?name|login"),
)
_COMPILED = [
    *((label, re.compile(rf"(?:.*_)?(?:{pattern})")) for label, pattern in _RULES),
    ("NAME", re.compile("name")),
]

_AGE = "AGE"

# Of places, when the value is a number: names that mean other things, too (lateral, duration).
_COORDINATE = "LOCATION-OTHER"
_DEGREES = r"\d{1,3}(?:°.*|[ NSEWO]*)"
_COORDINATES = (
    (
        re.compile(r"(?:.*_)?(?:lat|lon|lng)"),
        re.compile(rf"[NSEWO+\- ]*(?:\d{{1,3}}[.,]\d+[ °NSEWO]*|{_DEGREES})"),
    ),
    (
        re.compile(r"(?:.*_)?(?:long|geo|geo_?code|coord(?:inate)?s?)"),
        re.compile(r"\D{0,20}\d{1,3}\.\d{2}[\d.,;:\sNSEWO°\-+()]*"),
    ),
)

# Of what was chosen to be replaced, when its value is of such a form.
_CHOSEN = (
    (
        "DATE",
        re.compile(r"(?:.*_)?(?:date|time|dt|tm|dttm|timestamp)"),
        re.compile(r"(?=(?:\D*\d){6})"),
    ),
    (
        "IDNUM",
        re.compile(r"(?:.*_)?(?:id|uuid|guid|key|no|nr|nbr|num|number)"),
        re.compile(r"(?=\D*\d)\S+\Z"),
    ),
)
LONGEST_FIELD = 100
"""Characters; longer values under a name such as "doctor" are text."""

_LOOKS = (
    ("EMAIL", re.compile(r"[^\s@]+@[^\s@]+\.[A-Za-z]{2,}")),
    ("SSN", re.compile(r"\d{3}-\d{2}-\d{4}")),
    ("PHONE", re.compile(r"(?:\+?1[ .\-]?)?\(?\d{3}\)?[ .\-]\d{3}[ .\-]\d{4}")),
    (
        "DATE",
        re.compile(r"\d{1,2}/\d{1,2}/\d{2,4}|\d{4}-\d\d-\d\d(?:[T ].*)?|\d{1,2}\.\d{1,2}\.\d{4}"),
    ),
)
_WORD = re.compile(r"\S+")
_WORDS_OF_NOTE = 12
_SAMPLE = 200
_SHOWN = 8


class IdentifierWarning(UserWarning):
    """Values of a file that are kept as they are look like identifiers."""


@lru_cache(maxsize=1 << 12)
def identifier_label(name: str) -> str | None:
    """Return the PHI class that a column or key is of, by its name.

    Examples
    --------
    >>> identifier_label("PatientName"), identifier_label("Date of birth"), identifier_label("note")
    ('PATIENT', 'DATE', None)
    """
    words = name_words(name)
    return next((label for label, pattern in _COMPILED if pattern.fullmatch(words)), None)


def heading_label(name: str) -> str | None:
    """Return the class that values below a heading may be of, among them those of `value_label`."""
    words = name_words(name)
    if label := identifier_label(name):
        return label
    is_coordinate = any(named.fullmatch(words) for named, _ in _COORDINATES)
    return _AGE if names_age(words) else _COORDINATE if is_coordinate else None


def value_label(name: str, value: str) -> str | None:
    """Return the PHI class of a value by the name of its column or key; of ages, if over 89.

    Examples
    --------
    >>> value_label("mrn", "94"), value_label("age", "94"), value_label("age", "45")
    ('MEDICALRECORD', 'AGE', None)
    >>> value_label("lat", "42.3584"), value_label("lat", "lateral")
    ('LOCATION-OTHER', None)
    """
    words = name_words(name)
    if label := identifier_label(name):
        return label
    if names_age(words):
        return _AGE if is_over_89(words, value) else None
    text = value.strip()
    is_coordinate = any(n.fullmatch(words) and f.fullmatch(text) for n, f in _COORDINATES)
    return _COORDINATE if is_coordinate else None


def name_words(name: str) -> str:
    """Return the words of a name in lower case, joined by ``_``.

    Examples
    --------
    >>> name_words("PatientName"), name_words("Date of birth")
    ('patient_name', 'date_of_birth')
    """
    return re.sub(r"\W+", "_", _BOUNDARY.sub("_", name)).strip("_").lower()


def field_label(name: str, value: str) -> str | None:
    """Return the PHI class that all of a chosen value is of, by its name or its form.

    Parameters
    ----------
    name : str
        That of its column or key.
    value : str

    Returns
    -------
    str or None
        None of text, which has several lines or more than 100 characters, and of other values.

    Examples
    --------
    >>> field_label("note_key", "88-31"), field_label("seen", "3/14/2007"), field_label("ward", "3")
    ('IDNUM', 'DATE', None)
    """
    if not may_be_field(value):
        return None
    words = name_words(name)
    by_form = (
        label for label, named, form in _CHOSEN if named.fullmatch(words) and form.match(value)
    )
    return value_label(name, value) or next(by_form, None) or values_look_like([value])


def may_be_field(value: str) -> bool:
    """Return whether a value may be all of a field, and no text: short, and of one line."""
    return bool(value.strip()) and len(value) <= LONGEST_FIELD and "\n" not in value


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
        if identifier_label(name)
        or any(value_label(name, value) for value in values)
        or values_look_like(values)
    ]


def warn_of_identifiers(
    path: object,
    kept: Mapping[str, Sequence[str]],
    remedy: str,
    shown: Callable[[str], str] = repr,
) -> None:
    """Warn of columns or keys that are kept as they are, and look like identifiers or notes.

    Parameters
    ----------
    path : object
        Names the file.
    kept : mapping of str to sequence of str
        Samples of their values, by name.
    remedy : str
        What to do.
    shown : callable
        Returns a name as it is shown.

    Warns
    -----
    IdentifierWarning
        Names columns or keys, and no values.
    """
    identifiers = identifier_columns(kept)
    notes = [
        name
        for name, values in kept.items()
        if name not in identifiers and any(map(_is_note, values))
    ]
    kinds = {"identifiers": identifiers, "text": notes}
    looks = [f"{kind}: {_shown(list(map(shown, names)))}" for kind, names in kinds.items() if names]
    if looks:
        warnings.warn(
            f"{path}: all but the chosen text is kept as it is, and this looks like "
            f"{'; this like '.join(looks)}; {remedy}",
            IdentifierWarning,
            stacklevel=2,
        )


def _is_note(value: str) -> bool:
    words = islice(_WORD.finditer(value), _WORDS_OF_NOTE)
    return sum(1 for _ in words) == _WORDS_OF_NOTE


def _shown(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
