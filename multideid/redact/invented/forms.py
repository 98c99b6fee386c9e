"""The kind of PHI that a text is by its form, whatever its label says."""

from __future__ import annotations

import re

from multideid.labels import SurrogateKind
from multideid.redact.invented.date_words import ENGLISH_MONTH

_NUMBERED_DATE = (
    r"(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})"
    r"|\d{1,2}[-.]\d{1,2}[-.](?:19|20)\d\d"
)
_MONTH = rf"{ENGLISH_MONTH}\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_SEP = r"[ \-/.]?"
_YEAR = r"(?:19|20)\d\d"
_DATE_IN_WORDS = (
    rf"{_DAY}(?: of)?{_SEP}{_MONTH},?{_SEP}(?:{_YEAR}|'?\d\d)|{_MONTH}{_SEP}{_DAY},?[ \-/.]{_YEAR}"
    rf"|{_DAY}(?: of)? {_MONTH}|{_MONTH} {_DAY}|{_MONTH},?[ \-]{_YEAR}"
)
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? (?:the )?)?"
_TIME = (
    r"(?:(?:,? (?:at )?\d{1,2}[:.]\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?)|T\d\d:\d\d[\d:.Z+\-]{0,20})?"
)
_AROUND_HOLIDAY = r"(?:the )?(?:(?:day|night|week|weekend) (?:before|after|of) )?"
_HOLIDAY = (
    r"new year(?:s|'s)?(?: (?:day|eve))?|(?:christmas|x-?mas)(?: (?:day|eve))?|boxing day|hogmanay"
    r"|thanksgiving(?: day)?|easter(?: (?:sunday|monday))?|good friday|ash wednesday|pentecost"
    r"|hallowe'?en|(?:valentine|mother|father|president|st\.? patrick|veteran)s?'?s?'? day"
    r"|(?:labou?r|memorial|independence|columbus|anzac|canada|australia|republic) day"
    r"|(?:the )?(?:fourth|4th) of july|juneteenth|mardi gras|cinco de mayo"
    r"|hanukkah|chanukah|passover|yom kippur|rosh hashanah|ramadan|eid(?: al-\w+)?|diwali|holi|onam"
    r"|(?:chinese|lunar) new year|(?:bank|public) holiday|(?:martin luther king|mlk)(?: jr\.?)? day"
    r"|nochebuena|nochevieja|navidad(?:es)?|semana santa|(?:a\u00f1o|ano) nuevo"
)
_FORMS = (
    (SurrogateKind.EMAIL, r"[\w.+\-]{1,64}@(?:[\w\-]{1,63}\.){1,8}[a-z]{2,24}"),
    (SurrogateKind.URL, r"(?:https?://|www\.)\S{1,280}"),
    (SurrogateKind.ADDRESS, rf"{_OCTET}(?:\.{_OCTET}){{3}}"),
    (
        SurrogateKind.DATE,
        rf"{_WEEKDAY}(?:{_NUMBERED_DATE}|{_DATE_IN_WORDS}){_TIME}"
        rf"|{_AROUND_HOLIDAY}(?:{_HOLIDAY})(?: weekend)?(?:,? {_YEAR})?",
    ),
    # Numbers of three and three and four digits with spaces are identifiers in some countries.
    (SurrogateKind.PHONE, r"(?:\+?1[ .\-]?)?(?:\(\d{3}\) ?|\d{3}[\-.])\d{3}[\-.]\d{4}"),
)
_PATTERNS = tuple((kind, re.compile(pattern, re.I | re.A)) for kind, pattern in _FORMS)


def kind_by_form(text: str) -> SurrogateKind | None:
    """Return what a text is by its form; None if that does not tell.

    E-mail, web and IP addresses, phone numbers with hyphens, dates with names of months or
    with three numbers, and holidays are told by their form.

    Examples
    --------
    >>> kind_by_form("3/14/2007"), kind_by_form("New Year's Eve"), kind_by_form("447-19-20")
    (<SurrogateKind.DATE: 'date'>, <SurrogateKind.DATE: 'date'>, None)
    """
    plain = " ".join(text.replace("\u2019", "'").split())
    return next((kind for kind, pattern in _PATTERNS if pattern.fullmatch(plain)), None)
