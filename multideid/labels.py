"""PHI classes: one row each, with the meaning of a label in law and in other schemes.

A model learns the labels of its corpus, whether they are listed here or not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import NamedTuple

IDENTIFIER_KINDS = ("direct", "quasi", "unclassified")
"""Direct identifiers, quasi-identifiers, and labels that no row lists."""

_DIRECT, _QUASI = IDENTIFIER_KINDS[:2]


class SurrogateKind(StrEnum):
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


_K = SurrogateKind

NAME_KINDS = (_K.PERSON, _K.INSTITUTION, _K.PLACE, _K.STREET)
"""Kinds of surrogates that consist of words naming somebody or something."""


class PhiClass(NamedTuple):
    """One class of PHI.

    Parameters
    ----------
    label : str
        Its name; for most classes, the i2b2-2014 type.
    category : str
        The i2b2-2014 category.
    thesis : str or None
        The class of the thesis and of the 2006 challenge; None if they have none.
    hipaa : str or None
        The HIPAA identifier; None if it may be several. Ages over 89 count among
        the dates, 45 CFR 164.514(b)(2)(i)(C).
    identifier : {"direct", "quasi"}
        See `identifier_kind`.
    surrogate : SurrogateKind
    synonyms : str
        Labels of the schemes that mean this class too, separated by spaces.
    tools : str
        Labels of common tools, for the choice of a surrogate only.
    """

    label: str
    category: str
    thesis: str | None
    hipaa: str | None
    identifier: str
    surrogate: SurrogateKind
    synonyms: str = ""
    tools: str = ""


# fmt: off
PHI_CLASSES = (
    # label, category, thesis, HIPAA, identifier, surrogate, synonyms, tools
    PhiClass("PATIENT", "NAME", "PATIENT", "NAME", _DIRECT, _K.PERSON,
             "NOMBRE_SUJETO_ASISTENCIA"),
    PhiClass("DOCTOR", "NAME", "DOCTOR", "NAME", _DIRECT, _K.PERSON,
             "NOMBRE_PERSONAL_SANITARIO"),
    PhiClass("USERNAME", "NAME", "ID", "OTHER", _DIRECT, _K.NUMBER),
    PhiClass("PROFESSION", "PROFESSION", None, "OTHER", _QUASI, _K.PROFESSION, "PROFESION"),
    PhiClass("HOSPITAL", "LOCATION", "HOSPITAL", "GEOGRAPHIC", _QUASI, _K.INSTITUTION,
             "CENTRO_SALUD"),
    PhiClass("ORGANIZATION", "LOCATION", "LOCATION", "GEOGRAPHIC", _QUASI, _K.INSTITUTION,
             "INSTITUCION", "ORG"),
    PhiClass("DEPARTMENT", "LOCATION", "HOSPITAL", "GEOGRAPHIC", _QUASI, _K.INSTITUTION),
    PhiClass("ROOM", "LOCATION", "LOCATION", "GEOGRAPHIC", _QUASI, _K.NUMBER),
    PhiClass("STREET", "LOCATION", "LOCATION", "GEOGRAPHIC", _DIRECT, _K.STREET, "CALLE"),
    PhiClass("CITY", "LOCATION", "LOCATION", "GEOGRAPHIC", _QUASI, _K.PLACE),
    PhiClass("STATE", "LOCATION", "LOCATION", "GEOGRAPHIC", _QUASI, _K.PLACE),
    PhiClass("COUNTRY", "LOCATION", "LOCATION", "GEOGRAPHIC", _QUASI, _K.PLACE, "PAIS"),
    PhiClass("ZIP", "LOCATION", "LOCATION", "GEOGRAPHIC", _QUASI, _K.NUMBER),
    # TERRITORIO is a town, a province or a postcode.
    PhiClass("LOCATION-OTHER", "LOCATION", "LOCATION", "GEOGRAPHIC", _QUASI, _K.PLACE,
             "LOCATION GEOGRAPHIC TERRITORIO", "LOC GPE"),
    PhiClass("AGE", "AGE", "AGE", "DATE", _QUASI, _K.AGE, "EDAD_SUJETO_ASISTENCIA"),
    PhiClass("DATE", "DATE", "DATE", "DATE", _QUASI, _K.DATE, "FECHAS", "DATE_TIME"),
    PhiClass("PHONE", "CONTACT", "PHONE", "PHONE", _DIRECT, _K.PHONE, "NUMERO_TELEFONO",
             "PHONE_NUMBER"),
    PhiClass("FAX", "CONTACT", "PHONE", "FAX", _DIRECT, _K.PHONE, "NUMERO_FAX"),
    PhiClass("EMAIL", "CONTACT", "ID", "EMAIL", _DIRECT, _K.EMAIL, "CORREO_ELECTRONICO",
             "EMAIL_ADDRESS"),
    PhiClass("URL", "CONTACT", "ID", "URL", _DIRECT, _K.URL, "URL_WEB"),
    PhiClass("IPADDR", "CONTACT", "ID", "IP_ADDRESS", _DIRECT, _K.ADDRESS,
             "IP_ADDRESS DIREC_PROT_INTERNET"),
    PhiClass("SSN", "ID", "ID", "SSN", _DIRECT, _K.NUMBER),
    PhiClass("MEDICALRECORD", "ID", "ID", "MEDICAL_RECORD", _DIRECT, _K.NUMBER,
             "MEDICAL_RECORD ID_SUJETO_ASISTENCIA"),
    PhiClass("HEALTHPLAN", "ID", "ID", "HEALTH_PLAN", _DIRECT, _K.NUMBER,
             "HEALTH_PLAN ID_ASEGURAMIENTO NUMERO_BENEF_PLAN_SALUD"),
    PhiClass("ACCOUNT", "ID", "ID", "ACCOUNT", _DIRECT, _K.NUMBER),
    PhiClass("LICENSE", "ID", "ID", "LICENSE", _DIRECT, _K.NUMBER,
             "ID_TITULACION_PERSONAL_SANITARIO"),
    PhiClass("VEHICLE", "ID", "ID", "VEHICLE", _DIRECT, _K.NUMBER,
             "IDENTIF_VEHICULOS_NRSERIE_PLACAS"),
    PhiClass("DEVICE", "ID", "ID", "DEVICE", _DIRECT, _K.NUMBER, "IDENTIF_DISPOSITIVOS_NRSERIE"),
    PhiClass("BIOID", "ID", "ID", "BIOMETRIC", _DIRECT, _K.NUMBER,
             "BIOMETRIC IDENTIF_BIOMETRICOS"),
    PhiClass("IDNUM", "ID", "ID", "OTHER", _DIRECT, _K.NUMBER,
             "ID ID_CONTACTO_ASISTENCIAL ID_EMPLEO_PERSONAL_SANITARIO OTRO_NUMERO_IDENTIF"),
    PhiClass("OTHER", "OTHER", None, "OTHER", _QUASI, _K.GENERIC,
             "SEXO_SUJETO_ASISTENCIA FAMILIARES_SUJETO_ASISTENCIA OTROS_SUJETO_ASISTENCIA"),
    # No i2b2-2014 type: a name is of a patient or a doctor, and a contact a
    # phone, a fax, an e-mail or a web address.
    PhiClass("NAME", "NAME", None, "NAME", _DIRECT, _K.PERSON, "", "PERSON PER RELATIVE"),
    PhiClass("CONTACT", "CONTACT", None, None, _DIRECT, _K.PHONE),
    PhiClass("PHOTO", "OTHER", None, "PHOTO", _DIRECT, _K.GENERIC),
)
"""The classes; a new one is a new row."""
# fmt: on

_BY_LABEL = {label: row for row in PHI_CLASSES for label in (row.label, *row.synonyms.split())}
_BY_TOOL_LABEL = {label: row for row in PHI_CLASSES for label in row.tools.split()}


def phi_class(label: str) -> PhiClass | None:
    """Return the class that a label of any scheme means; None for other labels.

    Parameters
    ----------
    label : str
        In upper or lower case.
    """
    return _BY_LABEL.get(label.upper())


def nearest_label(label: str, labels: Collection[str]) -> str:
    """Return which of some labels says best what a label says.

    Parameters
    ----------
    label : str
        A PHI class, such as ``"CITY"``.
    labels : collection of str
        The labels in use, such as those of a model.

    Returns
    -------
    str
        The label itself if it is in use, else one of the same class, else the
        thesis's class or the category; the label itself if none of them is in use.

    Examples
    --------
    >>> nearest_label("STREET", ["LOCATION", "DATE"]), nearest_label("STREET", ["CALLE"])
    ('LOCATION', 'CALLE')
    """
    row = phi_class(label)
    if label in labels or row is None:
        return label
    same = [other for other in labels if phi_class(other) == row]
    coarser = [other for other in (row.thesis, row.category) if other and other in labels]
    return [*same, *coarser, label][0]


def identifier_kind(label: str) -> str:
    """Return whether a label is a direct identifier or a quasi-identifier.

    Direct identifiers are those that a limited data set must not contain (45
    CFR 164.514(e)(2)): names, postal addresses below the town, phone and fax
    numbers, e-mail and web addresses, and the numbers of persons, plans,
    licences, vehicles and devices. Numbers of an unknown kind and user names
    count among them. Quasi-identifiers are the rest, which the rule permits:
    dates, ages, places from the town or the postcode up, and anything else that
    describes a person.

    Parameters
    ----------
    label : str
        In upper or lower case.

    Returns
    -------
    str
        One of `IDENTIFIER_KINDS`; ``"unclassified"`` for a label of no scheme.

    Examples
    --------
    >>> identifier_kind("PATIENT"), identifier_kind("AGE"), identifier_kind("BADGE")
    ('direct', 'quasi', 'unclassified')
    """
    row = phi_class(label)
    return "unclassified" if row is None else row.identifier


def hipaa_identifiers(labels: Iterable[str]) -> dict[str, str]:
    """Return the HIPAA identifier, one of eighteen, behind each label.

    If in doubt, a label counts as protected: classes that a guideline annotates
    beyond the rule, such as professions, countries and doctors, go to the
    nearest identifier.

    Parameters
    ----------
    labels : iterable of str
        In upper or lower case.

    Returns
    -------
    dict of str to str
        Without labels that are in no scheme or may be several identifiers
        (``CONTACT``).

    Examples
    --------
    >>> hipaa_identifiers(["CALLE", "AGE", "BADGE"])
    {'CALLE': 'GEOGRAPHIC', 'AGE': 'DATE'}
    """
    rows = {label: phi_class(label) for label in labels}
    return {label: row.hipaa for label, row in rows.items() if row and row.hipaa}


def surrogate_kind(label: str) -> SurrogateKind | None:
    """Return the kind of surrogate for a label; None for an unknown label.

    Parameters
    ----------
    label : str
        Of any scheme or of a common tool, in upper or lower case.

    Examples
    --------
    >>> surrogate_kind("CALLE"), surrogate_kind("PERSON"), surrogate_kind("BADGE")
    (<SurrogateKind.STREET: 'street'>, <SurrogateKind.PERSON: 'person'>, None)
    """
    row = phi_class(label) or _BY_TOOL_LABEL.get(label.upper())
    return None if row is None else row.surrogate
