"""Dates and ages over 89: thesis 2.5.2 and 2.5.7, Tables 2.2, 2.5 and 2.6, and further forms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from multideid.base_systems.mimic.anchors import DAY_NUMBER, DIGITS, SLASH, at, either, near
from multideid.base_systems.mimic.patterns import (
    DAY,
    END,
    LIKELY_YEAR,
    LINE_START,
    MONTH,
    NOT_QUANTITY,
    Notes,
    Rule,
    labelled,
)
from multideid.base_systems.mimic.vocabulary import exact_words, form, number, union, words
from multideid.document import Span

_MONTH_NUMBER = "(?:0?[1-9]|1[0-2])"
# With separators or a comma any year is read, since surrogate years may lie far ahead. After
# a blank, or without a day, the number may also be a time of day or an extension.
_YEAR4 = "[12][0-9]{3}"
_YEAR = f"(?:{LIKELY_YEAR}|['\u2019]?[0-9]{{2}})"
_ORDINAL = f"{DAY}(?i:st|nd|rd|th)?"
_BEFORE = r"(?<![\w/.\-])"
_AFTER = r"(?![\w/\-]|\.[0-9])"
_SPACE = r"[ \t]{0,2}(?:\n[ \t]{0,2})?"

_MONTH = form(rf"(?i:st|nd|rd|th)?(?:{MONTH}).*")
_MARK = exact_words("/ - . \u2013")
_YEAR_NUMBER = number("[0-9]{4}")

# Table 2.2: mm/dd/(yy)yy, dd/mm/(yy)yy, (yy)yy/mm/dd, (yy)yy/dd/mm.
_NUMERIC = Rule(
    either(at(DIGITS, _MARK, DIGITS, _MARK, DIGITS), at(DAY_NUMBER, _MARK, _YEAR_NUMBER)),
    rf"{_BEFORE}(?:(?:{_MONTH_NUMBER}([/\u2013-]){DAY}\1|{DAY}([/\u2013-]){_MONTH_NUMBER}\2)"
    rf"(?:{_YEAR4}|[0-9]{{2}})"
    rf"|{_YEAR4}([/.\u2013-])(?:{_MONTH_NUMBER}\3{DAY}|{DAY}\3{_MONTH_NUMBER})"
    rf"|{DAY}\.{_MONTH_NUMBER}\.{_YEAR4}|{_MONTH_NUMBER}\.{DAY}\.(?:{_YEAR4}|[0-9]{{2}})"
    rf"|[0-9]{{2}}/(?:{_MONTH_NUMBER}/{DAY}|{DAY}/{_MONTH_NUMBER})"
    rf"|{_MONTH_NUMBER}[/-]{LIKELY_YEAR}){_AFTER}",
)

# "4th of March, 2005", "4 March 05", "March 4th, 2005", "March of 2005", "12-Mar-2005".
_WRITTEN = Rule(
    either(at(_MONTH), near(DAY_NUMBER, _MONTH, 16)),
    rf"(?<![\w/])(?:(?:{_ORDINAL}{_SPACE}(?:of[ \t]{{1,2}})?|{DAY}[/-]){MONTH}"
    rf"(?:,{_SPACE}{_YEAR4}|{_SPACE}{LIKELY_YEAR}{NOT_QUANTITY}|,?[ ]{_YEAR}(?![\w/%.:])"
    rf"|[/-](?:{_YEAR4}|[0-9]{{2}}))?"
    rf"|{MONTH}(?:{_SPACE}(?:the[ \t])?|[-/]){_ORDINAL}(?![0-9%/]|[.:][0-9])"
    rf"(?:(?:(?:,{_SPACE}|[-/]){_YEAR4}|(?:,{_SPACE}|[ \t]{{1,2}}|,?[ \t]of[ \t]|[-/]){_YEAR})"
    rf"(?![\w%]|:[0-9]))?"
    rf"|{MONTH},?(?:{_SPACE}|[ \t]of[ \t]|[-/]){LIKELY_YEAR}{NOT_QUANTITY}"
    rf"|{MONTH}[ ]?['\u2019][0-9]{{2}})(?!\w)",
)
# Days that share the month of another: "6 to 13 February", "3, 10 and 17 March", "June 3-5".
_TO = r"[ \t]?[-\u2013][ \t]?|[ \t](?i:to|through|thru|until|till)[ \t](?:the[ \t])?"
_AND = r"[ \t]?&[ \t]?|[ \t](?i:and|or)[ \t](?:the[ \t])?"
_DAYS_BEFORE = Rule(
    near(DAY_NUMBER, _MONTH, 48),
    rf"(?<![\w/.:\-\u2013])(?P<date>{_ORDINAL})"
    rf"(?=(?:,[ \t]{{1,2}}{_ORDINAL}){{0,5}},?(?:{_TO}|{_AND}){_ORDINAL}"
    rf"(?:[ \t](?i:of))?[ \t]{{1,2}}{MONTH}(?!\w))",
)
_NO_DAY = (
    r"(?![\w/%-]|[.:,]?[0-9]"
    r"|[ \t]?(?i:days?|weeks?|wks?|hours?|hrs?|months?|years?|yrs?|times|minutes?|mins?|x)\b)"
)
_DAY_AFTER = Rule(
    near(_MONTH, DAY_NUMBER, 16),
    rf"(?<!\w){MONTH}[ \t]{{1,2}}{_ORDINAL}"
    rf"(?:{_TO})(?P<date>{_ORDINAL}){NOT_QUANTITY}{_NO_DAY}",
)
_SEASONS = words("spring summer fall autumn winter")
_SEASON = Rule(
    at(_SEASONS), rf"\b{_SEASONS}(?:[ \t](?i:of))?[ \t]{{1,2}}{LIKELY_YEAR}{NOT_QUANTITY}(?!\w)"
)

# A month alone is a date after a word of time; "may" and "march" are also verbs.
_TIME = words("in since until till by last this next early late mid through during of")
_MONTH_ALONE = Rule(
    near(_TIME, _MONTH, 20),
    rf"\b{_TIME}[ \t-](?:(?i:early|late|mid)[ \t-])?"
    r"(January|February|March|April|May|June|July|August|September|October|November|December)"
    r"(?![ \t]{1,2}[A-Z0-9])\b",
)

# Strength, murmurs and ratios are also written like mm/dd: context decides.
_SHORT = Rule(at(DAY_NUMBER, SLASH, DAY_NUMBER), rf"{_BEFORE}{_MONTH_NUMBER}/{DAY}{_AFTER}")
_CUE = re.compile(
    r"(?<!\w)(?i:on|since|until|till|through|thru|dated?|by|before|after|around|about|from|between"
    r"|of|for|dos|admitted|discharged|seen|done|drawn|performed|service|visit|birth|dob|d\.o\.b"
    r"|prior[ \t]to|dd|dt|due|expires?|started|beginning|starting|ending|completed|began"
    r"|effective|as[ \t]of|echo(?:cardiogram)?|mri|ct|cxr|ekg|ecg|eeg|x-?ray|colonoscopy|biopsy"
    r"|labs?|clinic|surgery|admission|discharge|dictated|transcribed|received|reported|collected"
    r"|d|t|r|adm|dis|late|early|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    rf"[.,]?[ \t]{{0,3}}[:;#]?[ \t]{{0,3}}(?:the[ \t]|[(])?"
    rf"(?:{_MONTH_NUMBER}/{DAY}[ \t]?(?:-|to|and|through|until)[ \t]?)?\Z"
)
_LOOK_BACK = 40
_NOT_DATE_AFTER = re.compile(
    r"[ \t]{0,2}(?i:strength|motor|murmur|systolic|diastolic|sem\b|pulses?|power|%|inch|cm|mm|mg|ml"
    r"|cc|l\b|in\b|\"|x\b|of\b|pain|on[ \t](?:a|the)[ \t]scale|bilateral|throughout|reflex|dtr"
    r"|edema|view|bottles?|tabs?|tablets?|dose|normal|saline|ns\b|strips?|lung|lymph|nodes?"
    r"|times|criteria"
    r"|and[ \t][0-5]/[0-5]\b|to[ \t][0-5]/[0-5]\b|at[ \t]the[ \t]base)"
)
# A time after it, or a line of its own, makes it a date.
_DATE_AFTER = re.compile(r"[ \t]{1,2}(?:at[ \t])?[0-9]{1,2}:[0-9]{2}")
_LINE_BEFORE = re.compile(rf"{LINE_START}[ \t]{{0,8}}\Z")
_LINE_AFTER = re.compile(rf"[ \t]{{0,8}}(?:{END}|[\r\n:])")
# A padded month, or a day beyond any scale of strength or murmurs.
_PADDED = re.compile(r"0[1-9]/|(?:1[0-2]|[1-9])/(?:1[3-9]|2[0-9]|3[01])")

_EVENTS = words(
    """appendectomy cholecystectomy hysterectomy mastectomy tonsillectomy surgery operation
    transplant transplantation cabg mi stroke cva tia stent stenting angioplasty ptca biopsy
    colonoscopy catheterization cath bypass resection diagnosed pneumonia fracture accident
    hospitalization admission chemotherapy radiation pacemaker replacement infarction embolism
    dvt pe hepatitis cancer lobectomy colectomy thyroidectomy arthroplasty fusion laminectomy
    repair amputation delivery died deceased retired born immigrated married quit
    """
)
_EVENT_YEAR = rf"(?P<date>{LIKELY_YEAR}{NOT_QUANTITY}|(?<=[ \t])['\u2019][0-9]{{2}})"
# Table 2.2, last row: a year by itself after or before a medical event.
_YEAR_AFTER_EVENT = Rule(
    near(_EVENTS, DIGITS, 40),
    rf"\b{_EVENTS}\b,?[ \t]{{1,2}}(?:(?i:in|since|of|around|circa|back[ \t]in)[ \t]{{1,2}})?"
    rf"{_EVENT_YEAR}(?![\w/%-]|\.[0-9])",
)
_YEAR_BEFORE_EVENT = Rule(
    near(union(DIGITS, exact_words("' \u2019")), _EVENTS, 60),
    rf"(?<![\w/.,$-]){_EVENT_YEAR}[ ]?[,:]?[ \t]{{1,2}}(?:-[ \t])?"
    r"(?:(?i:s/p|status[ \t]post|he|she|patient|was|had|underwent|for|after|the|an?|his|her|with)"
    r"[ \t]{1,2}){0,4}"
    rf"{_EVENTS}\b",
)

# "90+" is how ages over 89 are often written, also by redaction.
_AGE = r"(?<![\w.,/-])(?P<age>(?:9[0-9]|1[01][0-9]|12[0-5])\+?)"
_NINETY, _ONE, _HUNDRED = words("ninety"), words("a one"), words("hundred")
_AGE_IN_WORDS = (
    rf"(?P<age>(?i:{_NINETY}(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?"
    rf"|{_ONE}[ -]{_HUNDRED}(?:[ -](?:and[ -])?(?:one|two|three|four|five))?))"
)
# Table 2.6, and the short forms of notes.
_FOLLOWING = (
    r"(?:[ \t]?-?[ \t]?(?i:years?|yrs?)[ \t-]{0,2}(?i:old|of[ \t-]age)"
    r"|[ \t-]?(?i:y\.?/?o\.?|yr|y\.o\.)(?!\w)(?![ \t]ago)"
    r"|[ \t-]?(?i:year)-(?i:old)|[ \t]?(?i:years?|yrs?)[ \t](?i:young)|[ \t-]?[MF](?!\w))"
)
# "She is 98 percent", "he is 120 kilograms": before a unit or in a ratio it is no age.
_NOT_AGE = (
    r"(?![\w/%+]|[.,][0-9]|-[0-9]|[ \t]?(?i:%|percent|kg|kilo|lb|pound|cm|mm|mg|beats|bpm"
    r"|degrees|to[ \t][0-9]|over[ \t][0-9]|on[ \t](?:room|ra\b|[0-9])|days|weeks|months|minutes"
    r"|hours))"
)
_AGED, _PERSON = words("age aged ages"), words("he she who patient pt")
_PRECEDING = (
    rf"\b(?:{_AGED}|{_PERSON}(?i:[ \t]is|['\u2019]s))(?:[ \t]{{0,2}}[:=])?[ \t]{{1,2}}"
    r"(?i:now[ \t]|currently[ \t]|about[ \t])?"
)

_AGE_NUMBER = number("9[0-9]|1[01][0-9]|12[0-5]")
_CUED = near(union(_AGED, _PERSON), _AGE_NUMBER, 40)

_FOLLOWED = Rule(at(_AGE_NUMBER), _AGE + _FOLLOWING)
_FOLLOWED_WORDS = Rule(
    either(at(_NINETY), near(_ONE, _HUNDRED, 5)),
    rf"\b{_AGE_IN_WORDS}[ -](?i:years?)[ -](?i:old|of[ -]age)",
)
_PRECEDED = Rule(_CUED, rf"{_PRECEDING}{_AGE}{_NOT_AGE}")
_LABELLED = Rule(_CUED, rf"\b(?i:age)[ \t]{{0,2}}[:=]?[ \t]{{0,3}}{_AGE}{_NOT_AGE}")


def find_dates(notes: Notes) -> Iterator[Span]:
    """Find dates, the most reliable patterns first."""
    for rule in (_WRITTEN, _NUMERIC, _SEASON):
        yield from labelled(rule, "DATE", notes)
    for match in notes.finditer(_SHORT):
        if _is_day_of_year(notes.text, match):
            yield Span(*match.span(), "DATE")
    for rule in (_DAYS_BEFORE, _DAY_AFTER, _YEAR_AFTER_EVENT, _YEAR_BEFORE_EVENT):
        yield from labelled(rule, "DATE", notes, "date")
    yield from labelled(_MONTH_ALONE, "DATE", notes, 1)


def find_ages(notes: Notes) -> Iterator[Span]:
    """Find the numbers of ages between 90 and 125, with a plus sign after them."""
    for rule in (_FOLLOWED, _FOLLOWED_WORDS, _PRECEDED, _LABELLED):
        yield from labelled(rule, "AGE", notes, "age")


def _is_day_of_year(text: str, match: re.Match[str]) -> bool:
    """Return whether mm/dd is a date and not a ratio, by its context."""
    start, end = match.span()
    if _DATE_AFTER.match(text, end):
        return True
    before = text[max(0, start - _LOOK_BACK) : start]
    if _LINE_AFTER.match(text, end) and _LINE_BEFORE.search(before):
        return True
    if _NOT_DATE_AFTER.match(text, end):
        return False
    return bool(_PADDED.match(match.group()) or _CUE.search(before))
