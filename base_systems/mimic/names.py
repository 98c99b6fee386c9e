"""Names by titles (thesis 2.5.1), labels and credentials."""

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
    PARTICLES,
    Words,
    at,
    at_line,
    either,
    merged,
    near,
    ranges,
)
from multideid.base_systems.mimic.lexicons import (
    MOST_KEPT,
    NOT_NAMES,
    can_be_name,
    is_common,
    is_name,
)
from multideid.base_systems.mimic.patterns import (
    END,
    INITIAL,
    LINE_START,
    NAME_WORD,
    UPPER,
    WRAP,
    Notes,
    Rule,
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
from multideid.base_systems.mimic.vocabulary import exact_words, union, words
from multideid.document import Span
from multideid.text.phrases import normalise

_SHORT_TITLES, _MS = exact_words("Mr Mrs MR MRS Ms Messrs"), exact_words("MS")
_LONG_TITLES = exact_words("Miss Mister Madam MISS")
_PATIENT_TITLE = Rule(
    at(union(_SHORT_TITLES, _MS, _LONG_TITLES)),
    rf"(?<![\w-])(?:{_SHORT_TITLES}\b\.?|{_MS}\.|{_LONG_TITLES}\b){WRAP}"
    rf"(?={PARTICLES}[ \t]|[{UPPER}])",
)
_SHORT_DOCTOR_TITLES = words("dr drs prof")
_LONG_DOCTOR_TITLES = words("doctor doctors professor nurse")
_DOCTOR_TITLE = Rule(
    at(union(_SHORT_DOCTOR_TITLES, _LONG_DOCTOR_TITLES)),
    rf"(?<![\w-])(?:{_SHORT_DOCTOR_TITLES}\b\.?{WRAP}?|{_LONG_DOCTOR_TITLES}{WRAP}(?![Pp]ract))"
    rf"(?={PARTICLES}[ \t]|[{UPPER}])",
)
_LOWER_TITLES = exact_words("mr mrs ms dr")
_LOWER_TITLE = Rule(
    at(_LOWER_TITLES),
    rf"(?<![\w-])(?P<title>{_LOWER_TITLES})\b\.?[ \t]{{1,2}}(?P<name>[a-z]{{3,20}})\b",
)
_MOST_JOINED = 12
_AND = re.compile(rf"[ \t]{{0,2}}(?:,[ \t]{{0,2}}(?:and|&)?|and|&|/){WRAP}(?=[{UPPER}])")

_ENDS_LABEL, _BRACKET = exact_words(": ="), exact_words("(")
_PATIENTS = words("patient patients pt pts")
_NAMES = words("name_of_patient last_name first_name surname")
_LINE_LABELS = words("name patient pt client")
_PATIENT_LABEL = Rule(
    either(at_line(_LINE_LABELS), near(union(_PATIENTS, _NAMES), _ENDS_LABEL, 40)),
    rf"(?:(?<!\w)(?:{_PATIENTS}(?:['\u2019](?i:s)?)?[ \t]{{1,2}}(?i:name)|{_NAMES})"
    rf"|{LINE_START}[ \t]{{0,8}}{_LINE_LABELS})[ \t]{{0,3}}[:=][ \t,]{{0,4}}(?=[{UPPER}])",
)
# "RE: Left Knee Pain": the subject of a letter is not always a person.
_SUBJECTS = words("re regarding")
_SUBJECT_LABEL = Rule(
    at_line(_SUBJECTS),
    rf"{LINE_START}[ \t]{{0,8}}{_SUBJECTS}[ \t]{{0,3}}:[ \t]{{0,4}}(?=[{UPPER}])",
)
_STAFF = words(
    """attending attending_physician attending_md attending_surgeon attending_doctor pcp
    primary_care primary_care_physician primary_care_provider primary_care_doctor physician provider
    surgeon surgeons co-surgeon assistant assistants assistant_surgeon assistants_surgeon
    first_assistant anesthesiologist anesthesiologists resident fellow intern radiologist
    pathologist cardiologist endoscopist consultant consultants nurse author cc dictator scribe
    referred_by dictated d/t_by
    """
)
_ROLES = words(
    """referring consulting admitting ordering dictating requesting treating primary family
    discharge responsible
    """
)
_ACTIONS = words(
    """dictated signed transcribed reviewed verified approved authenticated performed interpreted
    read prepared entered cosigned co-signed completed
    """
)
_ELECTRONICALLY = words("electronically")
_DOCTOR_LABEL = Rule(
    near(union(_STAFF, _ROLES, _ACTIONS, _ELECTRONICALLY), _ENDS_LABEL, 60),
    rf"(?<!\w)(?:{_ROLES}[ \t](?i:physician|provider|md|doctor|surgeon|clinician)"
    rf"|(?:{_ELECTRONICALLY}[ \t])?{_ACTIONS}(?i:[ \t]electronically)?[ \t](?i:by)"
    rf"|{_STAFF})[ \t]{{0,3}}[:=][ \t,]{{0,4}}"
    rf"(?:(?i:drs?)\b\.?[ \t]{{0,2}})?(?=[{UPPER}])",
)
_FIELD_END = re.compile(rf"[ \t]{{0,3}}(?:{END}|[\r\n]|[ \t]{{2}}|,[ \t]{{0,2}}[MDRPN]\.?[DONPh])")
# "Discussed with attending (Lee)", "Per Lee, hold anticoagulation".
_STAFF_BEFORE_BRACKET = words("attending resident fellow surgeon physician pcp cardiologist nurse")
_BEFORE_STAFF = words("per d/w discussed_with paged")
_STAFF_IN_PASSING = Rule(
    either(at(_STAFF_BEFORE_BRACKET, _BRACKET), near(_BEFORE_STAFF, CAPITAL, 24)),
    rf"(?<!\w)(?:{_STAFF_BEFORE_BRACKET}[ ]\([ ]?|{_BEFORE_STAFF}[ ])(?=[{UPPER}])",
)
_SPECIALTY = re.compile(
    r"(?i)\w*(?:ology|iatry|iatrics|surgery|medicine|therapy|radiology|ics|ist"
    r"|ists)$"
)


def _listed_lines(notes: Words) -> IntegerArray:
    """Return the short lines that begin with a capital and contain a comma: "Lopez, Maria"."""
    commas = notes.followed_by(notes.rows(COMMA), CAPITAL)
    heads = notes.heads(notes.near(commas, LINE_END, 140))
    return notes.line_starts(heads[notes.has(CAPITAL)[heads]])


_LISTED_LINE = Rule(
    _listed_lines,
    rf"{LINE_START}[ \t]{{0,8}}(?P<name>{NAME_WORD},[ \t]{{1,2}}{NAME_WORD}(?:[ \t][{UPPER}]\.?)?)"
    r"[ \t]{0,8}(?=[\r\n])",
)
_SIGNED = words(
    "dictated signed transcribed cosigned authenticated referred seen evaluated paged accepted"
)
_SIGNED_BY = Rule(
    near(_SIGNED, words("by"), 40),
    rf"(?<!\w){_SIGNED}(?i:[ \t]electronically)?[ \t](?i:by)[ \t]{{1,2}}(?=[{UPPER}])",
)

# "DO" and "NP" are also other things: they need a comma; "PA", "OD" need dots.
_CREDENTIALS = exact_words(
    """MD RN Ph.D. Ph._D. PhD. Ph_D. PA-C LPN CRNA ARNP APRN FNP DPM DDS DMD PsyD PharmD. Pharm.D.
    LCSW LICSW MSW MBBS FACS FACC
    """
)
_WITH_DOTS, _WITH_ALL_DOTS = exact_words("M.D. M._D. R.N."), exact_words("D.O N.P P.A O.D")
_AFTER_COMMA = exact_words("DO NP DPT CNM PNP")
_MOST_LEADING = 7


def _credentials(notes: Words) -> IntegerArray:
    """Return the places that only blanks and a comma separate from a credential."""
    dotted = notes.followed_by(merged(notes.rows(_WITH_DOTS), notes.rows(_WITH_ALL_DOTS)), DOT)
    rows = merged(notes.rows(_CREDENTIALS), notes.rows(_AFTER_COMMA), dotted)
    before = rows - 1 - notes.has(COMMA)[rows - 1]
    ends, starts = np.where(before < 0, 0, notes.end[before]), notes.start[rows]
    return ranges(np.maximum(starts - _MOST_LEADING, ends), starts + 1)


_CREDENTIAL = Rule(
    _credentials,
    rf"[ \t]{{0,3}},?[ \t]{{0,3}}(?<![\w.])(?:{_CREDENTIALS}|{_WITH_DOTS}"
    rf"|{_WITH_ALL_DOTS}\.(?:-C\.?)?|(?<=, ){_AFTER_COMMA})(?!\w)(?!-[a-z])",
)
_NAME_BEFORE = re.compile(
    rf"(?<![\w'\u2019-])(?:(?:{INITIAL}|{PARTICLES}(?=[ \t])"
    rf"|{NAME_WORD},?)[ \t]{{0,3}}){{0,5}}{NAME_WORD}"
    rf"(?:[ \t]{{1,2}}{INITIAL})?(?:,?[ ](?:Jr|Sr|II|III|IV)\.?)?\Z"
)
_SMALL = frozenset(
    "van von de del della di da dos du la le der den ter el al bin ibn san st st.".split()
)
_LOOK_BACK = 90


def find_titled_names(notes: Notes) -> Iterator[Span]:
    """Find names after a title, and the names joined to them."""
    for rule, label in ((_DOCTOR_TITLE, "DOCTOR"), (_PATIENT_TITLE, "PATIENT")):
        for match in notes.finditer(rule):
            plural = match.group().lower().startswith(("drs", "doctors", "messrs"))
            yield from _read_joined(notes.text, match.end(), label, _MOST_JOINED if plural else 1)
    for match in notes.finditer(_LOWER_TITLE):
        if is_name(match["name"]) and not is_common(match["name"]):
            yield Span(*match.span("name"), "DOCTOR" if match["title"] == "dr" else "PATIENT")


def _read_joined(text: str, start: int, label: str, most: int) -> Iterator[Span]:
    """Yield at most `most` names of "A, B and C"."""
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
    """Return the start of the name, after the last word that cannot be part of it."""
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
    """Find names after "Attending:", "Patient Name:", "Dictated by" and the like."""
    text = notes.text
    for match in notes.finditer(_PATIENT_LABEL):
        yield from _read_labelled(text, match.end(), "PATIENT")
    for match in notes.finditer(_SUBJECT_LABEL):
        end = read_person(text, match.end(), plausible, comma=True)
        phrase = text[match.end() : end]
        if _is_signature(phrase) or has_name_form(phrase, name_words(phrase)):
            yield Span(match.end(), end, "PATIENT")
    for match in notes.finditer(_DOCTOR_LABEL):
        # "CC:" is also the chief complaint.
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
    """Return whether a phrase is a full name, or a single word of the census."""
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
    """Return the end of the field if it contains only words, else of the words that can
    be names."""
    end = read_person(text, start, any_word, comma=True)
    if len(name_words(text[start:end])) > 1 and _FIELD_END.match(text, end):
        return end
    return read_person(text, start, plausible, comma=True)
