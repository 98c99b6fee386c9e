"""Names of columns and keys by the PHI class of their values: English, and by the form of a value.

Names are as `multideid.corpora.identifier_names.name_words` returns them: in lower case, without
accents, with words joined by ``_``. The first rule that fits decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from multideid.corpora.identifier_rules_european import ANYTHING, EUROPEAN

_ENGLISH = (
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

RULES = (
    *((label, f"{ANYTHING}(?:{pattern})") for label, pattern in _ENGLISH),
    ("NAME", "name"),
    *EUROPEAN,
)
"""Class and pattern of whole names: ``home_phone`` is a phone, ``phone_type`` is none."""


def _any_of(patterns: Sequence[str]) -> str:
    """Return a pattern for all of some names, which looks for their last words only once."""
    last = [p.removeprefix(ANYTHING) for p in patterns if p.startswith(ANYTHING)]
    whole = [p for p in patterns if not p.startswith(ANYTHING)]
    return f"{ANYTHING}(?:{'|'.join(last)})|{'|'.join(whole)}"


FITS_A_RULE = re.compile(_any_of([pattern for _, pattern in RULES]))
"""Matches the names that fit one of `RULES`, of which it does not tell which."""


class RuleOfForm(NamedTuple):
    """A name that means other things, too, so that the form of the value decides.

    Parameters
    ----------
    label : str
    names, values : re.Pattern
        Both are matched as a whole.
    """

    label: str
    names: re.Pattern[str]
    values: re.Pattern[str]


def _rule(label: str, names: str, values: str) -> RuleOfForm:
    return RuleOfForm(label, re.compile(f"{ANYTHING}(?:{names})"), re.compile(values))


_DEGREES = r"\d{1,3}(?:°.*|[ NSEWO]*)"
BY_FORM = (
    # Lateral, and duration.
    _rule(
        "LOCATION-OTHER", r"lat|lon|lng", rf"[NSEWO+\- ]*(?:\d{{1,3}}[.,]\d+[ °NSEWO]*|{_DEGREES})"
    ),
    _rule(
        "LOCATION-OTHER",
        r"long|geo|geo_?code|coord(?:inate)?s?",
        r"\D{0,20}\d{1,3}\.\d{2}[\d.,;:\sNSEWO°\-+()]*",
    ),
    # Resuscitation, saline, nuts, a PPI, pelvic inflammation, "do not intubate", inspiratory force.
    _rule("SSN", r"cpr|nss|nuss|nir|fnr|nas", r"\d[\d .\-/]{6,24}[A-Z]?"),
    _rule("IDNUM", r"ipp|nip|nda|iep|pid", r"[A-Z]{0,3}[\- ]?\d[\d .\-/]{4,20}"),
    _rule("IDNUM", r"dni|nif|nie|rut", r"[A-Z]?[\- ]?\d[\d.]{6,10}[\- ]?[\dA-Za-z]?"),
    # Ciprofloxacin, chest pain, pneumonia.
    _rule("HEALTHPLAN", r"cip|tis|cns", r"[A-Z]{0,6}[\- ]?\d{6,20}[A-Z]{0,4}"),
    _rule("ZIP", r"cp|cap|cep|psc", r"\d{5}(?:-?\d{3})?|\d{3} \d{2}"),
)
