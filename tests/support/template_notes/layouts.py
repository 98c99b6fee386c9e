"""The shapes of whole documents, and how their section headings look.

A layout is a text with braces: PHI and phrases as in sentences, and
``{section:history}`` for a heading with sentences of that section under it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple


class Section(NamedTuple):
    """How a section is headed and filled."""

    headings: tuple[str, ...]
    fewest: int
    most: int
    listed: bool = False


SECTIONS: Mapping[str, Section] = {
    "history": Section(("History of present illness", "HPI", "Reason for admission"), 4, 8),
    "past": Section(("Past medical history", "PMH", "Past history"), 2, 6, listed=True),
    "medications": Section(("Medications on admission", "Meds", "Home medications"), 3, 7, True),
    "discharge_medications": Section(("Discharge medications", "Discharge meds"), 3, 7, True),
    "allergies": Section(("Allergies", "Allergies and reactions"), 1, 1),
    "social": Section(("Social history", "SH", "Habits and social history"), 2, 5),
    "family": Section(("Family history", "FH"), 1, 3),
    "exam": Section(("Physical examination", "Exam", "PE"), 4, 8),
    "labs": Section(("Laboratory data", "Labs and studies", "Pertinent results"), 2, 6),
    "course": Section(("Hospital course", "Brief hospital course", "Course by problem"), 5, 11),
    "disposition": Section(("Disposition", "Discharge disposition"), 1, 1),
    "followup": Section(("Follow up", "Discharge instructions", "Plan"), 2, 6),
    "diagnosis": Section(("Principal diagnosis", "Diagnoses", "Discharge diagnosis"), 1, 4, True),
    "procedures": Section(("Procedures", "Operations and procedures"), 1, 3, True),
    "condition": Section(("Condition at discharge", "Condition"), 1, 1),
    "subjective": Section(("S", "Subjective", "Interval events"), 1, 3),
    "objective": Section(("O", "Objective", "Data"), 2, 4),
    "assessment": Section(("A/P", "Assessment and plan", "Impression"), 2, 5, True),
    "letter": Section(("",), 4, 8),
}  # fmt: skip

SENTENCES_OF: Mapping[str, str] = {"discharge_medications": "medications"}
"""Sections that share the sentences of another."""


def _title(heading: str) -> str:
    return " ".join(word[0].upper() + word[1:] for word in heading.split())


HEADING_STYLES: tuple[Callable[[str], str], ...] = (
    lambda heading: f"{heading.upper()}:\n",
    lambda heading: f"{heading.upper()}: ",
    lambda heading: f"{_title(heading)}:\n",
    lambda heading: f"{heading}: ",
    lambda heading: f"{heading.upper()}\n",
    lambda heading: f"** {heading} **\n",
    lambda heading: f"{heading}\n{'-' * len(heading)}\n",
)

LIST_STYLES: tuple[Callable[[int], str], ...] = (
    lambda number: f"{number}. ",
    lambda number: f"{number}) ",
    lambda number: "- ",
    lambda number: "",
    lambda number: "  * ",
)

_FULL = """\
{hospital_upper}
DISCHARGE SUMMARY

NAME: {patient_listed}
MEDICAL RECORD NUMBER: {mrn}
ADMISSION DATE: {admit_date}     DISCHARGE DATE: {discharge_date}
DATE OF BIRTH: {birth_date}
ATTENDING: {attending_listed}

{section:diagnosis}

{section:history}

{section:past}

{section:medications}

{section:allergies}

{section:social}

{section:family}

{section:exam}

{section:labs}

{section:course}

{section:disposition}

{section:discharge_medications}

{section:followup}

{section:condition}

______________________________
{attending_full}, M.D.

DICTATED BY: {resident_full}, M.D.
D: {discharge_date}
T: {dictated_date}
JOB: {job_id}
cc: {pcp_full}, M.D.
    {street}
    {city}, {state} {zip}
"""

_FORM = """\
Unit No: {mrn}   Acct: {account}
Patient: {patient_listed}   Age/Sex: {age}/{sex}   DOB: {birth_date}
Facility: {hospital}
Adm: {admit_date} Disch: {discharge_date}
Attending Dr: {attending}   PCP: {pcp_full} ({phone})
Emergency contact: {relative} - {relation} - {phone}
Address: {street}, {city}, {state} {zip}

{section:diagnosis}
{section:procedures}
{section:history}
{section:social}
{section:exam}
{section:labs}
{section:course}
{section:discharge_medications}
{section:followup}
{section:disposition}

Electronically signed by {attending_full}, MD on {discharge_date} at {clock}
"""

_RECORD = """\
{mrn} | {hospital_short} | {account} | | {job_id} | {admit_date} | Discharge Summary | DIS |
Report Status: Signed

{section:history}

{section:past}

{section:medications}

{section:exam}

{section:course}

{section:labs}

{section:followup}

TR: {job_id}
DD: {discharge_date}
TD: {dictated_date}
CC: {pcp_full}; {doctor_full}
"""

_LETTER = """\
{hospital}
{street}
{city}, {state} {zip}
Tel. {phone}  Fax {phone}

{discharge_date}

{pcp_full}, M.D.
{street}
{city}, {state} {zip}

RE: {patient_full}
    Unit number {mrn}, born {birth_date}

Dear Dr. {pcp}:

{section:letter}

{section:exam}

{section:letter}

Sincerely,


{attending_full}, M.D.
Department of {service}
"""

_FAMILIAR_LETTER = """\
{discharge_date}

Dear {pcp_first},

{section:letter}

{section:history}

{section:followup}

With best regards,

{attending_first}

{attending_full}, MD, {service}
{hospital}, pager {pager}
"""

_PROGRESS = """\
{service} progress note   {stay_date}   {clock}
{patient_listed}  {mrn}  {ward}

{section:subjective}
{section:objective}
{section:assessment}

{resident_full}, MD  pgr {pager}
"""

_NURSING = """\
NURSING ADMISSION NOTE
{admit_date} {clock}. {patient} arrived on {ward} from {other_hospital}, oriented to room.
Language: English. Wristband {mrn} checked. Contact: {relative} ({relation}), {phone}.
{section:subjective}
{section:social}
{section:medications}
{stay_date} {clock}. Dr. {resident} aware of {lab}; orders taken.
{stay_date} {clock}. {relation:cap} {relative} phoned from {city}.
Report to {ward} given. Social security {ssn} verified by registration.
"""

_DICTATED = """\
This is a discharge summary on {patient_full}, record number {mrn}, admitted {admit_date} \
and discharged {discharge_date} from {hospital}.

{plain:history}

{plain:course}

{plain:followup}

This is Dr. {attending_full} dictating. Copies to Dr. {pcp} in {city} and to {other_hospital}.
"""

LAYOUTS: tuple[str, ...] = (
    _FULL, _FULL, _FORM, _FORM, _RECORD, _LETTER, _FAMILIAR_LETTER, _PROGRESS, _NURSING, _DICTATED,
)  # fmt: skip
"""The layouts, those that are commoner more than once."""
