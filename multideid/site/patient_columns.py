"""What the columns of a table of patients hold, by their names."""

from __future__ import annotations

from multideid.labels import phi_class

_NAMES = """
    name full_name first_name middle_name last_name given_name family_name surname maiden_name
    previous_name nickname alias aliases relative relatives next_of_kin spouse partner mother father
    guardian emergency_contact
"""
_COLUMNS = {
    "PATIENT": _NAMES,
    "MEDICALRECORD": "mrn medical_record_number record_number",
    "SSN": "ssn social_security_number",
    "HEALTHPLAN": "insurance_id insurance_number health_plan member_id",
    "ACCOUNT": "account account_number",
    "DATE": "dob birth_date date_of_birth birthdate admission_date discharge_date",
    "STREET": "address street street_address",
    "CITY": "city town",
    "ZIP": "zip zip_code postcode postal_code",
    "PHONE": "phone phones telephone mobile cell fax home_phone work_phone",
    "EMAIL": "email e_mail mail",
    "DOCTOR": "staff doctor physician attending consultant nurse gp provider",
    "ORGANIZATION": "employer",
    "HOSPITAL": "hospital",
}
_LABEL_OF = {name: label for label, names in _COLUMNS.items() for name in names.split()}
IDS = ("patient", "patient_id", "pid", "id", "mrn", "medical_record_number")
"""Names of the column that identifies the patient, the first that a table has."""


def label_of(name: str) -> str | None:
    """Return the label of the values of a column, None if they are not looked for.

    Parameters
    ----------
    name : str
        Lower case, with underscores for spaces.
    """
    row = phi_class(name)
    return _LABEL_OF.get(name) or (None if row is None or name in IDS else row.label)
