"""What a label stands for in law, whatever scheme it comes from."""

from __future__ import annotations

from collections.abc import Iterable

from multideid.labels import HIPAA, SCHEMES, mapping

KINDS = ("direct", "quasi", "unclassified")
"""Direct identifiers, quasi-identifiers, and labels that no scheme knows."""

_DIRECT = frozenset(
    """
    NAME PATIENT DOCTOR USERNAME STREET CONTACT PHONE FAX EMAIL URL IPADDR IP_ADDRESS
    ID SSN MEDICALRECORD MEDICAL_RECORD HEALTHPLAN HEALTH_PLAN ACCOUNT LICENSE VEHICLE DEVICE
    BIOID BIOMETRIC PHOTO IDNUM
    NOMBRE_SUJETO_ASISTENCIA NOMBRE_PERSONAL_SANITARIO CALLE NUMERO_TELEFONO NUMERO_FAX
    CORREO_ELECTRONICO URL_WEB DIREC_PROT_INTERNET ID_SUJETO_ASISTENCIA ID_CONTACTO_ASISTENCIAL
    ID_ASEGURAMIENTO NUMERO_BENEF_PLAN_SALUD ID_TITULACION_PERSONAL_SANITARIO
    ID_EMPLEO_PERSONAL_SANITARIO IDENTIF_VEHICULOS_NRSERIE_PLACAS IDENTIF_DISPOSITIVOS_NRSERIE
    IDENTIF_BIOMETRICOS OTRO_NUMERO_IDENTIF
    """.split()
)


def identifier_kind(label: str) -> str:
    """Return whether a label is of direct identifiers or of quasi-identifiers.

    Direct are those that a limited data set must be without (45 CFR
    164.514(e)(2)): names, postal addresses below the town, phone and fax
    numbers, e-mail and web addresses, and the numbers of persons, plans,
    licences, vehicles and devices. Numbers of a kind that is not told, and
    user names, are counted among them. Quasi are the rest, which the rule
    lets stand: dates, ages, places from the town or the postcode up, and what
    else describes a person.

    Parameters
    ----------
    label : str
        In upper or lower case.

    Returns
    -------
    str
        One of `KINDS`; ``"unclassified"`` for a label that is in no scheme.

    Examples
    --------
    >>> identifier_kind("PATIENT"), identifier_kind("AGE"), identifier_kind("BADGE")
    ('direct', 'quasi', 'unclassified')
    """
    known = label.upper()
    if known in _DIRECT:
        return "direct"
    return "quasi" if any(known in scheme for scheme in SCHEMES.values()) else "unclassified"


def hipaa_identifiers(labels: Iterable[str]) -> dict[str, str]:
    """Return which of HIPAA's eighteen identifiers each label stands for.

    Labels are looked up in every scheme; no two schemes disagree. The look-up
    leans to protecting: what a guideline has annotated beyond the rule, such
    as professions, countries and doctors, goes to the nearest identifier.

    Parameters
    ----------
    labels : iterable of str
        In upper or lower case.

    Returns
    -------
    dict of str to str
        Without labels that are in no scheme or might be several identifiers
        (``CONTACT``).

    Examples
    --------
    >>> hipaa_identifiers(["CALLE", "AGE", "BADGE"])
    {'CALLE': 'GEOGRAPHIC', 'AGE': 'DATE'}
    """
    return {x: _BY_LABEL[x.upper()] for x in labels if x.upper() in _BY_LABEL}


_BY_LABEL = {
    label: identifier
    for source in SCHEMES.values()
    for label, identifier in mapping(source, HIPAA).items()
}
