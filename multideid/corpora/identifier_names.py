"""Names of columns and keys that say that their values are identifiers."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from multideid.accents import without_accents
from multideid.corpora.age_fields import is_over_89, names_age
from multideid.corpora.identifier_rules import BY_FORM, FITS_A_RULE, RULES, RuleOfForm

_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

_COMPILED = [(label, re.compile(pattern)) for label, pattern in RULES]
_AGE = "AGE"
_SURNAMES = frozenset("alder arts handy lege ville".split())
"""Names of fields in some languages that are surnames in others."""

# Of what was chosen to be replaced, when its value is of such a form.
_CHOSEN = (
    (
        "DATE",
        re.compile(r"(?:.*_)?(?:date|time|dt|tm|dttm|timestamp|fecha|datum|dato)|fecha_.*"),
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


class _Name(NamedTuple):
    """What a name of a column or key says of its values, whatever they are.

    Parameters
    ----------
    words : str
        As `name_words` returns them.
    label : str or None
        The PHI class of all values.
    is_age : bool
    by_form : tuple of RuleOfForm
        Rules for values of some forms.
    """

    words: str
    label: str | None
    is_age: bool
    by_form: tuple[RuleOfForm, ...]


@lru_cache(maxsize=1 << 12)
def _read(name: str) -> _Name:
    words = name_words(name)
    # Most texts fit none.
    rules = _COMPILED if FITS_A_RULE.fullmatch(words) else []
    label = next((label for label, pattern in rules if pattern.fullmatch(words)), None)
    by_form = tuple(rule for rule in BY_FORM if rule.names.fullmatch(words))
    return _Name(words, label, names_age(words), by_form)


def identifier_label(name: str) -> str | None:
    """Return the PHI class that a column or key is of, by its name.

    Examples
    --------
    >>> identifier_label("PatientName"), identifier_label("Date of birth"), identifier_label("note")
    ('PATIENT', 'DATE', None)
    """
    return _read(name).label


def heading_label(name: str) -> str | None:
    """Return the class that values below a heading may be of, among them those of `value_label`.

    A name of a field that is a surname, too, is no heading, but may be a value.
    """
    known = _read(name)
    if known.words in _SURNAMES:
        return None
    if known.label:
        return known.label
    if known.is_age:
        return _AGE
    return next((rule.label for rule in known.by_form), None)


def value_label(name: str, value: str) -> str | None:
    """Return the PHI class of a value by the name of its column or key; of ages, if over 89.

    Examples
    --------
    >>> value_label("mrn", "94"), value_label("age", "94"), value_label("age", "45")
    ('MEDICALRECORD', 'AGE', None)
    >>> value_label("lat", "42.3584"), value_label("lat", "lateral")
    ('LOCATION-OTHER', None)
    """
    known = _read(name)
    if known.label:
        return known.label
    if known.is_age:
        return _AGE if is_over_89(known.words, value) else None
    text = value.strip()
    return next((rule.label for rule in known.by_form if rule.values.fullmatch(text)), None)


def name_words(name: str) -> str:
    """Return the words of a name in lower case, without accents, joined by ``_``.

    Examples
    --------
    >>> name_words("PatientName"), name_words("Date of birth"), name_words("N° téléphone")
    ('patient_name', 'date_of_birth', 'n_telephone')
    """
    words = _BOUNDARY.sub("_", without_accents(name))
    return re.sub(r"\W+", "_", words).strip("_").casefold()


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
    words = _read(name).words
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
