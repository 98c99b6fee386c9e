"""Hospitals: thesis 2.5.4, by the words after, before and around them."""

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
from multideid.base_systems.mimic.classes import words, written
from multideid.base_systems.mimic.lexicons import MOST_KEPT, can_be_name, is_common, is_name
from multideid.base_systems.mimic.notes import Notes, Rule
from multideid.base_systems.mimic.patterns import (
    APOSTROPHE,
    LETTER,
    LINE_START,
    NAME_WORD,
    UPPER,
    capitals_before_end,
    labelled,
)
from multideid.document import Span
from multideid.text.phrases import normalise

_KIND = (
    r"(?i:hospitals?|hosp\b\.?|infirmary|sanatorium|sanitarium|hospice|polyclinic|clinics?"
    r"|(?:medical|health|healthcare|cancer|heart|rehab|rehabilitation|trauma|surgery|surgical"
    r"|nursing|care|memorial|health[ ]science|health[ ]sciences|wellness|eye"
    r"|dialysis)[ \t]{1,2}(?:center|centre|ctr)"
    r"|rehab(?:ilitation)?[ \t]{1,2}(?:hospital|facility|unit|institute)|nursing[ \t]{1,2}"
    r"(?:home|facility)"
    r"|health[ \t]{1,2}(?:system|services|network|plan)|health[ \t]?care|medical[ \t]{1,2}"
    r"(?:group|associates|school)"
    r"|(?:general|memorial|regional|community)[ \t]{1,2}(?:hospital|medical[ \t]center)|rehab"
    r"(?:ilitation)?"
    r"|assisted[ \t]living|(?:retirement|convalescent|rest)[ \t]home|extended[ \t]care|manor)"
)
_KINDS = words(
    """hospital hospitals hosp infirmary sanatorium sanitarium hospice polyclinic clinic clinics
    medical health healthcare cancer heart rehab rehabilitation trauma surgery surgical nursing care
    memorial wellness eye dialysis general regional community assisted retirement convalescent rest
    extended manor
    """
)
_OTHERS = written(
    """Children Women Hospital University Massachusetts Mass Brigham Beth Johns Cedars Mount Mt
    Kaiser MGH BIDMC BWH UCSF UCLA VAMC
    """
)
_MOVES = words(
    """transferred transfer discharged admitted readmitted referred sent presented brought taken
    airlifted flown accepted hospitalised hospitalized evaluated treated seen followed performed
    done obtained placed received worked admission care stay presents presented rehabilitation rehab
    dispo disposition record records film films slide slides letter letters note notes result
    results ambulance hospital
    """
)
_TO, _THE = words("at to from"), words("the")
_DOCUMENTS = words("discharge operative history emergency consultation radiology")


def _moved(notes: Words) -> IntegerArray:
    names = notes.rows(_TO)
    names = merged(notes.behind(names, CAPITAL), notes.behind(names, _THE, CAPITAL))
    return notes.starts(notes.near(notes.rows(_MOVES), names, 40))


def _letterheads(notes: Words) -> IntegerArray:
    """Give the lines above a kind of document, and those with a number behind a comma."""
    below = notes.rows(_DOCUMENTS)
    below = below[notes.begins_line(below)]
    numbers = notes.behind(notes.rows(COMMA), DIGITS)
    heads = merged(notes.heads(below - 1), notes.heads(numbers))
    return notes.line_starts(heads[notes.has(CAPITAL)[heads]])


_HEAD = Rule(
    at(_KINDS),
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

# Wards, specialties and kinds: alone before "clinic" they name no place.
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

_SAINT_ALONE = Rule(
    at(written("St Saint")),
    rf"(?<!\w)(?:St\.|Saint|St)[ ]{NAME_WORD}{APOSTROPHE}s(?!\w)(?![ ](?i:wort|fire|dance))",
)
_OTHER = Rule(
    at(_OTHERS),
    r"(?<!\w)(?:(?:(?:Children|Women)['\u2019]s[ ])?Hospital[ ]of[ ](?:the[ ])?[A-Z][a-z]{2,20}"
    r"(?:[ ][A-Z][a-z]{2,20})?"
    r"|University[ ]of[ ][A-Z][a-z]{2,20}(?:[ ][A-Z][a-z]{2,20})?"
    r"|(?:Massachusetts|Mass)\.?[ ]General|Brigham[ ]and[ ]Women['\u2019]s|Beth[ ]Israel"
    r"(?:[ ]Deaconess)?"
    r"|Johns[ ]Hopkins|Cedars[ -]Sinai|(?:Mount|Mt\.?)[ ]Sinai|Kaiser(?:[ ]Permanente)?|MGH"
    r"|BIDMC|BWH"
    r"|UCSF|UCLA|VAMC)(?!\w)(?![ ](?i:criteria|score|scale))",
)
# Somewhere that patients, records and samples come from and go to.
_MOVED = Rule(
    _moved,
    r"(?<!\w)(?i:(?:transferred|transfer|discharged|admitted|readmitted|referred|sent|presented"
    r"|brought|taken"
    r"|airlifted|flown|accepted|hospitali[sz]ed|evaluated|treated|seen|followed|performed|done"
    r"|obtained"
    r"|placed|received|worked[ ]up|admission|care|stay|presents|presented|rehabilitation|rehab)"
    r"[ \t](?:back[ \t])?(?:at|to|from)|dispo(?:sition)?:?[ ](?:to|home[ ]to)|(?:records?"
    r"|films?|slides?|letters?|notes?|results"
    r"|ambulance|hospital)[ \t]from)"
    rf"[ \t](?:the[ \t])?(?P<name>(?:{_NAME_PART})(?:[ \t](?:{_NAME_PART})){{0,3}})"
    rf"(?![\w/'\u2019-])"
    r"(?![ \t](?i:street|avenue|road|drive|room|unit|ward|floor|team|service|department|recovery))",
)
_DOCTOR_AT = Rule(
    near(words("dr drs"), words("at of from"), 480),
    rf"(?<!\w)Drs?\.?[ ](?:(?:[{UPPER}]\.|{NAME_WORD})[ ]){{1,4}}(?:at|of|from)[ ](?:the[ ])?"
    rf"(?P<name>{_NAME_PART}(?:[ ]{_NAME_PART}){{0,3}})(?![\w/-])",
)
# A letterhead: the institution on its line, above the kind of the document or before a street.
_LETTERHEAD = Rule(
    _letterheads,
    rf"{LINE_START}(?P<name>{_NAME_PART}(?:[ ]{_NAME_PART}){{0,4}})(?:[ \t]{{0,3}}\r?\n(?="
    rf"(?i:discharge[ ]summary"
    r"|operative[ ](?:report|note)|history[ ]and[ ]physical|emergency[ ]department|consultation"
    r"|radiology[ ]report)"
    r")|,[ ](?=[0-9]{1,5}[ ][A-Z][\w.' -]{2,40}(?:Street|St|Avenue|Ave|Road|Rd|Drive|Lane|Blvd"
    r"|Way|Court)\b))",
)
_LABELLED = Rule(
    at_line(words("location facility hospital site institution clinic")),
    rf"{LINE_START}[ \t]{{0,8}}(?i:location|facility|hospital|site|institution|clinic)[ \t]{{0,2}}:"
    rf"[ \t]{{0,3}}(?P<name>{_NAME_PART}(?:[ ]{_NAME_PART}){{0,4}})(?=[ \t]{{0,3}}(?:,|[\r\n]))",
)
_HEADER_CODE = Rule(
    at_line(DIGITS),
    rf"{LINE_START}(?:[0-9]{{6,12}}|[0-9]{{3}}-[0-9]{{2}}-[0-9]{{2,4}})[ \t]{{0,3}}\r?\n"
    r"(?P<name>[A-Z]{2,6})(?=[ \t]{0,3}\r?\n[ \t]{0,3}[0-9])",
)


def find_hospitals(notes: Notes) -> Iterator[Span]:
    """Find names that end in, or stand for, a hospital or clinic."""
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
    """Leave "hospital" out of the name where it is an ordinary word."""
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
    """Tell whether the first word is not of the name: "The", or "New" before "Patient"."""
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
    """Find names that patients are transferred to and records come from."""
    for rule in (_MOVED, _DOCTOR_AT, _LETTERHEAD, _LABELLED):
        for match in notes.finditer(rule):
            words = match["name"].split()
            acronym = len(words) == 1 and words[0].isupper()
            if not acronym and all(can_be_name(w) and not _is_generic(w) for w in words):
                yield Span(*match.span("name"), "HOSPITAL")
