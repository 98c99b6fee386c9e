"""Presidio's entities of PHI labels."""

from __future__ import annotations

from multideid.labels import SurrogateKind, phi_class, surrogate_kind

_K = SurrogateKind
_ENTITIES = {
    _K.PERSON: "PERSON",
    _K.INSTITUTION: "ORGANIZATION",
    _K.PLACE: "LOCATION",
    _K.STREET: "LOCATION",
    _K.DATE: "DATE_TIME",
    _K.AGE: "AGE",
    _K.PHONE: "PHONE_NUMBER",
    _K.EMAIL: "EMAIL_ADDRESS",
    _K.URL: "URL",
    _K.ADDRESS: "IP_ADDRESS",
    _K.PROFESSION: "PROFESSION",
    _K.NUMBER: "ID",
}
_SINGLE = {"SSN": "US_SSN", "LICENSE": "MEDICAL_LICENSE", "ZIP": "LOCATION", "ROOM": "LOCATION"}


def presidio_entity(label: str) -> str:
    """Return Presidio's entity of a label, with which its operators and filters work.

    Parameters
    ----------
    label : str
        Of any scheme; a label that is unknown, or that no entity of Presidio fits, stays.

    Examples
    --------
    >>> presidio_entity("DOCTOR"), presidio_entity("FECHAS"), presidio_entity("BADGE")
    ('PERSON', 'DATE_TIME', 'BADGE')
    """
    row = phi_class(label)
    if row is not None and row.label in _SINGLE:
        return _SINGLE[row.label]
    kind = surrogate_kind(label)
    return label if kind is None else _ENTITIES.get(kind, label)
