"""Numbers of records, accounts and people (thesis 2.5.6, Table 2.4), and labelled numbers."""

from __future__ import annotations

from collections.abc import Iterator

from multideid.base_systems.mimic.anchors import DASH, DIGITS, SLASH, at, at_line, either, near
from multideid.base_systems.mimic.patterns import END, LINE_START, Notes, Rule, labelled
from multideid.base_systems.mimic.vocabulary import exact_words, form, number, words
from multideid.document import Span

_VALUE = (
    r"(?P<id>(?=[A-Za-z0-9-]{4})(?!(?:[0-9]{1,2}|[0-9]{4})[-/][0-9]{1,2}[-/][0-9]{1,4}"
    r"(?!\d))[A-Za-z]{0,4}-?[0-9](?:[A-Za-z0-9]|[-/](?=[A-Za-z0-9])){1,24})"
    r"(?![\w/]|-[0-9]|\.[0-9])"
)
_NUMBER_SIGN = r"(?i:numbers?\b|nos?\b\.?|num\b\.?|#|id\b|\(s\))"
# The other lists are labels only before certain words or marks.
_LABELS = words(
    """mrn. m.r.n. transcriptionist medical_record medical_rec. medical_rec record med_rec chart
    unit account acct visit encounter case accession specimen job batch index document doc
    dictation report confirmation policy member subscriber insurance health_plan medicare medicaid
    beneficiary group license licence dea npi certificate serial vehicle plate claim order
    requisition admission registration reference ref id fin har csn ssn social_security s.s.n. ss
    """
)
_BEFORE_NUMBER_SIGN = words("mr m.r.")
_BEFORE_NUMBER = words("patient pt hospital")
_TRANSCRIPTIONIST = words("tr")
_LABEL = (
    rf"(?<!\w)(?:{_LABELS}|{_BEFORE_NUMBER_SIGN}[ \t]?(?=#|(?i:no))"
    rf"|{_BEFORE_NUMBER}[ \t](?i:(?=id|no|number|#)))"
)
_ANY_LABEL = (_LABELS, _BEFORE_NUMBER_SIGN, _BEFORE_NUMBER, _TRANSCRIPTIONIST)
_LABEL_WORD = form(
    rf"(?:{'|'.join(label.first for label in _ANY_LABEL)})(?i:numbers?|nos?|num|id)?"
)
_NUMBERED_LABEL = near(_LABEL_WORD, DIGITS, 56)
_THREE_OR_FIVE = number("[0-9]{3}|[0-9]{5}")
_FEW_LETTERS, _LONG = form("[A-Z]{1,3}"), number("[0-9]{6,10}")
# "MRN: 1234", "Unit No: 1234", "Acct #1234"; a colon or a word for "number" is needed.
_LABELLED = Rule(
    _NUMBERED_LABEL,
    rf"(?:{_LABEL}[ \t]{{0,3}}(?:(?:{_NUMBER_SIGN}[ \t]{{0,2}}){{1,2}}(?i:is|was)?"
    rf"[ \t]{{0,2}}[:=#,]?|[:=])|(?<!\w){_TRANSCRIPTIONIST}:)[ \t]{{0,3}}{_VALUE}",
)
_STRONG_LABELS = words("mrn ssn specimen accession batch acct account npi dea")
_STRONG = Rule(
    near(_STRONG_LABELS, DIGITS, 20),
    rf"(?<!\w){_STRONG_LABELS}[ \t]{{1,2}}"
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
_CREDENTIALS = exact_words("MD. M.D. DO. D.O. RN. R.N. PhD. Ph.D.")
_AFTER_CREDENTIAL = Rule(
    near(_CREDENTIALS, DIGITS, 20),
    rf"\b{_CREDENTIALS}[ \t]{{1,3}}(?P<id>[A-Z]{{0,3}}[0-9]{{2,8}})"
    rf"(?=[ \t]{{0,3}}(?:[\r\n]|{END}))",
)
# The codes above a discharge summary, one per line.
_HEADER_LINE = Rule(
    at_line(DIGITS),
    rf"{LINE_START}(?:[0-9]{{6,12}}|[0-9]{{3}}-[0-9]{{2}}-[0-9]{{2,4}})[ \t]{{0,3}}\r?\n"
    r"(?:[A-Z]{2,6}[ \t]{0,3}\r?\n)?(?:[0-9-]{6,12}[ \t]{0,3}\r?\n){0,2}"
    r"(?P<id>[A-Z]{2}[0-9]{2}|[0-9]{6})(?=[ \t]{0,3}\r?\n)",
)


def find_identifiers(notes: Notes) -> Iterator[Span]:
    """Find identifying numbers that follow their label."""
    for rule in (_LABELLED, _STRONG, _AFTER_CREDENTIAL, _HEADER_LINE):
        yield from labelled(rule, "ID", notes, "id")


def find_unlabelled_identifiers(notes: Notes) -> Iterator[Span]:
    """Find identifying numbers by their form alone."""
    for rule in (_SOCIAL, _DICTATION, _LONG_NUMBER, _MIXED):
        yield from labelled(rule, "ID", notes)
