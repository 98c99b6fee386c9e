"""The rules: regular expressions over strings of token codes.

`codes.code` defines the characters. The first group of a pattern matches the PHI. No
repetition is nested in another, so matching takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_NAME = "[FGNBUAPK]"
_CAPITALISED = "[FGNBUAPKCSX]"
_PREFIX = "(?:I'|v)?"
_MORE = rf"(?:-?{_PREFIX}{_NAME}|I\.?(?=-?{_PREFIX}{_NAME}))"
# After a title any capitalised word is a name; further words must look like one.
_TITLED = rf"(?:I\.?){{0,2}}{_PREFIX}{_CAPITALISED}{_MORE}{{0,3}}"
_PERSON = rf"(?:I\.?){{0,2}}{_PREFIX}{_NAME}{_MORE}{{0,3}}"
# In a date, any number of four digits is a year: surrogate years may lie far ahead.
_YEAR = "[4y]"
_TWO_DIGITS = "[1209]"
_DIGITS = "[1209345y6]"


class CodeRule(NamedTuple):
    """A pattern and the label of its matches.

    Parameters
    ----------
    label : str
        Unique, since a corpus may label the matches of similar rules differently.
    pattern : Pattern
    """

    label: str
    pattern: re.Pattern[str]

    def spans(self, codes: str) -> Iterator[tuple[int, int]]:
        """Yield the half-open ranges of characters that are PHI."""
        return (match.span(1) for match in self.pattern.finditer(codes))


_RULES = {
    # Unambiguous forms.
    "DATE": rf"(?<![-/])([12][-/][12][-/](?:{_YEAR}|{_TWO_DIGITS})|{_YEAR}[-/][12][-/][12]"
    rf"|{_TWO_DIGITS}/[12]/[12])(?![-/])",
    "DATE IN WORDS": rf"(M\.?[12]h?,?{_YEAR}|M\.?[12]h?(?!-?[35y64])|[12]h?p?M,?{_YEAR}|[12]h?p?M"
    rf"|M,?{_YEAR})",
    "PHONE": r"(\(3\)-?3[-.~][4y]|(?<![-/])3[-.]3[-.][4y])(?![-/])",
    "SSN": rf"(?<![-/])(3-{_TWO_DIGITS}-[4y])(?![-/])",
    "PHONE OF SEVEN DIGITS": r"(?<![-/.])(3-[4y])(?![-/])",
    "PAGER": r"t[:#.]?([3456y](?:-[3456y])?)",
    "PHONE APART": r"(?<=[tp])(3[4y])",
    "LABELLED ID": rf"i[:#.]{{0,2}}([IK]?-?[3456](?:[-/][waI]?{_DIGITS}){{0,3}})",
    "NUMBER OF THREE PARTS": rf"(?<![-/])(3-{_TWO_DIGITS}-{_TWO_DIGITS})(?![-/])",
    "LONG NUMBER": rf"(?<![-/.,])(6(?:-{_DIGITS}){{0,2}})(?![.,/]{_DIGITS})",
    "AGE": r"(?<![-/.,])([93])[-~]?o",
    # Patterns with indicators.
    "HOSPITAL": rf"(?=C{{0,3}}[FGNBUAPKX])((?:X\.?)?{_CAPITALISED}(?:'w)?"
    rf"(?:[-&]?{_CAPITALISED}){{0,4}}H+(?:pP+)?)",
    "DOCTOR": rf"D\.?({_TITLED})",
    "TITLED": rf"T\.?({_TITLED})",
    "WITH CREDENTIALS": rf"({_PERSON})(?:[,~]?e|,I\.I)",
    "DOCTOR INDICATED": rf"d[:,]?({_PERSON})",
    "NAME LABELLED": rf"R:({_PERSON}(?:,{_PREFIX}{_NAME}I?)?)",
    "NAME INDICATED": rf"R[,(]?({_PERSON})",
    "STREET": rf"({_DIGITS}{_CAPITALISED}(?:-?{_CAPITALISED}){{0,3}}X\.?)",
    "CITY AND ZIP": rf"({_NAME}{{1,3}}(?:,?S)?5(?:-[4y])?)(?![-/]?{_DIGITS})",
    "LOCATION INDICATED": rf"Lp({_CAPITALISED}(?:-?{_CAPITALISED}){{0,3}}(?:,[PS])?)",
    # Words of the lookup tables that are not common words.
    "PLACE": r"(P{1,4}(?:,P{1,3}|,?S)?)",
    "ZIP": r"(?<=[PS])(5(?:-[4y])?)",
    "LAST NAME FIRST": r"(N,[FG]I?|[BUA],FI?)",
    "FULL NAME": rf"([FG](?:I\.?)?{_PREFIX}[FNBUA]|F(?:I\.?)?{_PREFIX}G"
    rf"|(?<!I\.)I\.{_PREFIX}[FNUA])",
    # After an article it is rather a thing named after somebody.
    "NAME": rf"(?<![a-])({_PREFIX}[FN](?:-?[FNU]){{0,3}})(?!-)",
    "MISSPELLED NAME": r"(?<![a-])(A)(?!-)",
    # Weak evidence, for corpora that annotate it.
    "MONTH AND YEAR": rf"(?<![-/.])(1/{_YEAR})(?![-/])",
    "DAY AND MONTH": r"(?<![-/.])([12]/[12])(?![-/])",
    "YEAR": r"(?<![-/.,])(y)(?![-/.,%])",
    "DAY OF THE WEEK": r"(W)",
}

RULES = tuple(CodeRule(label, re.compile(pattern)) for label, pattern in _RULES.items())
"""All rules; earlier ones win overlaps."""

NATIVE_LABELS = tuple(rule.label for rule in RULES)
