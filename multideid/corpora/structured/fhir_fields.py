"""The types of FHIR fields, told by their keys and the objects around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from multideid.corpora.structured.dates import iso_date, year
from multideid.corpora.structured.json_source import Path
from multideid.corpora.structured.telecom import contact_spans
from multideid.document import Span

Object = Mapping[str, Any]

_PEOPLE = {
    **dict.fromkeys(("Patient", "RelatedPerson", "Person"), "PATIENT"),
    **dict.fromkeys(("Practitioner", "PractitionerRole", "CareTeam"), "DOCTOR"),
    **dict.fromkeys(("Organization", "Location", "HealthcareService"), "HOSPITAL"),
}
_REFERRED = {
    "PATIENT": "subject patient beneficiary subscriber policyHolder link",
    "DOCTOR": """performer author practitioner requester recorder asserter individual actor
        attester enterer responsible generalPractitioner interpreter resultsInterpreter agent
        who sender collector operator prescriber""",
    "HOSPITAL": """serviceProvider managingOrganization custodian organization location payor
        insurer assigner partOf provider hospitalization origin destination""",
}
_BY_KEY = {key: label for label, keys in _REFERRED.items() for key in keys.split()}
# Who is named by a string, and not by parts: agents of audit events, contacts of publishers.
_NAMED = frozenset("agent contact author editor reviewer endorser".split())
_ADDRESS = {
    "line": "STREET",
    "text": "STREET",
    "city": "CITY",
    "district": "LOCATION-OTHER",
    "state": "STATE",
    "postalCode": "ZIP",
    "country": "COUNTRY",
}
_ACCOUNTS = {"subscriberId": "HEALTHPLAN", "altId": "USERNAME", "ifNoneExist": "URL"}
_CONTACTS = {"email": "EMAIL", "fax": "FAX", "url": "URL"}
_NUMBERS = {
    "MR": "MEDICALRECORD",
    "SS": "SSN",
    "DL": "LICENSE",
    "MB": "HEALTHPLAN",
    "AN": "ACCOUNT",
}
_SYSTEMS = (("us-ssn", "SSN"), ("2.16.840.1.113883.4.1", "SSN"), ("us-npi", "LICENSE"))
_REFERENCE = re.compile(
    r"(?P<base>https?://.*?/)?(?P<type>[A-Z][A-Za-z]+)/(?P<id>[A-Za-z0-9\-.]{1,64})(?:/_history/.*)?"
)
_URN = re.compile(r"urn:(?:uuid|oid):(?P<id>[\w.\-]+)")
_STANDARD = re.compile(
    r"(?:https?://(?:[\w\-]+\.)*(?:hl7\.org|loinc\.org|snomed\.info|unitsofmeasure\.org"
    r"|nlm\.nih\.gov|ama-assn\.org|ietf\.org|iso\.org|fhir\.org|who\.int)|urn:(?:oid|iso|ietf|hl7))"
)
_STANDARD_PATH = re.compile(rf"{_STANDARD.pattern}[\w.:/\-|#~]*")
_STANDARD_ADDRESS = re.compile(rf"(?!.*\d{{6}}){_STANDARD.pattern}[A-Za-z0-9.:/\-|#]*")
# A resource of a server of a standard's publisher is no address of the standard.
_RESOURCE = re.compile(
    r"/(?:Patient|RelatedPerson|Person|Practitioner(?:Role)?|Organization|Location|Group|Device"
    r"|Encounter|EpisodeOfCare|Appointment|Account|Coverage|Claim|ExplanationOfBenefit|Observation"
    r"|Condition|Procedure|AllergyIntolerance|FamilyMemberHistory|Immunization|Medication[A-Z]\w+"
    r"|DocumentReference|DiagnosticReport|ImagingStudy|Media|Specimen|ServiceRequest|Composition"
    r"|QuestionnaireResponse|CarePlan|CareTeam|Goal|Consent|Communication|Task|Flag|List|Bundle"
    r"|Binary|Provenance|AuditEvent)/\w"
)
_SEARCH = re.compile(r"(?:[A-Z][A-Za-z]+|[A-Z][A-Za-z]+/\$?[\w.\-]+)?\?(?P<query>.*)", re.DOTALL)
_CODE = re.compile(r"[\w.+\-/%*:|#\[\]{}()^~&?=,;@]*")
_LOINC = re.compile(r"(?:/?\d{1,5}-\d)+")
# Of the parameters only the character set: the name of a file may be one, too.
_MEDIA_TYPE = re.compile(
    r"[\w.+\-]+(?:/[\w.+\-]+)?(?:\s*;\s*charset=\"?[\w\-]+\"?)?", re.IGNORECASE
)
# Keys of dates and times, and of texts that stand for them.
_TIME = re.compile(
    r"(?:date|\w*Date|date[A-Z]\w*|time|\w*Time|\w*Instant|\w*On|start|end|started|event|issued"
    r"|authored|created|creation|sent|received|recorded|reported|indexed|published|timestamp"
    r"|lastUpdated|lastOccurrence|when[A-Z]\w*"
    r"|(?:abatement|born|deceased|occurrence|onset|performed)String)"
)
_KEPT = frozenset(
    """
    resourceType status use code gender unit currency contentType language lang mode type system
    version versionId intent priority kind comparator criticality category clinicalStatus method
    profile docStatus compositionStatus days daysOfWeek periodUnit durationUnit when dataType
    prefix measure operator aggregation severity relationshipCode valueCode hash size
    """.split()
)


@dataclass(frozen=True, slots=True)
class Field:
    """A string or number in a resource.

    Parameters
    ----------
    text : str
    key : str
        Its key; of a string in a list, that of the list.
    parent : mapping
        The object around it.
    parent_key : str
        The key of that object.
    resource : mapping
        The resource around it, which may be contained in another.
    around : tuple of (str, mapping)
        The objects around it with their keys, from its parent outwards.
    """

    text: str = field(repr=False)
    key: str
    parent: Object = field(repr=False)
    parent_key: str
    resource: Object = field(repr=False)
    around: tuple[tuple[str, Object], ...] = field(default=(), repr=False)

    @classmethod
    def at(cls, root: Any, path: Path, text: str, in_list: bool) -> Field:
        """Return the field at a path; `in_list`: the path's first part is the root's position."""
        objects: list[tuple[str, Object]] = []
        here, key = root, ""
        for part in path[in_list:]:
            if isinstance(here, Mapping):
                objects.append((key, here))
            key = part if isinstance(part, str) else key
            here = here[part]
        parent_key, parent = objects[-1] if objects else ("", {})
        resources = [o for _, o in objects if isinstance(o.get("resourceType"), str)]
        resource = resources[-1] if resources else {}
        return cls(text, key, parent, parent_key, resource, tuple(reversed(objects)))

    @property
    def is_data(self) -> bool:
        """Whether it is base64."""
        numbers = "dimensions" in self.parent or "lowerLimit" in self.parent
        is_query = self.key == "query" and self.resource_type == "AuditEvent"
        return (self.key in ("data", "valueBase64Binary") and not numbers) or is_query

    @property
    def resource_type(self) -> str:
        """The type of the resource around it."""
        return str(self.resource.get("resourceType", ""))


def known_spans(field: Field) -> tuple[Span, ...]:
    """Return the PHI in a string that is known from its type."""
    if not field.text:
        return ()
    for rule in (_reference, _contact):
        if (spans := rule(field)) is not None:
            return spans
    for label_of in (_name, _address, _identifier, _account, _display):
        if label := label_of(field):
            return (Span(0, len(field.text), label),)
    # When a dose is taken is a code, when somebody signed a time.
    if field.key in _KEPT and field.key != "when":
        return ()
    return iso_date(field.text) or (year(field.text) if _TIME.fullmatch(field.key) else ())


def is_kept(field: Field) -> bool:
    """Return whether a string of no known type is a code or the like, which nobody need read."""
    if field.key in _KEPT or field.key.endswith(("Code", "Canonical")):
        form = _MEDIA_TYPE if field.key == "contentType" else _CODE
        return bool(form.fullmatch(field.text))
    if field.key == "display":
        # The names of a hospital's own codes may be anything.
        return "code" in field.parent and bool(_STANDARD.match(str(field.parent.get("system"))))
    return _is_link(field) or _is_standard(field.text)


def _is_link(field: Field) -> bool:
    """Return whether a string names something within the resource, or a question by its code."""
    if field.key == "url" and "extension" in field.parent_key.lower():
        return "?" not in field.text and " " not in field.text
    if field.key == "id":
        return "resourceType" not in field.parent
    if field.key == "linkId":
        return bool(_LOINC.fullmatch(field.text))
    return field.key == "reference" and field.text.startswith("#")


def _is_standard(text: str) -> bool:
    """Return whether a text is an address of a standard: no search, and no resource."""
    return bool(_STANDARD_PATH.fullmatch(text)) and not _RESOURCE.search(text)


def is_formal(field: Field) -> bool:
    """Return whether a string that is kept is a word or an address of FHIR itself."""
    is_address = _STANDARD_ADDRESS.fullmatch(field.text) and _is_standard(field.text)
    return field.key == "resourceType" or bool(is_address)


def _reference(field: Field) -> tuple[Span, ...] | None:
    """Return the identifiers in a reference or an address of a resource."""
    if field.key not in ("reference", "fullUrl", "url", "location", "uri", "valueUrl") or (
        field.key == "url" and "extension" in field.parent_key.lower()
    ):
        return None
    if match := _URN.fullmatch(field.text):
        return (Span(*match.span("id"), "IDNUM"),)
    if match := _REFERENCE.fullmatch(field.text):
        base = (Span(*match.span("base"), "URL"),) if match["base"] else ()
        return (*base, Span(*match.span("id"), "IDNUM"))
    if "://" in field.text and not _is_standard(field.text):
        return contact_spans(field.text, "URL")
    if match := _SEARCH.fullmatch(field.text):
        return (Span(*match.span("query"), "URL"),) if match["query"] else ()
    return None


def _contact(field: Field) -> tuple[Span, ...] | None:
    system = field.parent.get("system")
    is_contact = field.parent_key in ("telecom", "valueContactPoint")
    if field.key != "value" or not (is_contact or system in ("phone", "email", "fax", "pager")):
        return None
    return contact_spans(field.text, _CONTACTS.get(str(system), "PHONE"))


def _name(field: Field) -> str:
    """Return the label of a part of a person's name, or of an institution's name."""
    if field.key == "name" and field.parent is field.resource:
        return "HOSPITAL" if _PEOPLE.get(field.resource_type) == "HOSPITAL" else ""
    if field.key in ("authorString", "performerString"):
        return "NAME"
    if field.key == "name" and (field.parent_key in _NAMED or "telecom" in field.parent):
        return "NAME"
    is_name = field.parent_key in ("name", "valueHumanName") or "family" in field.parent
    if is_name and field.key in ("family", "given", "text", "suffix"):
        label = _PEOPLE.get(field.resource_type, "NAME")
        return "NAME" if label == "HOSPITAL" else label
    extension = str(field.parent.get("url", ""))
    return "PATIENT" if field.key == "valueString" and "MaidenName" in extension else ""


def _address(field: Field) -> str:
    parts = ("line", "city", "district", "state", "postalCode")
    is_address = field.parent_key.lower().endswith("address") or any(
        p in field.parent for p in parts
    )
    return _ADDRESS.get(field.key, "") if is_address else ""


def _identifier(field: Field) -> str:
    if field.key == "id" and "resourceType" in field.parent:
        return "IDNUM"
    if field.key != "value" or not field.parent_key.lower().endswith("identifier"):
        return ""
    codes = {coding.get("code") for coding in codings(field.parent.get("type"))}
    if found := next((_NUMBERS[code] for code in codes if code in _NUMBERS), ""):
        return found
    system = str(field.parent.get("system", ""))
    default = "MEDICALRECORD" if field.resource_type == "Patient" else "IDNUM"
    return next((label for part, label in _SYSTEMS if part in system), default)


def _account(field: Field) -> str:
    """Return the label of what a system knows somebody by, and of a search for somebody."""
    is_network = field.key == "address" and field.parent_key == "network"
    return "IPADDR" if is_network else _ACCOUNTS.get(field.key, "")


def codings(concept: Any) -> Iterator[Object]:
    """Yield the codes of a concept, or those of a list."""
    found = concept.get("coding") if isinstance(concept, Mapping) else concept
    for coding in found if isinstance(found, list) else ():
        if isinstance(coding, Mapping):
            yield coding


def _display(field: Field) -> str:
    """Return the label of the name of somebody or something that is referred to."""
    if field.key != "display" or "code" in field.parent:
        return ""
    match = _REFERENCE.fullmatch(str(field.parent.get("reference", "")))
    kind = match["type"] if match else str(field.parent.get("type", ""))
    return _PEOPLE.get(kind) or _BY_KEY.get(field.parent_key, "")


def patient_of(value: Any) -> str | None:
    """Return the id of the only patient of a resource or Bundle; None if there is no such."""
    found = set(_patients(value))
    return found.pop() if len(found) == 1 else None


def _patients(value: Any) -> Iterator[str]:
    if not isinstance(value, Mapping):
        return
    if value.get("resourceType") == "Patient" and isinstance(value.get("id"), str):
        yield value["id"]
    for key in ("subject", "patient", "beneficiary"):
        reference = value.get(key)
        if isinstance(reference, Mapping):
            match = _REFERENCE.fullmatch(str(reference.get("reference", "")))
            if match and match["type"] == "Patient":
                yield match["id"]
    entries = value.get("entry")
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, Mapping):
            yield from _patients(entry.get("resource"))
