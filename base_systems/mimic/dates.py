"""Dates: thesis 2.5.2, Table 2.2; ordinals, seasons and month with year besides."""

from __future__ import annotations

import re
from collections.abc import Iterator

from multideid.base_systems.mimic.anchors import DIGITS, SLASH, at, either, near
from multideid.base_systems.mimic.classes import form, number, words, written
from multideid.base_systems.mimic.notes import Notes, Rule
from multideid.base_systems.mimic.patterns import END, LINE_START, alternatives, labelled
from multideid.document import Span

_MONTH_NUMBER = "(?:0?[1-9]|1[0-2])"
_DAY = "(?:0?[1-9]|[12][0-9]|3[01])"
_YEAR4 = "(?:1[89][0-9]{2}|20[0-9]{2})"
_YEAR = f"(?:{_YEAR4}|['\u2019]?[0-9]{{2}})"
MONTH = (
    r"(?i:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?)"
)
_ORDINAL = f"{_DAY}(?i:st|nd|rd|th)?"
_BEFORE = r"(?<![\w/.\-])"
_AFTER = r"(?![\w/\-]|\.[0-9])"
_SPACE = r"[ \t]{0,2}(?:\n[ \t]{0,2})?"

_MONTH = form(rf"(?i:st|nd|rd|th)?(?:{MONTH}).*")
_DAY_NUMBER, _MARK = number("[0-9]{1,2}"), written("/ - .")
_YEAR_NUMBER = number("[0-9]{4}")
_TIME = words("in since until till by last this next early late mid through during of")

# Table 2.2: mm/dd/(yy)yy, dd/mm/(yy)yy, (yy)yy/mm/dd, (yy)yy/dd/mm.
_NUMERIC = Rule(
    either(at(DIGITS, _MARK, DIGITS, _MARK, DIGITS), at(_DAY_NUMBER, _MARK, _YEAR_NUMBER)),
    rf"{_BEFORE}(?:(?P<pair>{_MONTH_NUMBER}([/-]){_DAY}\2|{_DAY}([/-]){_MONTH_NUMBER}\3)"
    rf"(?:{_YEAR4}|[0-9]{{2}})"
    rf"|{_YEAR4}([/.-])(?:{_MONTH_NUMBER}\4{_DAY}|{_DAY}\4{_MONTH_NUMBER})"
    rf"|{_DAY}\.{_MONTH_NUMBER}\.{_YEAR4}|{_MONTH_NUMBER}\.{_DAY}\.(?:{_YEAR4}|[0-9]{{2}})"
    rf"|[0-9]{{2}}/{_MONTH_NUMBER}/{_DAY}"
    rf"|{_MONTH_NUMBER}[/-]{_YEAR4}){_AFTER}",
)

# "4th of March, 2005", "4 March 05", "March 4th, 2005", "March of 2005", "12-Mar-2005".
_WRITTEN = Rule(
    either(at(_MONTH), near(_DAY_NUMBER, _MONTH, 16)),
    rf"(?<![\w/])(?:(?:{_ORDINAL}{_SPACE}(?:of[ \t]{{1,2}})?|{_DAY}[/-]){MONTH}"
    rf"(?:,?{_SPACE}{_YEAR4}|,?[ ]{_YEAR}(?![\w/%.:])|[/-](?:{_YEAR4}|[0-9]{{2}}))?"
    rf"|{MONTH}(?:{_SPACE}(?:the[ \t])?|[-/]){_ORDINAL}(?![0-9%/]|[.:][0-9])"
    rf"(?:(?:,{_SPACE}|[ \t]{{1,2}}|,?[ \t]of[ \t]|[-/]){_YEAR}(?![\w%]|:[0-9]))?"
    rf"|{MONTH},?(?:{_SPACE}|[ \t]of[ \t]|[-/]){_YEAR4}"
    rf"|{MONTH}[ ]?['\u2019][0-9]{{2}})(?!\w)",
)
_SEASON = Rule(
    at(words("spring summer fall autumn winter")),
    rf"\b(?i:spring|summer|fall|autumn|winter)(?:[ \t]of)?[ \t]{{1,2}}{_YEAR4}(?!\w)",
)

# A month alone is a date after a word of time; "may" and "march" are also verbs.
_MONTH_ALONE = Rule(
    near(_TIME, _MONTH, 20),
    r"\b(?i:in|since|until|till|by|last|this|next|early|late|mid|through|during|of)[ \t-]"
    r"(?:(?i:early|late|mid)[ \t-])?"
    r"(January|February|March|April|May|June|July|August|September|October|November|December)"
    r"(?![ \t]{1,2}[A-Z0-9])\b",
)

# mm/dd without a year also writes strength, murmurs and ratios: context decides.
_SHORT = Rule(at(_DAY_NUMBER, SLASH, _DAY_NUMBER), rf"{_BEFORE}{_MONTH_NUMBER}/{_DAY}{_AFTER}")
_CUE = re.compile(
    r"(?<!\w)(?i:on|since|until|till|through|thru|dated?|by|before|after|around|about|from|between"
    r"|of|for|dos|admitted|discharged|seen|done|drawn|performed|service|visit|birth|dob|d\.o\.b"
    r"|prior[ \t]to|dd|dt|due|expires?|started|beginning|starting|ending|completed|began"
    r"|effective|as[ \t]of|echo(?:cardiogram)?|mri|ct|cxr|ekg|ecg|eeg|x-?ray|colonoscopy|biopsy"
    r"|labs?|clinic|surgery|admission|discharge|dictated|transcribed|received|reported|collected"
    r"|d|t|r|adm|dis|late|early|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    rf"[.,]?[ \t]{{0,3}}[:;#]?[ \t]{{0,3}}(?:the[ \t]|[(])?"
    rf"(?:{_MONTH_NUMBER}/{_DAY}[ \t]?(?:-|to|and|through|until)[ \t]?)?\Z"
)
_LOOK_BACK = 40
_NOT_DATE_AFTER = re.compile(
    r"[ \t]{0,2}(?i:strength|motor|murmur|systolic|diastolic|sem\b|pulses?|power|%|inch|cm|mm|mg|ml"
    r"|cc|l\b|in\b|\"|x\b|of\b|pain|on[ \t](?:a|the)[ \t]scale|bilateral|throughout|reflex|dtr"
    r"|edema|view|bottles?|tabs?|tablets?|dose|normal|saline|ns\b|strips?|lung|lymph|nodes?"
    r"|times|criteria"
    r"|and[ \t][0-5]/[0-5]\b|to[ \t][0-5]/[0-5]\b|at[ \t]the[ \t]base)"
)
# A time behind it, or a line of its own, makes it a date.
_DATE_AFTER = re.compile(r"[ \t]{1,2}(?:at[ \t])?[0-9]{1,2}:[0-9]{2}")
_LINE_BEFORE = re.compile(rf"{LINE_START}[ \t]{{0,8}}\Z")
_LINE_AFTER = re.compile(rf"[ \t]{{0,8}}(?:{END}|[\r\n:])")
# A padded month or a day that no scale of strength or murmur reaches.
_PADDED = re.compile(r"0[1-9]/|(?:1[0-2]|[1-9])/(?:1[3-9]|2[0-9]|3[01])")

_EVENTS = """appendectomy cholecystectomy hysterectomy mastectomy tonsillectomy surgery operation
    transplant transplantation cabg mi stroke cva tia stent stenting angioplasty ptca biopsy
    colonoscopy catheterization cath bypass resection diagnosed pneumonia fracture accident
    hospitalization admission chemotherapy radiation pacemaker replacement infarction embolism
    dvt pe hepatitis cancer lobectomy colectomy thyroidectomy arthroplasty fusion laminectomy
    repair amputation delivery died deceased retired born immigrated married quit""".split()
_EVENT = alternatives(_EVENTS)
# Table 2.2, last row: a year by itself next to a medical event.
_EVENT_YEAR = Rule(
    near(words(" ".join(_EVENTS)), DIGITS, 40),
    rf"\b(?i:{_EVENT})\b,?[ \t]{{1,2}}(?:(?i:in|since|of|around|circa|back[ \t]in)[ \t]{{1,2}})?"
    rf"(?P<date>{_YEAR4}|(?:(?<=in[ \t])|(?<=[ \t]))['\u2019][0-9]{{2}})(?![\w/%-]|\.[0-9])",
)


def find_dates(notes: Notes) -> Iterator[Span]:
    """Find dates, the surest patterns first."""
    for rule in (_WRITTEN, _NUMERIC, _SEASON):
        yield from labelled(rule, "DATE", notes)
    for match in notes.finditer(_SHORT):
        if _is_day_of_year(notes.text, match):
            yield Span(*match.span(), "DATE")
    yield from labelled(_EVENT_YEAR, "DATE", notes, "date")
    yield from labelled(_MONTH_ALONE, "DATE", notes, 1)


def _is_day_of_year(text: str, match: re.Match[str]) -> bool:
    """Tell whether mm/dd is a date and not a ratio, from what stands around it."""
    start, end = match.span()
    if _DATE_AFTER.match(text, end):
        return True
    before = text[max(0, start - _LOOK_BACK) : start]
    if _LINE_AFTER.match(text, end) and _LINE_BEFORE.search(before):
        return True
    if _NOT_DATE_AFTER.match(text, end):
        return False
    return bool(_PADDED.match(match.group()) or _CUE.search(before))
