"""Published PHI label schemes, and the mappings between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from multideid.errors import MultideidError
from multideid.labels import PhiClass, phi_class


class LabelError(MultideidError, ValueError):
    """An invalid or unknown label, label scheme or mapping."""


@dataclass(frozen=True, slots=True)
class LabelScheme:
    """An ordered set of PHI labels.

    Parameters
    ----------
    name : str
        Short name, such as ``"thesis"``.
    labels : tuple of str
        At least one, all different, none empty or with white space.

    Raises
    ------
    LabelError
        If the name is empty or the labels are not as described.

    Examples
    --------
    >>> "DATE" in THESIS, len(THESIS)
    (True, 8)
    """

    name: str
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(self.labels))
        if not self.name:
            raise LabelError("a label scheme needs a name")
        if not self.labels:
            raise LabelError(f"label scheme {self.name!r} has no labels")
        for label in self.labels:
            _check_label(self.name, label)
        repeated = sorted({x for x in self.labels if self.labels.count(x) > 1})
        if repeated:
            raise LabelError(f"label scheme {self.name!r} repeats {', '.join(repeated)}")

    def __contains__(self, label: object) -> bool:
        return label in self.labels

    def __iter__(self) -> Iterator[str]:
        return iter(self.labels)

    def __len__(self) -> int:
        return len(self.labels)


def _check_label(scheme: str, label: object) -> None:
    if not isinstance(label, str) or not label or any(c.isspace() for c in label):
        raise LabelError(
            f"label scheme {scheme!r}: {label!r} is not a label; "
            "a label is a non-empty string without white space"
        )


THESIS = LabelScheme(
    "thesis", ("PATIENT", "DOCTOR", "HOSPITAL", "LOCATION", "DATE", "ID", "PHONE", "AGE")
)
"""The eight classes of the thesis and of the 2006 challenge."""

I2B2_2014 = LabelScheme(
    "i2b2-2014",
    (
        *("PATIENT", "DOCTOR", "USERNAME", "PROFESSION"),
        *("HOSPITAL", "ORGANIZATION", "DEPARTMENT", "ROOM", "STREET", "CITY", "STATE"),
        *("COUNTRY", "ZIP", "LOCATION-OTHER", "AGE", "DATE"),
        *("PHONE", "FAX", "EMAIL", "URL", "IPADDR"),
        *("SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE"),
        *("VEHICLE", "DEVICE", "BIOID", "IDNUM", "OTHER"),
    ),
)
"""The types (``TYPE`` attributes) of the 2014 i2b2/UTHealth challenge."""

I2B2_2014_CATEGORIES = LabelScheme(
    "i2b2-2014-categories",
    ("NAME", "PROFESSION", "LOCATION", "AGE", "DATE", "CONTACT", "ID", "OTHER"),
)
"""The categories (element names) of the 2014 i2b2/UTHealth challenge."""

HIPAA = LabelScheme(
    "hipaa",
    (
        *("NAME", "GEOGRAPHIC", "DATE", "PHONE", "FAX", "EMAIL", "SSN", "MEDICAL_RECORD"),
        *("HEALTH_PLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "URL", "IP_ADDRESS"),
        *("BIOMETRIC", "PHOTO", "OTHER"),
    ),
)
"""The eighteen identifiers of the HIPAA safe harbour, 45 CFR 164.514(b)(2)."""

MEDDOCAN = LabelScheme(
    "meddocan",
    (
        *("NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO", "PROFESION"),
        *("HOSPITAL", "INSTITUCION", "CENTRO_SALUD", "CALLE", "TERRITORIO", "PAIS"),
        *("EDAD_SUJETO_ASISTENCIA", "FECHAS", "NUMERO_TELEFONO", "NUMERO_FAX"),
        *("CORREO_ELECTRONICO", "URL_WEB", "DIREC_PROT_INTERNET", "ID_SUJETO_ASISTENCIA"),
        *("ID_CONTACTO_ASISTENCIAL", "ID_ASEGURAMIENTO", "NUMERO_BENEF_PLAN_SALUD"),
        *("ID_TITULACION_PERSONAL_SANITARIO", "ID_EMPLEO_PERSONAL_SANITARIO"),
        *("IDENTIF_VEHICULOS_NRSERIE_PLACAS", "IDENTIF_DISPOSITIVOS_NRSERIE"),
        *("IDENTIF_BIOMETRICOS", "OTRO_NUMERO_IDENTIF", "SEXO_SUJETO_ASISTENCIA"),
        *("FAMILIARES_SUJETO_ASISTENCIA", "OTROS_SUJETO_ASISTENCIA"),
    ),
)
"""The twenty-nine types of the MEDDOCAN 2019 guidelines."""

SCHEMES = {s.name: s for s in (THESIS, I2B2_2014, I2B2_2014_CATEGORIES, HIPAA, MEDDOCAN)}
"""The schemes by name."""

# The label of a class in each scheme that others can be mapped to.
_COLUMNS: dict[str, Callable[[PhiClass], str | None]] = {
    THESIS.name: lambda row: row.thesis,
    I2B2_2014.name: lambda row: row.label if row.label in I2B2_2014 else None,
    I2B2_2014_CATEGORIES.name: lambda row: row.category,
    HIPAA.name: lambda row: row.hipaa,
}
_COARSE = {(I2B2_2014_CATEGORIES.name, target) for target in (THESIS.name, I2B2_2014.name)}

_SPANISH = frozenset(MEDDOCAN).difference(*(s for s in SCHEMES.values() if s is not MEDDOCAN))


def scheme(name: str) -> LabelScheme:
    """Return the scheme of that name.

    Raises
    ------
    LabelError
        If there is none; the message lists the known ones.
    """
    if name not in SCHEMES:
        raise LabelError(f"unknown label scheme {name!r}; there are {', '.join(SCHEMES)}")
    return SCHEMES[name]


def mapping(source: LabelScheme | str, target: LabelScheme | str) -> dict[str, str]:
    """Return the label of `target` that each label of `source` becomes.

    Labels without a counterpart are left out, and so are those with several
    (category ``NAME`` may be a patient or a doctor).

    Parameters
    ----------
    source, target : LabelScheme or str
        Schemes or their names.

    Returns
    -------
    dict of str to str
        In the order of the labels of `source`.

    Raises
    ------
    LabelError
        If a scheme is unknown, or there is no mapping between the two.
    """
    a, b = _resolve(source), _resolve(target)
    if a == b:
        return {label: label for label in a}
    if a.name not in SCHEMES or b.name not in _COLUMNS or (a.name, b.name) in _COARSE:
        raise LabelError(f"there is no mapping from {a.name} to {b.name}")
    column = _COLUMNS[b.name]
    rows = ((label, phi_class(label)) for label in a)
    found = {label: column(row) for label, row in rows if row is not None}
    return {label: other for label, other in found.items() if other is not None}


def map_label(label: str, source: LabelScheme | str, target: LabelScheme | str) -> str | None:
    """Return the label of `target` that `label` becomes, or None without a counterpart.

    Raises
    ------
    LabelError
        If `label` is not in `source`, or as for `mapping`.

    Examples
    --------
    >>> map_label("ZIP", "i2b2-2014", "thesis")
    'LOCATION'
    """
    a = _resolve(source)
    if label not in a:
        raise LabelError(f"{label!r} is not a label of {a.name}; those are {', '.join(a)}")
    return mapping(a, target).get(label)


def language_of(labels: Iterable[str]) -> str:
    """Return ``"es"`` if a label occurs in the Spanish scheme only, else ``"en"``."""
    return "en" if _SPANISH.isdisjoint(label.upper() for label in labels) else "es"


def _resolve(given: LabelScheme | str) -> LabelScheme:
    return scheme(given) if isinstance(given, str) else given
