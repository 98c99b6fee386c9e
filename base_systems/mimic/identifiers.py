"""Numbers of records, accounts and people: thesis 2.5.6, Table 2.4, and labels."""

from __future__ import annotations

from collections.abc import Iterator

from multideid.base_systems.mimic.anchors import DASH, DIGITS, SLASH, at, at_line, either, near
from multideid.base_systems.mimic.classes import form, number, words
from multideid.base_systems.mimic.notes import Notes, Rule
from multideid.base_systems.mimic.patterns import END, LINE_START, labelled
from multideid.document import Span

_VALUE = (
    r"(?P<id>(?=[A-Za-z0-9-]{4})(?!(?:[0-9]{1,2}|[0-9]{4})[-/][0-9]{1,2}[-/][0-9]{1,4}"
    r"(?!\d))[A-Za-z]{0,4}-?[0-9](?:[A-Za-z0-9]|[-/](?=[A-Za-z0-9])){1,24})"
    r"(?![\w/]|-[0-9]|\.[0-9])"
)
_NUMBER_SIGN = r"(?i:numbers?\b|nos?\b\.?|num\b\.?|#|id\b|\(s\))"
_LABEL = (
    r"(?<![\w])(?i:"
    r"m\.?r\.?n\b\.?|m\.?r\.?[ \t]?(?=#|no)|tr(?=:)|transcriptionist|mr[ \t]?(?=#)"
    r"|medical[ \t]{1,2}rec(?:ord|\.)?|record|med[ \t]rec|chart"
    r"|unit|account|acct|visit|encounter|patient[ \t](?=id|no|number|#)|pt[ \t](?=id|#)"
    r"|hospital[ \t](?=id|no|number|#)"
    r"|case|accession|specimen|job|batch|index|document|doc|dictation|report|confirmation"
    r"|policy|member|subscriber|insurance|health[ \t]plan|medicare|medicaid|beneficiary|group"
    r"|license|licence|dea|npi|certificate|serial|vehicle|plate|claim|order|requisition|admission"
    r"|registration|reference|ref|id|fin|har|csn|ssn|social[ \t]security|s\.s\.n\.?|ss"
    r")"
)
_LABEL_WORD = form(
    r"(?i:m|mr|mrn|tr|transcriptionist|medical|record|med|chart|unit|account|acct|visit|encounter"
    r"|patient|pt|hospital|case|accession|specimen|job|batch|index|document|doc|dictation|report"
    r"|confirmation|policy|member|subscriber|insurance|health|medicare|medicaid|beneficiary|group"
    r"|license|licence|dea|npi|certificate|serial|vehicle|plate|claim|order|requisition|admission"
    r"|registration|reference|ref|id|fin|har|csn|ssn|social|s|ss)(?i:numbers?|nos?|num|id)?"
)
_NUMBERED_LABEL = near(_LABEL_WORD, DIGITS, 56)
_THREE_OR_FIVE = number("[0-9]{3}|[0-9]{5}")
_FEW_LETTERS, _LONG = form("[A-Z]{1,3}"), number("[0-9]{6,10}")
# "MRN: 1234", "Unit No: 1234", "Acct #1234"; a colon or a word for "number" is needed.
_LABELLED = Rule(
    _NUMBERED_LABEL,
    rf"{_LABEL}[ \t]{{0,3}}(?:(?:{_NUMBER_SIGN}[ \t]{{0,2}}){{1,2}}(?i:is"
    rf"|was)?[ \t]{{0,2}}[:=#,]?|[:=])"
    rf"[ \t]{{0,3}}{_VALUE}",
)
_STRONG = Rule(
    near(words("mrn ssn specimen accession batch acct account npi dea"), DIGITS, 20),
    r"(?<!\w)(?i:mrn|ssn|specimen|accession|batch|acct|account|npi|dea)[ \t]{1,2}"
    r"(?P<id>[A-Za-z]{0,3}-?[0-9][0-9A-Za-z/-]{3,20})(?![\w/])",
)

_BEFORE = r"(?<![\w/.$-])"
_AFTER = r"(?![\w/%]|-[0-9]|\.[0-9]|[ \t]?(?i:mg|ml|cc|units?|cells?|copies|cfu|iu|dollars)\b)"
# Table 2.4; nnn-nn-nn is the form of a hospital's unit numbers.
_SOCIAL = Rule(
    either(at(_THREE_OR_FIVE, DASH), at(_THREE_OR_FIVE, DIGITS)),
    rf"{_BEFORE}(?:[0-9]{{3}}-[0-9]{{2}}-[0-9]{{2}}(?:[0-9]{{2}})?|[0-9]{{3}}-[0-9]{{6}}"
    rf"|[0-9]{{3}}[ ][0-9]{{2}}[ ][0-9]{{4}}|[0-9]{{5}}-[0-9]{{4}}){_AFTER}",
)
_LONG_NUMBER = Rule(at(number("[0-9]{7,12}")), rf"{_BEFORE}[0-9]{{7,12}}{_AFTER}")
_MIXED = Rule(
    either(at(_FEW_LETTERS, _LONG), at(_FEW_LETTERS, DASH, _LONG)),
    rf"{_BEFORE}[A-Z]{{1,3}}-?[0-9]{{6,10}}{_AFTER}",
)
_DICTATION = Rule(at(_THREE_OR_FIVE, SLASH), rf"{_BEFORE}[0-9]{{5}}/[a-z][0-9]{{3}}{_AFTER}")
_AFTER_CREDENTIAL = Rule(
    near(words("m md d do r rn ph phd"), DIGITS, 20),
    r"\b(?:M\.?D\.?|D\.?O\.?|R\.?N\.?|Ph\.?D\.?)[ \t]{1,3}(?P<id>[A-Z]{0,3}[0-9]{2,8})"
    rf"(?=[ \t]{{0,3}}(?:[\r\n]|{END}))",
)
# The codes, one a line, above a discharge summary.
_HEADER_LINE = Rule(
    at_line(DIGITS),
    rf"{LINE_START}(?:[0-9]{{6,12}}|[0-9]{{3}}-[0-9]{{2}}-[0-9]{{2,4}})[ \t]{{0,3}}\r?\n"
    r"(?:[A-Z]{2,6}[ \t]{0,3}\r?\n)?(?:[0-9-]{6,12}[ \t]{0,3}\r?\n){0,2}"
    r"(?P<id>[A-Z]{2}[0-9]{2}|[0-9]{6})(?=[ \t]{0,3}\r?\n)",
)


def find_identifiers(notes: Notes) -> Iterator[Span]:
    """Find identifying numbers that stand behind their label."""
    for rule in (_LABELLED, _STRONG, _AFTER_CREDENTIAL, _HEADER_LINE):
        yield from labelled(rule, "ID", notes, "id")


def find_unlabelled_identifiers(notes: Notes) -> Iterator[Span]:
    """Find identifying numbers by their form alone."""
    for rule in (_SOCIAL, _DICTATION, _LONG_NUMBER, _MIXED):
        yield from labelled(rule, "ID", notes)
