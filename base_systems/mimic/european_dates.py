"""Dates in other European languages: "21 de febrero de 2002", "1er mars 2010", "3. Mai 2009".

The thesis has English notes only. Reports in other languages have these forms, English ones too
where they quote a foreign report.
"""

from __future__ import annotations

from collections.abc import Iterator

from multideid.base_systems.mimic.anchors import DAY_NUMBER, at, near
from multideid.base_systems.mimic.patterns import (
    DAY,
    LIKELY_YEAR,
    NOT_QUANTITY,
    Notes,
    Rule,
    labelled,
)
from multideid.base_systems.mimic.vocabulary import words
from multideid.document import Span

# Spanish, Catalan, Portuguese, Italian, French, German, Dutch, Danish, Norwegian, Swedish, Polish.
_CLEAR = """
enero febrero abril junio julio agosto septiembre setiembre octubre noviembre diciembre
gener febrer març juny juliol agost setembre octubre novembre desembre
janeiro fevereiro março junho julho setembro outubro novembro dezembro
gennaio febbraio aprile maggio giugno luglio settembre ottobre novembre dicembre
janvier février fevrier avril juin juillet août aout septembre octobre novembre décembre decembre
januar jänner februar märz oktober dezember
januari februari maart augustus augusti desember
stycznia lutego kwietnia czerwca lipca sierpnia września października listopada grudnia
"""
# They are also names, or words of English: with a year, or after "de", they are months.
_UNCLEAR = """
mayo marzo maig maio mars mai juni juli maj mei marca maja
"""
_CLEAR_MONTH, _MONTH = words(_CLEAR), words(_CLEAR + _UNCLEAR)
_SHORT_MONTH = words(
    "ene abr ago dic janv févr fevr avr juil déc mrz okt dez fev gen giu lug ott mrt"
)
# In English "3. August 2009" may be the third item of a list, but not within a line.
_SHARED_MONTH = words("april august september november december")
_ORDINAL = rf"(?<![\w/.,:\-]){DAY}(?:er|\.?[º°ª]|\.(?=[ \t]))?"
_OF = r"[ \t]{1,2}(?i:de|d['\u2019])[ \t]{0,2}"
_GAP = r"[ \t]{1,2}"
_OF_YEAR = rf"(?:{_GAP}(?i:de|del|de[ \t]l['\u2019]any){_GAP}|,?{_GAP})"
_AFTER = r"(?![\w/%]|[.,][0-9])"

_FULL = rf"{_OF_YEAR}{LIKELY_YEAR}{NOT_QUANTITY}{_AFTER}"
_DAY_FIRST = Rule(
    near(DAY_NUMBER, _MONTH, 16),
    rf"{_ORDINAL}(?:(?:{_OF}|{_GAP}){_MONTH}{_FULL}|{_OF}{_MONTH}{_AFTER}"
    rf"|{_GAP}{_CLEAR_MONTH}{_AFTER}|[/-]{_MONTH}[/-](?:{LIKELY_YEAR}|[0-9]{{2}}){_AFTER})",
)
_DAY_WITH_DOT = Rule(
    near(DAY_NUMBER, _SHARED_MONTH, 6),
    rf"(?<=[^\W\d_][ \t]){DAY}\.{_GAP}{_SHARED_MONTH}{_FULL}",
)
_DAY_AND_SHORT_MONTH = Rule(
    near(DAY_NUMBER, _SHORT_MONTH, 10),
    rf"{_ORDINAL}(?:[/-]{_SHORT_MONTH}\.?[/-](?:{LIKELY_YEAR}|[0-9]{{2}}){_AFTER}"
    rf"|(?:{_OF}|{_GAP}){_SHORT_MONTH}\b\.?{_FULL})",
)
_MONTH_FIRST = Rule(
    at(_MONTH),
    rf"(?<!\w)(?:{_MONTH}{_GAP}(?i:de|del){_GAP}{LIKELY_YEAR}|{_CLEAR_MONTH}{_GAP}{LIKELY_YEAR}{NOT_QUANTITY}"
    rf"|{_CLEAR_MONTH}[-/](?:{LIKELY_YEAR}|[0-9]{{2}})){_AFTER}",
)


def find_european_dates(notes: Notes) -> Iterator[Span]:
    """Find days and months with the names of months in other languages than English."""
    for rule in (_DAY_FIRST, _DAY_WITH_DOT, _DAY_AND_SHORT_MONTH, _MONTH_FIRST):
        yield from labelled(rule, "DATE", notes)
