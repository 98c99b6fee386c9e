"""What kind of surrogate a label asks for, whatever scheme the label is from."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from multideid.labels import I2B2_2014, MEDDOCAN, SCHEMES, mapping


class Kind(StrEnum):
    """Kinds of surrogates."""

    PERSON = "person"
    INSTITUTION = "institution"
    PLACE = "place"
    STREET = "street"
    DATE = "date"
    AGE = "age"
    PHONE = "phone"
    EMAIL = "email"
    URL = "url"
    ADDRESS = "network address"
    NUMBER = "number"
    PROFESSION = "profession"
    GENERIC = "generic"


NAMES = (Kind.PERSON, Kind.INSTITUTION, Kind.PLACE, Kind.STREET)
"""Kinds that are made of words that name somebody or something."""

_TYPES = {
    Kind.PERSON: "PATIENT DOCTOR",
    Kind.INSTITUTION: "HOSPITAL ORGANIZATION DEPARTMENT",
    Kind.PLACE: "CITY STATE COUNTRY LOCATION-OTHER",
    Kind.STREET: "STREET",
    Kind.DATE: "DATE",
    Kind.AGE: "AGE",
    Kind.PHONE: "PHONE FAX",
    Kind.EMAIL: "EMAIL",
    Kind.URL: "URL",
    Kind.ADDRESS: "IPADDR",
    Kind.NUMBER: "USERNAME ROOM ZIP SSN MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE VEHICLE DEVICE "
    "BIOID IDNUM",
    Kind.PROFESSION: "PROFESSION",
    Kind.GENERIC: "OTHER",
}
_BY_TYPE = {label: kind for kind, labels in _TYPES.items() for label in labels.split()}

# Labels that several types share, and those that other tools are fond of.
_OTHERS = {
    Kind.PERSON: "NAME PERSON PER RELATIVE",
    Kind.INSTITUTION: "ORG",
    Kind.PLACE: "LOCATION GEOGRAPHIC LOC GPE",
    Kind.DATE: "DATE_TIME",
    Kind.PHONE: "PHONE_NUMBER CONTACT",
    Kind.EMAIL: "EMAIL_ADDRESS",
    Kind.NUMBER: "ID",
    Kind.GENERIC: "PHOTO",
}


def _all_labels() -> dict[str, Kind]:
    found = {label: kind for kind, labels in _OTHERS.items() for label in labels.split()}
    for scheme in SCHEMES.values():
        if scheme.name != "i2b2-2014-categories":
            found |= {x: _BY_TYPE[t] for x, t in mapping(scheme, I2B2_2014).items()}
    return found | {"LOCATION": Kind.PLACE, "OTHER": Kind.GENERIC}


_KINDS = _all_labels()
_SPANISH = frozenset(MEDDOCAN).difference(*(s for s in SCHEMES.values() if s is not MEDDOCAN))


def kind_of(label: str) -> Kind | None:
    """Return the kind of surrogate for a label; None for a label that no scheme knows.

    Examples
    --------
    >>> kind_of("CALLE"), kind_of("SSN"), kind_of("BADGE")
    (<Kind.STREET: 'street'>, <Kind.NUMBER: 'number'>, None)
    """
    return _KINDS.get(label.upper())


def language_of(labels: Iterable[str]) -> str:
    """Return ``"es"`` if a label is of the Spanish scheme alone, else ``"en"``."""
    return "en" if _SPANISH.isdisjoint(label.upper() for label in labels) else "es"
