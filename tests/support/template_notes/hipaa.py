"""The identifiers of HIPAA that the thesis's eight classes leave aside or seldom show.

E-mail and web addresses have labels of their own, EMAIL and URL (an IP address
is a URL). Numbers of people, plans, licences, vehicles and devices are IDs.
Nothing here was ever given out: social security numbers begin with 000, IP
addresses are those kept for documentation, hosts have invented names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from template_notes import formats, places
from template_notes.people import Person, invented_surname
from template_notes.phi import Stay, labelled
from template_notes.pieces import Piece

_PROVIDERS = ("mail", "post", "inbox", "net", "web")
_ENDS = ("com", "com", "org", "net", "edu")
_PAGES = (
    "portal", "results", "patients", "appointments", "mychart", "forms/intake.pdf", "images",
    "records", "visit", "index.html",
)  # fmt: skip
_FOR_DOCUMENTATION = ("192.0.2", "198.51.100", "203.0.113")

SSN_STYLES = ("000-99-9999", "000 99 9999", "000-99-9999", "000999999")
LICENCE_STYLES = ("A9999999", "A99-999-999", "AA9999999", "999999999", "AAA-99-9999")
PROFESSIONAL_STYLES = ("AA9999999", "9999999999", "99999", "MD-999999")
PLATE_STYLES = ("AAA 9999", "AAA-9999", "999 AAA", "9AAA999", "AA99 AAA", "AAA999")
VIN_STYLES = ("9A9AA99A9AA999999", "9AAAA99A99A999999", "AA9AA99A9A9999999")
MEMBER_STYLES = ("AAA999999999", "999999999A", "A99999999", "999-99-9999-A", "9999999999-01")
GROUP_STYLES = ("999999", "99999-999", "AA9999")
SERIAL_STYLES = ("AAA999999A", "SN9999999", "99-99999-A", "AA-9999-99", "999999999", "AA9999A")


def _host(random: Random) -> str:
    name = invented_surname(random).lower()
    return f"{name}{random.choice(('health', 'clinic', 'med', ''))}.{random.choice(_ENDS)}"


def _email(random: Random, person: Person) -> str:
    first, last = (_plain(name) for name in (person.first, person.last))
    users = (f"{first}.{last}", f"{first[0]}{last}", f"{first}_{last}", f"{last}{first[0]}")
    user = random.choice((*users, f"{first}{random.randint(1, 99)}"))
    private = f"{invented_surname(random).lower()}{random.choice(_PROVIDERS)}.com"
    address = f"{user}@{random.choice((_host(random), private))}"
    return address if random.random() < 0.85 else address.upper()


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isascii() and c.isalpha()) or "someone"


def _url(random: Random) -> str:
    host, page = _host(random), random.choice(_PAGES)
    styles = (
        f"www.{host}",
        f"www.{host}/{page}",
        f"https://{host}/{page}",
        f"http://www.{host}",
        f"https://portal.{host}/{page}?id={random.randint(100, 99999)}",
        host,
    )
    return random.choice(styles)


def _ip(random: Random) -> str:
    return f"{random.choice(_FOR_DOCUMENTATION)}.{random.randint(1, 254)}"


def _numbers(styles: tuple[str, ...]) -> Callable[[Stay], str]:
    return lambda stay: formats.write_digits(stay.random, styles)


_IDS: dict[str, tuple[str, ...]] = {
    "any_ssn": SSN_STYLES, "licence": LICENCE_STYLES, "professional": PROFESSIONAL_STYLES,
    "plate": PLATE_STYLES, "vin": VIN_STYLES, "member": MEMBER_STYLES, "group": GROUP_STYLES,
    "serial": SERIAL_STYLES, "policy": MEMBER_STYLES,
}  # fmt: skip

HIPAA_FILLERS: Mapping[str, Callable[[Stay], list[Piece]]] = {
    **{name: labelled("ID", _numbers(styles)) for name, styles in _IDS.items()},
    "email": labelled("EMAIL", lambda s: _email(s.random, s.patient)),
    "doctor_email": labelled("EMAIL", lambda s: _email(s.random, s.attending)),
    "relative_email": labelled("EMAIL", lambda s: _email(s.random, s.relative)),
    "url": labelled("URL", lambda s: _url(s.random)),
    "ip": labelled("URL", lambda s: _ip(s.random)),
    "clinic": labelled("HOSPITAL", lambda s: places.make_hospital(s.random)),
}
"""What fills the braces of the templates below, beside `template_notes.phi.FILLERS`."""

HIPAA_SENTENCES: Mapping[str, tuple[str, ...]] = {
    "social": (
        "{He} may be reached by e-mail at {email}.",
        "{His} {relation} {relative} prefers e-mail, {relative_email}.",
        "Driver's license {licence}, which was not renewed.",
        "{He} still drives; the car ({plate}) is kept by the {relation}.",
        "Insured by a plan of {his} employer, member ID {member}, group {group}.",
    ),
    "course": (
        "{device} (serial number {serial}) was placed by Dr. {doctor} on {stay_date}.",
        "A dual-chamber pacemaker, S/N {serial}, was implanted on {stay_date}.",
        "The pump with serial no. {serial} was recalled by its maker, see {url}.",
        "Authorization {policy} was given by the insurer on {stay_date}.",
    ),
    "followup": (
        "Instructions are at {url} and were printed for {him}.",
        "Please send home readings to {doctor_email} once a week.",
        "Results will be posted on {url}.",
        "The video visit on {follow_date} is at {url}.",
        "E-mail {doctor_email} or call {phone} with questions.",
    ),
    "letter": (
        "The images can be viewed at {url}.",
        "You can write to me at {doctor_email}.",
        "{His} pacemaker (model {int:100-900}, serial {serial}) was checked and works well.",
        "{He} asks that letters be sent to {email}.",
    ),
    "past": (
        "Pacemaker placement, serial {serial}, {past_month}",
        "{procedure} with a prosthesis (lot {serial}) at {other_hospital}",
    ),
    "subjective": (
        "Message from {email} overnight: {symptom}, asks for advice.",
        "Logged in to the portal from {ip} at {clock}.",
    ),
}
"""Sentences that are added to those of `template_notes.templates`."""

_REGISTRATION = """\
PATIENT REGISTRATION   {admit_date}
Name: {patient_listed}      SSN: {any_ssn}
DOB: {birth_date}   Age: {age}   Sex: {sex}
Address: {street}, {city}, {state} {zip}
Home phone: {phone}   Cell: {phone}   Fax: {phone}
E-mail: {email}
Driver's license: {licence}   State: {state}
Vehicle: license plate {plate}, VIN {vin}
Health plan: member ID {member}, group {group}, policy no. {policy}
Account number: {account}   MRN: {mrn}
Emergency contact: {relative} ({relation}), {phone}, {relative_email}
Primary care: {pcp_full}, M.D., NPI {professional}   Pager: {pager}
Website: {url}

{section:history}
{section:medications}
{section:allergies}

Registered from workstation {ip} at {clock}
"""

_TELEHEALTH = """\
TELEHEALTH VISIT {discharge_date} {clock}
Patient: {patient_full}   MRN {mrn}   e-mail {email}
Provider: {attending_full}, MD (DEA {professional}, license {professional})
Joined from IP {ip} by {url}

{section:subjective}
{section:medications}
{section:assessment}
{section:followup}

{attending_full}, MD
{clinic}
{doctor_email} | {url} | Pager {pager}
"""

_MESSAGE = """\
From: {patient_full} <{email}>
To: Dr. {attending_full} <{doctor_email}>
Date: {stay_date}
Subject: question about {drug}

Dear Dr. {attending},
since {recent_date} I have had {symptom}. I take {medication}. My {relation} {relative} can \
be reached at {phone} or {relative_email}. My insurance number is {member}.

{patient_full}
{street}, {city}

{section:assessment}
{section:followup}
"""

_DEVICE_CHECK = """\
{clinic}
DEVICE CLINIC   {stay_date}
{patient_listed}   unit no. {mrn}   SSN {any_ssn}
Device: pacemaker, model {int:1000-9900}, serial number {serial}
Leads: S/N {serial} (atrial), S/N {serial} (ventricular), implanted {past_date}
Remote monitoring: {url}

{section:objective}
{section:assessment}

Checked by {resident_full}, RN, license no. {professional}
On call: {pager} (beeper)   Pager: {pager}
Invoice {account} to member {member} ({policy})
"""

HIPAA_LAYOUTS: tuple[str, ...] = (_REGISTRATION, _TELEHEALTH, _MESSAGE, _DEVICE_CHECK)
