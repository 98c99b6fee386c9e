"""Elements of XML around people: a ``name`` in them is that of a person."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain, islice

from multideid.corpora.identifier_names import identifier_label
from multideid.corpora.structured.xml_elements import MOST_WRAPPERS, Element

# Besides those of which `identifier_label` knows that they have names, or are people.
_PEOPLE = (
    (
        "PATIENT",
        r"clients?|contact|relatives?|informant|mother|father|husband|wife|son|daughter|brother"
        r"|sister|partner|carer|caregiver|employee",
    ),
    (
        "DOCTOR",
        r"practitioner|clinician|consultant|specialist|therapist|pharmacist|radiologist"
        r"|pathologist|referrer|performer|interpreter|gp",
    ),
    ("HOSPITAL", r"organi[sz]ation|institution|pharmacy"),
    # Spanish, Portuguese, French, Italian, German, Dutch, Danish, Norwegian, Swedish, Polish.
    (
        "PATIENT",
        r"paciente|usuario|patiente|paziente|assistito|utente|doente|patienten?|pasient"
        r"|pacjent|contacto|contato|contatto|kontakt|angehoriger?|padre|madre|pere|mere|pai|mae"
        r"|vater|mutter|vader|moeder|mor|far",
    ),
    (
        "DOCTOR",
        r"medic[oa]|facultativo|medecin|praticien|enfermer[oa]|enfermeir[oa]|infirmiere?"
        r"|arzt|arztin|arts|lege|laege|læge|lakare|lekarz|autor|auteur|autore|verfasser",
    ),
    ("HOSPITAL", r"centro|etablissement|hopital|ospedale|krankenhaus|klinik|ziekenhuis|sykehus"),
)
_COMPILED = [(label, re.compile(rf"(?:.*_)?(?:{names})")) for label, names in _PEOPLE]
_WITH_NAMES = ("PATIENT", "DOCTOR", "HOSPITAL", "USERNAME")

# Records of people, whatever their name, such as "row", have one of these.
_BIRTH_OR_SEX = re.compile(
    r"sexo?|gender|age|dob|(?:date_?of_?)?birth_?(?:date|day)?|sexe|sesso|genero|geschlecht"
    r"|geslacht|kjonn|kon|edad|idade|alter|leeftijd"
    r"|(?:fecha|date|data)_(?:d[ei]_)?(?:nacimiento|naissance|nascita|nascimento)"
    r"|(?:geburts|geboorte|fodsels)_?(?:datum|tag|dato)"
)
_NUMBERS = ("MEDICALRECORD", "SSN")

# Elements that say nothing of what is in them.
_WRAPPER = re.compile(
    r"(?:(?:demographic|personal|contact)_?)?(?:details?|info|information|data)|demographics"
    r"|identity|identification|identifiers?|header|item|value"
)
_WRAPPER_OR_NAME = re.compile(rf"{_WRAPPER.pattern}|names?")


def surrounding(element: Element | None) -> Element | None:
    """Return the element, or the next one around it whose name says what it holds."""
    return _outside(element, _WRAPPER)


def owner(element: Element | None) -> Element | None:
    """Return whose name an element is part of: as `surrounding`, outside of names."""
    return _outside(element, _WRAPPER_OR_NAME)


def _outside(element: Element | None, names: re.Pattern[str]) -> Element | None:
    outwards = chain((element,), element.around()) if element is not None else iter(())
    near = islice(outwards, MOST_WRAPPERS)
    return next((each for each in near if not names.fullmatch(each.words)), None)


def person_label(element: Element | None) -> str | None:
    """Return the PHI class of the name of whom an element is about; None if it is about others.

    Parameters
    ----------
    element : Element, optional
        As `surrounding` or `owner` returns it.
    """
    if element is None:
        return None
    return _label(element.words) or ("PATIENT" if _is_record(element) else None)


@lru_cache(maxsize=1 << 12)
def _label(words: str) -> str | None:
    for one in dict.fromkeys((words, words.removesuffix("s"))):
        of_name, own = identifier_label(f"{one}_name"), identifier_label(one)
        if of_name in _WITH_NAMES:
            return of_name
        if own in _WITH_NAMES[:2]:
            return own
        if found := next((label for label, names in _COMPILED if names.fullmatch(one)), None):
            return found
    return None


def _is_record(element: Element) -> bool:
    if element.is_record is None:
        element.is_record = any(map(_is_of_person, element.children))
    return element.is_record


@lru_cache(maxsize=1 << 12)
def _is_of_person(words: str) -> bool:
    return bool(_BIRTH_OR_SEX.fullmatch(words)) or identifier_label(words) in _NUMBERS
