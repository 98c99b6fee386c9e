"""The kind of PHI that a text is by its form, whatever its label says."""

from __future__ import annotations

import re

from multideid.labels import SurrogateKind

_NUMBERED_DATE = (
    r"(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})"
    r"|\d{1,2}[-.]\d{1,2}[-.](?:19|20)\d\d"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_HOLIDAY = (
    r"new year(?:s|'s)?(?: (?:day|eve))?|(?:christmas|x-?mas)(?: (?:day|eve))?|boxing day|hogmanay"
    r"|thanksgiving(?: day)?|easter(?: (?:sunday|monday))?|good friday|ash wednesday|pentecost"
    r"|hallowe'?en|(?:valentine|mother|father|president|st\.? patrick|veteran)s?'?s?'? day"
    r"|(?:labou?r|memorial|independence|columbus|anzac|canada|australia|republic) day"
    r"|(?:the )?(?:fourth|4th) of july|juneteenth|mardi gras|cinco de mayo"
    r"|hanukkah|chanukah|passover|yom kippur|rosh hashanah|ramadan|eid(?: al-\w+)?|diwali|holi|onam"
    r"|(?:chinese|lunar) new year|(?:bank|public) holiday"
)
_FORMS = (
    (SurrogateKind.EMAIL, r"[\w.+\-]{1,64}@(?:[\w\-]{1,63}\.){1,8}[a-z]{2,24}"),
    (SurrogateKind.URL, r"(?:https?://|www\.)\S{1,280}"),
    (SurrogateKind.ADDRESS, rf"{_OCTET}(?:\.{_OCTET}){{3}}"),
    (
        SurrogateKind.DATE,
        rf"{_NUMBERED_DATE}|{_MONTH} {_DAY},? \d{{4}}|{_DAY} {_MONTH},? \d{{4}}|{_HOLIDAY}",
    ),
)
_PATTERNS = tuple((kind, re.compile(pattern, re.I | re.A)) for kind, pattern in _FORMS)


def kind_by_form(text: str) -> SurrogateKind | None:
    """Return what a text is by its form; None if that does not tell.

    E-mail, web and IP addresses, full dates in numbers or words, and holidays are told by
    their form.

    Examples
    --------
    >>> kind_by_form("3/14/2007"), kind_by_form("New Year's Eve"), kind_by_form("447-19-20")
    (<SurrogateKind.DATE: 'date'>, <SurrogateKind.DATE: 'date'>, None)
    """
    plain = " ".join(text.replace("\u2019", "'").split())
    return next((kind for kind, pattern in _PATTERNS if pattern.fullmatch(plain)), None)
