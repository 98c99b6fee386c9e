"""Names by titles, labels and credentials: thesis 2.5.1, and the titles behind names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from multideid.arrays import IntegerArray
from multideid.base_systems.mimic.anchors import (
    CAPITAL,
    COMMA,
    DOT,
    LINE_END,
    Words,
    at,
    at_line,
    either,
    merged,
    near,
    ranges,
)
from multideid.base_systems.mimic.classes import words, written
from multideid.base_systems.mimic.lexicons import (
    MOST_KEPT,
    NOT_NAMES,
    can_be_name,
    is_common,
    is_name,
)
from multideid.base_systems.mimic.notes import Notes, Rule
from multideid.base_systems.mimic.patterns import (
    END,
    INITIAL,
    LINE_START,
    NAME_WORD,
    PARTICLE,
    UPPER,
    WRAP,
    capitals_before_end,
)
from multideid.base_systems.mimic.persons import (
    any_word,
    begins_with_first_name,
    expected,
    has_name_form,
    is_person,
    name_words,
    plausible,
    read_person,
)
from multideid.document import Span
from multideid.text.phrases import normalise

_PATIENT_TITLE = Rule(
    at(written("Mr Mrs MR MRS Ms Messrs MS Miss Mister Madam MISS")),
    rf"(?<![\w-])(?:(?:Mr|Mrs|MR|MRS|Ms|Messrs)\b\.?|MS\.|(?:Miss|Mister|Madam|MISS)\b){WRAP}"
    rf"(?={PARTICLE}[ \t]|[{UPPER}])",
)
_DOCTOR_TITLE = Rule(
    at(words("dr drs prof doctor doctors professor nurse")),
    rf"(?<![\w-])(?:(?i:drs?|prof)\b\.?{WRAP}?|(?i:doctors?|professor|nurse){WRAP}(?![Pp]ract))"
    rf"(?={PARTICLE}[ \t]|[{UPPER}])",
)
_LOWER_TITLE = Rule(
    at(written("mr mrs ms dr")),
    r"(?<![\w-])(?P<title>mr|mrs|ms|dr)\b\.?[ \t]{1,2}(?P<name>[a-z]{3,20})\b",
)
_MOST_JOINED = 12
_AND = re.compile(rf"[ \t]{{0,2}}(?:,[ \t]{{0,2}}(?:and|&)?|and|&|/){WRAP}(?=[{UPPER}])")

_ENDS_LABEL, _BRACKET = written(": ="), written("(")
_PATIENT_WORDS = words("patient patients pt pts name last first surname")
_STAFF = words("attending resident fellow surgeon physician pcp cardiologist nurse")
_SIGNED = words(
    "dictated signed transcribed cosigned authenticated referred seen evaluated paged accepted"
)
_STAFF_WORDS = words(
    """attending pcp primary referring consulting admitting ordering dictating requesting treating
    family discharge responsible physician provider surgeon surgeons co assistant assistants first
    anesthesiologist anesthesiologists resident fellow intern radiologist pathologist cardiologist
    endoscopist consultant consultants nurse author cc dictator scribe electronically dictated
    signed transcribed reviewed verified approved authenticated performed interpreted read prepared
    entered cosigned completed referred d
    """
)

_PATIENT_LABEL = Rule(
    either(at_line(words("name patient pt client")), near(_PATIENT_WORDS, _ENDS_LABEL, 40)),
    rf"(?:(?<!\w)(?i:(?:patient|pt)['\u2019]?s?[ \t]{{1,2}}name|name[ \t]of[ \t]patient"
    rf"|last[ \t]name|first"
    rf"[ \t]name|surname)|{LINE_START}[ \t]{{0,8}}(?i:name|patient|pt|client))"
    rf"[ \t]{{0,3}}[:=][ \t,]{{0,4}}(?=[{UPPER}])",
)
# "RE: Left Knee Pain": the subject of a letter is not always a person.
_SUBJECT_LABEL = Rule(
    at_line(words("re regarding")),
    rf"{LINE_START}[ \t]{{0,8}}(?i:re|regarding)[ \t]{{0,3}}:[ \t]{{0,4}}(?=[{UPPER}])",
)
_DOCTOR_LABEL = Rule(
    near(_STAFF_WORDS, _ENDS_LABEL, 60),
    r"(?<!\w)(?i:attending(?:[ \t](?:physician|md|surgeon|doctor))?|pcp|primary[ \t]care"
    r"(?:[ \t](?:physician|provider"
    r"|doctor))?|(?:referring|consulting|admitting|ordering|dictating|requesting|treating"
    r"|primary|family"
    r"|discharge|responsible)[ \t](?:physician|provider|md|doctor|surgeon|clinician)|physician"
    r"|provider"
    r"|surgeons?|co-surgeon|assistants?(?:[ \t]surgeon)?|first[ \t]assistant|anesthesiologists?"
    r"|resident|fellow|intern"
    r"|radiologist|pathologist|cardiologist|endoscopist|consultants?|nurse|author|cc|dictator"
    r"|scribe"
    r"|(?:electronically[ \t])?(?:dictated|signed|transcribed|reviewed|verified|approved"
    r"|authenticated"
    r"|performed|interpreted|read|prepared|entered|co-?signed|completed)"
    r"(?:[ \t]electronically)?[ \t]by"
    r"|referred[ \t]by|dictated|d/t[ \t]by)[ \t]{0,3}[:=][ \t,]{0,4}"
    rf"(?:(?i:drs?)\b\.?[ \t]{{0,2}})?(?=[{UPPER}])",
)
_FIELD_END = re.compile(rf"[ \t]{{0,3}}(?:{END}|[\r\n]|[ \t]{{2}}|,[ \t]{{0,2}}[MDRPN]\.?[DONPh])")
# "Discussed with attending (Lee)", "Per Lee, hold anticoagulation".
_STAFF_IN_PASSING = Rule(
    either(at(_STAFF, _BRACKET), near(words("per d discussed paged"), CAPITAL, 24)),
    r"(?<!\w)(?:(?i:attending|resident|fellow|surgeon|physician|pcp|cardiologist|nurse)[ ]\([ ]?"
    rf"|(?:(?i:per|d/w|discussed[ ]with|paged)[ ]))(?=[{UPPER}])",
)
_SPECIALTY = re.compile(
    r"(?i)\w*(?:ology|iatry|iatrics|surgery|medicine|therapy|radiology|ics|ist"
    r"|ists)$"
)
# "Lopez, Maria" on a line of its own.


def _listed_lines(notes: Words) -> IntegerArray:
    """Give the short lines that begin with a capital and have a comma soon."""
    commas = notes.behind(notes.rows(COMMA), CAPITAL)
    heads = notes.heads(notes.near(commas, LINE_END, 140))
    return notes.line_starts(heads[notes.has(CAPITAL)[heads]])


_LISTED_LINE = Rule(
    _listed_lines,
    rf"{LINE_START}[ \t]{{0,8}}(?P<name>{NAME_WORD},[ \t]{{1,2}}{NAME_WORD}(?:[ \t][{UPPER}]\.?)?)"
    r"[ \t]{0,8}(?=[\r\n])",
)
_SIGNED_BY = Rule(
    near(_SIGNED, words("by"), 40),
    r"(?<!\w)(?i:(?:dictated|signed|transcribed|cosigned|authenticated|referred|seen|evaluated"
    rf"|paged|accepted)(?:[ \t]electronically)?[ \t]by)[ \t]{{1,2}}(?=[{UPPER}])",
)

# "MD" and "RN" speak for themselves; "DO", "PA", "OT" are words or states without a comma or dots.
_CREDENTIAL_WORD = written(
    """MD RN Ph PhD PA LPN CRNA ARNP APRN FNP DPM DDS DMD PsyD Pharm PharmD LCSW LICSW MSW MBBS FACS
    FACC DO NP DPT CNM PNP
    """
)
_INITIALS = written("M R D N P O")
_MOST_LEADING = 7


def _credentials(notes: Words) -> IntegerArray:
    """Give the places from which blanks and a comma may lead to a credential."""
    rows = merged(notes.rows(_CREDENTIAL_WORD), notes.behind(notes.rows(_INITIALS), DOT))
    before = rows - 1 - notes.has(COMMA)[rows - 1]
    ends, starts = np.where(before < 0, 0, notes.end[before]), notes.start[rows]
    return ranges(np.maximum(starts - _MOST_LEADING, ends), starts + 1)


_CREDENTIAL = Rule(
    _credentials,
    r"[ \t]{0,3},?[ \t]{0,3}(?<![\w.])(?:M\.[ ]?D\.?|MD|R\.N\.?|RN|Ph\.?[ ]?D\.?|D\.O\.|N\.P\."
    r"|P\.A\.(?:-C\.?)?"
    r"|PA-C|LPN|CRNA|ARNP|APRN|FNP|DPM|DDS|DMD|PsyD|Pharm\.?D\.?|LCSW|LICSW|MSW|MBBS|O\.D\."
    r"|FACS|FACC"
    r"|(?<=, )(?:DO|NP|DPT|CNM|PNP))(?!\w)(?!-[a-z])",
)
_NAME_BEFORE = re.compile(
    rf"(?<![\w'\u2019-])(?:(?:{INITIAL}|{PARTICLE}(?=[ \t])"
    rf"|{NAME_WORD},?)[ \t]{{0,3}}){{0,5}}{NAME_WORD}"
    rf"(?:[ \t]{{1,2}}{INITIAL})?(?:,?[ ](?:Jr|Sr|II|III|IV)\.?)?\Z"
)
_SMALL = frozenset(
    "van von de del della di da dos du la le der den ter el al bin ibn san st st.".split()
)
_LOOK_BACK = 90


def find_titled_names(notes: Notes) -> Iterator[Span]:
    """Find names behind a title, and the names joined to them."""
    for rule, label in ((_DOCTOR_TITLE, "DOCTOR"), (_PATIENT_TITLE, "PATIENT")):
        for match in notes.finditer(rule):
            plural = match.group().lower().startswith(("drs", "doctors", "messrs"))
            yield from _read_joined(notes.text, match.end(), label, _MOST_JOINED if plural else 1)
    for match in notes.finditer(_LOWER_TITLE):
        if is_name(match["name"]) and not is_common(match["name"]):
            yield Span(*match.span("name"), "DOCTOR" if match["title"] == "dr" else "PATIENT")


def _read_joined(text: str, start: int, label: str, most: int) -> Iterator[Span]:
    """Read "A, B and C": at most so many names."""
    for _ in range(most):
        end = read_person(text, start, expected)
        if end == start:
            return
        yield Span(start, end, label)
        joined = _AND.match(text, end)
        if joined is None:
            return
        start = joined.end()


def find_names_before_credentials(notes: Notes) -> Iterator[Span]:
    """Find names before "M.D.", "RN" and the like."""
    after_last = 0
    for match in notes.finditer(_CREDENTIAL):
        base = max(after_last, match.start() - _LOOK_BACK)
        after_last = match.end()
        stretch = notes.text[base : match.start()]
        before = _NAME_BEFORE.search(stretch, capitals_before_end(stretch, _SMALL))
        if before is None:
            continue
        start = _skip_words(before.group())
        phrase = before.group()[start:]
        if name_words(phrase):
            yield Span(base + before.start() + start, match.start(), "DOCTOR")


@lru_cache(MOST_KEPT)
def _skip_words(phrase: str) -> int:
    """Return where the name begins: behind the last word that is never one."""
    start = 0
    for match in re.finditer(rf"{NAME_WORD},?[ \t]{{0,3}}", phrase):
        word = match.group().rstrip(" \t,")
        last = match.end() == len(phrase) and start < match.start()
        if (
            (normalise(word) in NOT_NAMES and not last)
            or ("," in match.group() and not is_name(word))
            or (not can_be_name(word) and match.end() < len(phrase))
        ):
            start = match.end()
    return start


def find_labelled_names(notes: Notes) -> Iterator[Span]:
    """Find names behind "Attending:", "Patient Name:", "Dictated by" and the like."""
    text = notes.text
    for match in notes.finditer(_PATIENT_LABEL):
        yield from _read_labelled(text, match.end(), "PATIENT")
    for match in notes.finditer(_SUBJECT_LABEL):
        end = read_person(text, match.end(), plausible, comma=True)
        phrase = text[match.end() : end]
        if _is_signature(phrase) or has_name_form(phrase, name_words(phrase)):
            yield Span(match.end(), end, "PATIENT")
    for match in notes.finditer(_DOCTOR_LABEL):
        # "CC:" also stands for the chief complaint.
        if match.group()[:2].lower() != "cc" or _is_signature(_phrase_at(text, match.end())):
            yield from _read_labelled(text, match.end(), "DOCTOR")
    for match in notes.finditer(_LISTED_LINE):
        if not any(is_common(word) and not is_name(word) for word in name_words(match["name"])):
            yield Span(*match.span("name"), "PATIENT")
    for match in notes.finditer(_STAFF_IN_PASSING):
        phrase = _phrase_at(text, match.end())
        likely = is_person(phrase) or (match.group().rstrip().endswith("(") and phrase)
        if likely and not phrase.isupper() and not _SPECIALTY.match(phrase):
            yield Span(match.end(), match.end() + len(phrase), "DOCTOR")
    for match in notes.finditer(_SIGNED_BY):
        end = read_person(text, match.end(), plausible)
        if _is_signature(text[match.end() : end]):
            yield Span(match.end(), end, "DOCTOR")


def _phrase_at(text: str, start: int) -> str:
    return text[start : read_person(text, start, plausible)]


def _is_signature(phrase: str) -> bool:
    """Tell whether a phrase is a full name, or a single word that the census knows."""
    words = name_words(phrase)
    if begins_with_first_name(phrase):
        return True
    return is_person(phrase) and (len(phrase) > len(words[0]) or is_name(words[0]))


def _read_labelled(text: str, start: int, label: str) -> Iterator[Span]:
    end = _end_of_labelled(text, start)
    words = name_words(text[start:end])
    alone = len(words) == 1 and end - start == len(words[0])
    if words and not (alone and is_common(words[0])):
        yield Span(start, end, label)


def _end_of_labelled(text: str, start: int) -> int:
    """Read words of any kind if they fill the field, else words that can be names."""
    end = read_person(text, start, any_word, comma=True)
    if len(name_words(text[start:end])) > 1 and _FIELD_END.match(text, end):
        return end
    return read_person(text, start, plausible, comma=True)
