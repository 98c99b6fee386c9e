"""Which label of one scheme stands for which of another."""

from __future__ import annotations


def _grouped(groups: dict[str, str]) -> dict[str, str]:
    return {label: group for group, labels in groups.items() for label in labels.split()}


def _same(labels: str) -> dict[str, str]:
    return {label: label for label in labels.split()}


_PLACES = "ORGANIZATION ROOM STREET CITY STATE COUNTRY ZIP LOCATION-OTHER"
_NUMBERS = "SSN MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE VEHICLE DEVICE BIOID IDNUM"

# Every scheme is tied to the i2b2-2014 types, the finest; other pairs go
# through them.
TABLES: dict[tuple[str, str], dict[str, str]] = {
    ("i2b2-2014", "i2b2-2014-categories"): _grouped(
        {
            "NAME": "PATIENT DOCTOR USERNAME",
            "PROFESSION": "PROFESSION",
            "LOCATION": f"HOSPITAL DEPARTMENT {_PLACES}",
            "AGE": "AGE",
            "DATE": "DATE",
            "CONTACT": "PHONE FAX EMAIL URL IPADDR",
            "ID": _NUMBERS,
            "OTHER": "OTHER",
        }
    ),
    ("i2b2-2014", "thesis"): _grouped(
        {
            "PATIENT": "PATIENT",
            "DOCTOR": "DOCTOR",
            "HOSPITAL": "HOSPITAL DEPARTMENT",
            "LOCATION": _PLACES,
            "DATE": "DATE",
            "ID": f"USERNAME EMAIL URL IPADDR {_NUMBERS}",
            "PHONE": "PHONE FAX",
            "AGE": "AGE",
        }
    ),
    ("i2b2-2014", "hipaa"): _grouped(
        {
            "NAME": "PATIENT DOCTOR",
            "GEOGRAPHIC": f"HOSPITAL DEPARTMENT {_PLACES}",
            # Ages over 89 belong to the dates, 164.514(b)(2)(i)(C).
            "DATE": "DATE AGE",
            "PHONE": "PHONE",
            "FAX": "FAX",
            "EMAIL": "EMAIL",
            "SSN": "SSN",
            "MEDICAL_RECORD": "MEDICALRECORD",
            "HEALTH_PLAN": "HEALTHPLAN",
            "ACCOUNT": "ACCOUNT",
            "LICENSE": "LICENSE",
            "VEHICLE": "VEHICLE",
            "DEVICE": "DEVICE",
            "URL": "URL",
            "IP_ADDRESS": "IPADDR",
            "BIOMETRIC": "BIOID",
            "OTHER": "USERNAME PROFESSION IDNUM OTHER",
        }
    ),
    # CONTACT may be a phone, a fax, an e-mail or a web address.
    ("i2b2-2014-categories", "hipaa"): _grouped(
        {
            "NAME": "NAME",
            "GEOGRAPHIC": "LOCATION",
            "DATE": "DATE AGE",
            "OTHER": "PROFESSION ID OTHER",
        }
    ),
    ("thesis", "i2b2-2014"): {
        **_same("PATIENT DOCTOR HOSPITAL DATE PHONE AGE"),
        "LOCATION": "LOCATION-OTHER",
        "ID": "IDNUM",
    },
    ("hipaa", "i2b2-2014"): {
        **_same("DATE PHONE FAX EMAIL SSN ACCOUNT LICENSE VEHICLE DEVICE URL OTHER"),
        "GEOGRAPHIC": "LOCATION-OTHER",
        "MEDICAL_RECORD": "MEDICALRECORD",
        "HEALTH_PLAN": "HEALTHPLAN",
        "IP_ADDRESS": "IPADDR",
        "BIOMETRIC": "BIOID",
    },
    ("hipaa", "i2b2-2014-categories"): _grouped(
        {
            "NAME": "NAME",
            "LOCATION": "GEOGRAPHIC",
            "DATE": "DATE",
            "CONTACT": "PHONE FAX EMAIL URL IP_ADDRESS",
            "ID": "SSN MEDICAL_RECORD HEALTH_PLAN ACCOUNT LICENSE VEHICLE DEVICE BIOMETRIC",
            "OTHER": "PHOTO OTHER",
        }
    ),
    ("meddocan", "i2b2-2014"): _grouped(
        {
            "PATIENT": "NOMBRE_SUJETO_ASISTENCIA",
            "DOCTOR": "NOMBRE_PERSONAL_SANITARIO",
            "PROFESSION": "PROFESION",
            "HOSPITAL": "HOSPITAL CENTRO_SALUD",
            "ORGANIZATION": "INSTITUCION",
            "STREET": "CALLE",
            # TERRITORIO is a town, a province or a postcode.
            "LOCATION-OTHER": "TERRITORIO",
            "COUNTRY": "PAIS",
            "AGE": "EDAD_SUJETO_ASISTENCIA",
            "DATE": "FECHAS",
            "PHONE": "NUMERO_TELEFONO",
            "FAX": "NUMERO_FAX",
            "EMAIL": "CORREO_ELECTRONICO",
            "URL": "URL_WEB",
            "IPADDR": "DIREC_PROT_INTERNET",
            "MEDICALRECORD": "ID_SUJETO_ASISTENCIA",
            "HEALTHPLAN": "ID_ASEGURAMIENTO NUMERO_BENEF_PLAN_SALUD",
            "LICENSE": "ID_TITULACION_PERSONAL_SANITARIO",
            "VEHICLE": "IDENTIF_VEHICULOS_NRSERIE_PLACAS",
            "DEVICE": "IDENTIF_DISPOSITIVOS_NRSERIE",
            "BIOID": "IDENTIF_BIOMETRICOS",
            "IDNUM": "ID_CONTACTO_ASISTENCIAL ID_EMPLEO_PERSONAL_SANITARIO OTRO_NUMERO_IDENTIF",
            "OTHER": "SEXO_SUJETO_ASISTENCIA FAMILIARES_SUJETO_ASISTENCIA OTROS_SUJETO_ASISTENCIA",
        }
    ),
}
