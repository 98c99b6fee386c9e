"""Hospitals by the words after, before and around them (thesis 2.5.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from multideid.arrays import IntegerArray
from multideid.base_systems.mimic.anchors import (
    CAPITAL,
    COMMA,
    DIGITS,
    Words,
    at,
    at_line,
    merged,
    near,
)
from multideid.base_systems.mimic.lexicons import MOST_KEPT, can_be_name, is_common, is_name
from multideid.base_systems.mimic.patterns import (
    APOSTROPHE,
    LETTER,
    LINE_START,
    NAME_WORD,
    UPPER,
    Notes,
    Rule,
    capitals_before_end,
    labelled,
)
from multideid.base_systems.mimic.vocabulary import exact_words, union, words
from multideid.document import Span
from multideid.text.phrases import normalise

_BLANKS = r"[ \t]{1,2}"
_KINDS = words(
    """hospital hospitals hosp. infirmary sanatorium sanitarium hospice polyclinic clinic clinics
    health_care healthcare assisted_living retirement_home convalescent_home rest_home extended_care
    manor
    """
)
_BEFORE_CENTER = words(
    """medical health healthcare cancer heart rehab rehabilitation trauma surgery surgical nursing
    care memorial health_science health_sciences wellness eye dialysis
    """
)
_REHAB, _NURSING = words("rehab rehabilitation"), words("nursing")
_HEALTH, _MEDICAL = words("health"), words("medical")
_BEFORE_HOSPITAL = words("general memorial regional community")
_ANY_KIND = union(_KINDS, _BEFORE_CENTER, _REHAB, _NURSING, _HEALTH, _MEDICAL, _BEFORE_HOSPITAL)
_KIND = (
    rf"(?:{_BEFORE_CENTER}{_BLANKS}(?i:center|centre|ctr)"
    rf"|{_REHAB}{_BLANKS}(?i:hospital|facility|unit|institute)"
    rf"|{_NURSING}{_BLANKS}(?i:home|facility)"
    rf"|{_HEALTH}{_BLANKS}(?i:system|services|network|plan)"
    rf"|{_MEDICAL}{_BLANKS}(?i:group|associates|school)"
    rf"|{_BEFORE_HOSPITAL}{_BLANKS}(?i:hospital|medical[ \t]center)"
    rf"|{_KINDS}|{_REHAB})"
)
_NAMED_PLACES = exact_words("Children's Women's Children\u2019s Women\u2019s")
_HOSPITAL, _UNIVERSITY = exact_words("Hospital"), exact_words("University")
_KNOWN = exact_words(
    """Massachusetts_General Mass_General Massachusetts._General Mass._General Brigham_and_Women's
    Brigham_and_Women\u2019s Beth_Israel Beth_Israel_Deaconess Johns_Hopkins Cedars_Sinai
    Cedars-Sinai Mount_Sinai Mt_Sinai Mt._Sinai Kaiser Kaiser_Permanente MGH BIDMC BWH UCSF UCLA
    VAMC
    """
)
_MOVES = words(
    """transferred transfer discharged admitted readmitted referred sent presented brought taken
    airlifted flown accepted hospitalised hospitalized evaluated treated seen followed performed
    done obtained placed received worked_up admission care stay presents rehabilitation rehab
    """
)
_DISPOSITION = words("dispo disposition")
_SOURCES = words(
    "record records film films slide slides letter letters note notes results ambulance hospital"
)
_ANY_MOVE = union(_MOVES, _DISPOSITION, _SOURCES)
_TO, _THE = words("at to from"), words("the")
_DOCUMENTS = words(
    """discharge_summary operative_report operative_note history_and_physical emergency_department
    consultation radiology_report
    """
)


def _moved(notes: Words) -> IntegerArray:
    names = notes.rows(_TO)
    names = merged(notes.followed_by(names, CAPITAL), notes.followed_by(names, _THE, CAPITAL))
    return notes.starts(notes.near(notes.rows(_ANY_MOVE), names, 40))


def _letterheads(notes: Words) -> IntegerArray:
    """Return the lines above a kind of document, and those with a number after a comma."""
    below = notes.rows(_DOCUMENTS)
    below = below[notes.begins_line(below)]
    numbers = notes.followed_by(notes.rows(COMMA), DIGITS)
    heads = merged(notes.heads(below - 1), notes.heads(numbers))
    return notes.line_starts(heads[notes.has(CAPITAL)[heads]])


_HEAD = Rule(
    at(_ANY_KIND),
    rf"(?<=[ \t]){_KIND}(?!\w)(?![ \t]{{1,3}}(?i:course|day|stay|discharge|record|number|gown"
    rf"|bed|visit"
    rf"|follow|admission|problems|care[ \t]proxy))(?P<of>[ \t]of[ \t]"
    rf"(?:the[ \t])?[{UPPER}][^\W\d_]{{2,20}}"
    rf"(?:[ \t][{UPPER}][^\W\d_]{{2,20}}){{0,2}})?",
)
_SAINT = (
    rf"(?:St\b\.?|Saint|ST\b\.?|SAINT|Mt\b\.?|Mount|MOUNT)[ \t]{{1,2}}{NAME_WORD}"
    rf"(?:{APOSTROPHE}[sS])?"
)
_LINKED = rf"{NAME_WORD}(?:-[a-z]{{1,20}}){{1,3}}(?:-{NAME_WORD})?"
_NAME_PART = (
    rf"(?:{_SAINT}|{_LINKED}|{NAME_WORD}(?:{APOSTROPHE}[sS]?)?|[{UPPER}]\.|[{UPPER}]{{2,5}})"
    rf"(?!{LETTER})"
)
_BEFORE_HEAD = re.compile(
    rf"(?<![\w'\u2019-]){_NAME_PART}(?:[ \t]{{1,2}}(?:(?:of|and|&|the|de|la|upon|on|in|le"
    rf"|D)[ \t]{{1,2}}){{0,2}}"
    rf"{_NAME_PART}){{0,5}}[ \t]{{1,3}}\Z",
)
_JOINING = frozenset("of and & the de la upon on in le".split())
_LOOK_BACK = 90

# Wards, specialties and kinds, which alone before "clinic" are not a name.
_GENERIC = frozenset(
    """
    the a an this that our your his her their at to from in of and for by on with per any all no
    local outside same other another state city county area community general regional
    memorial university veterans acute chronic tertiary medical center health care outpatient
    inpatient ambulatory surgery surgical pain eye ear nose throat wound foot skin heart cardiac
    cardiology cardiovascular vascular orthopedic orthopaedic orthopedics urology renal dialysis
    kidney nephrology neurology neurosurgery oncology cancer breast gi gyn ob obgyn ent id hiv
    infectious disease diseases pulmonary lung sleep allergy asthma diabetes endocrine thyroid
    weight headache psychiatry psychiatric mental behavioral dermatology ophthalmology dental
    pediatric pediatrics geriatric hematology rheumatology hepatology liver transplant trauma
    burn urgent emergency primary family internal medicine coumadin anticoagulation device
    pacemaker fertility women's womens men's children's childrens student travel walk-in free
    private public physical occupational speech therapy rehab rehabilitation nursing skilled
    short long term subacute extended home hospice hospital clinic discharge disposition prior
    previous during after before post pre brief admission admitted transferred transfer today
    follow-up followup follow up return call see seen visit please continue course history social
    past current department discharged sent stable day method methods patient patients was is
    hematology/oncology prenatal postoperative preoperative assisted living md mri ct er ed icu
    electrophysiology ep arrhythmia lipid hypertension movement disorder memory stroke spine back
    hand sports fracture arthritis epilepsy seizure plastic plastics colorectal bariatric
    radiology operating operation preop preoperative recovery floor telemetry hospitalist service
    suite room or pacu dr drs mr mrs ms md laboratory lab pathology anesthesia echo
    podiatry labor delivery gastroenterology gynecology obstetrics dermatologic methadone suboxone
    detox
    """.split()
)
_STRONG_KIND = re.compile(r"(?i)hosp|infirmary|medical[ \t]|nursing|system|memorial|hospice|sanat")

_SAINTS = exact_words("St. Saint")
_SAINT_ALONE = Rule(
    at(_SAINTS),
    rf"(?<!\w){_SAINTS}[ ]{NAME_WORD}{APOSTROPHE}s(?!\w)(?![ ](?i:wort|fire|dance))",
)
_OTHER = Rule(
    at(union(_NAMED_PLACES, _HOSPITAL, _UNIVERSITY, _KNOWN)),
    rf"(?<!\w)(?:(?:{_NAMED_PLACES}[ ])?{_HOSPITAL}[ ]of[ ](?:the[ ])?[A-Z][a-z]{{2,20}}"
    r"(?:[ ][A-Z][a-z]{2,20})?"
    rf"|{_UNIVERSITY}[ ]of[ ][A-Z][a-z]{{2,20}}(?:[ ][A-Z][a-z]{{2,20}})?"
    rf"|{_KNOWN})(?!\w)(?![ ](?i:criteria|score|scale))",
)
# Where patients, records and samples come from or go to.
_MOVED = Rule(
    _moved,
    rf"(?<!\w)(?:{_MOVES}[ \t](?i:back[ \t])?(?i:at|to|from)"
    rf"|{_DISPOSITION}:?[ ](?i:to|home[ ]to)|{_SOURCES}[ \t](?i:from))"
    rf"[ \t](?:the[ \t])?(?P<name>(?:{_NAME_PART})(?:[ \t](?:{_NAME_PART})){{0,3}})"
    rf"(?![\w/'\u2019-])"
    r"(?![ \t](?i:street|avenue|road|drive|room|unit|ward|floor|team|service|department|recovery))",
)
_DOCTORS, _AT = exact_words("Dr Drs"), exact_words("at of from")
_DOCTOR_AT = Rule(
    near(_DOCTORS, _AT, 480),
    rf"(?<!\w){_DOCTORS}\.?[ ](?:(?:[{UPPER}]\.|{NAME_WORD})[ ]){{1,4}}(?:at|of|from)[ ]"
    rf"(?:the[ ])?(?P<name>{_NAME_PART}(?:[ ]{_NAME_PART}){{0,3}})(?![\w/-])",
)
# A letterhead: the institution on its line, above the kind of the document or before a street.
_LETTERHEAD = Rule(
    _letterheads,
    rf"{LINE_START}(?P<name>{_NAME_PART}(?:[ ]{_NAME_PART}){{0,4}})(?:[ \t]{{0,3}}\r?\n(?="
    rf"{_DOCUMENTS}(?!\w)"
    r")|,[ ](?=[0-9]{1,5}[ ][A-Z][\w.' -]{2,40}(?:Street|St|Avenue|Ave|Road|Rd|Drive|Lane|Blvd"
    r"|Way|Court)\b))",
)
_LABELS = words("location facility hospital site institution clinic")
_LABELLED = Rule(
    at_line(_LABELS),
    rf"{LINE_START}[ \t]{{0,8}}{_LABELS}[ \t]{{0,2}}:"
    rf"[ \t]{{0,3}}(?P<name>{_NAME_PART}(?:[ ]{_NAME_PART}){{0,4}})(?=[ \t]{{0,3}}(?:,|[\r\n]))",
)
_HEADER_CODE = Rule(
    at_line(DIGITS),
    rf"{LINE_START}(?:[0-9]{{6,12}}|[0-9]{{3}}-[0-9]{{2}}-[0-9]{{2,4}})[ \t]{{0,3}}\r?\n"
    r"(?P<name>[A-Z]{2,6})(?=[ \t]{0,3}\r?\n[ \t]{0,3}[0-9])",
)


def find_hospitals(notes: Notes) -> Iterator[Span]:
    """Find names that end in a kind of hospital or clinic, and well-known ones."""
    after_last = 0
    for match in notes.finditer(_HEAD):
        start = _start_of_name(notes.text, match, after_last)
        after_last = match.end()
        if start < match.start():
            yield Span(start, _end_of_name(notes.text, start, match), "HOSPITAL")
    for rule in (_SAINT_ALONE, _OTHER):
        yield from labelled(rule, "HOSPITAL", notes)
    yield from labelled(_HEADER_CODE, "HOSPITAL", notes, "name")


def _end_of_name(text: str, start: int, head: re.Match[str]) -> int:
    """Exclude "hospital" from the name where it is a common noun."""
    name = text[start : head.start()].rstrip()
    return head.end() if text[head.start()].isupper() else start + len(name)


def _start_of_name(text: str, head: re.Match[str], after: int) -> int:
    base = max(after, head.start() - _LOOK_BACK)
    stretch = text[base : head.start()]
    before = _BEFORE_HEAD.search(stretch, capitals_before_end(stretch, _JOINING))
    if before is None:
        return head.start()
    words = list(re.finditer(r"\S+", before.group()))
    while words and _is_leading_word(words):
        del words[0]
    if not words or not _names_a_place(text, head, [w.group() for w in words]):
        return head.start()
    return base + before.start() + words[0].start()


def _is_leading_word(words: list[re.Match[str]]) -> bool:
    """Return whether the first word is not part of the name: "The", or "New" before "Patient"."""
    first = words[0].group()
    if normalise(first) == "new":
        return len(words) < 2 or _is_generic(words[1].group())
    return _is_generic(first)


def _names_a_place(text: str, head: re.Match[str], words: list[str]) -> bool:
    own = [word for word in words if not _is_generic(word)]
    if text[head.start()].islower() and own[0].isupper():
        return False
    strong = bool(_STRONG_KIND.match(head.group())) and head.group()[0].isupper()
    return any(is_name(w) or not is_common(w) for w in own) if not strong else bool(own)


@lru_cache(MOST_KEPT)
def _is_generic(word: str) -> bool:
    return normalise(word).strip(".,&").removesuffix("'s") in _GENERIC


def find_moved_to(notes: Notes) -> Iterator[Span]:
    """Find the names of places to which patients are transferred or from which records come."""
    for rule in (_MOVED, _DOCTOR_AT, _LETTERHEAD, _LABELLED):
        for match in notes.finditer(rule):
            words = match["name"].split()
            acronym = len(words) == 1 and words[0].isupper()
            if not acronym and all(can_be_name(w) and not _is_generic(w) for w in words):
                yield Span(*match.span("name"), "HOSPITAL")
