"""Phone, pager and fax numbers (thesis 2.5.5, Table 2.3), e-mail, URL and IP."""

from __future__ import annotations

from collections.abc import Iterator

from multideid.arrays import IntegerArray
from multideid.base_systems.mimic.anchors import DASH, DIGITS, DOT, Words, at, near
from multideid.base_systems.mimic.patterns import NOT_QUANTITY, Notes, Rule, labelled
from multideid.base_systems.mimic.vocabulary import exact_words, form, number, union, words
from multideid.document import Span

_AT, _DOMAIN = exact_words("@"), exact_words("com org net edu gov")
_THREE, _FOUR, _MANY = number("[0-9]{3}"), number("[0-9]{4}"), number("[0-9]{4,}")
_BEGINS_LONG, _ENDS_PHONE = form(r"[0-9]{1,4}|[(+]"), number("[0-9]{4}|[0-9]{7}")
_CALLS = words(
    """phone telephone tel mobile cell call called calling contact contacted reach reached reachable
    page paged pager beeper beep bpr pgr fax voicemail dial hotline office home work
    """
)
_PAGERS = words("pager beeper beep bpr pgr pg")
_EXTENSIONS = words("ext extension")
_SCHEMES, _WWW = words("http https ftp"), words("www")


def _before_at(notes: Words) -> IntegerArray:
    return notes.starts(notes.preceding(notes.rows(_AT), 70))


def _before_domain(notes: Words) -> IntegerArray:
    domains = notes.rows(_DOMAIN)
    return notes.starts(notes.preceding(domains[notes.has(DOT)[domains - 1]], 170))


# In "o'brien@x.org" the apostrophe is part of the address, in "'lee@x.org'" it is a quotation mark.
_EMAIL = Rule(
    _before_at,
    r"(?<![\w.+%-])[\w+%-][\w.+%'\u2019-]{0,63}"
    r"@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24}(?![\w-])",
)
_URL = Rule(
    at(union(_SCHEMES, _WWW)),
    rf"(?<!\w)(?:{_SCHEMES}://|{_WWW}\.)[^\s<>\"'()\[\]{{}}|]{{1,2000}}(?<![.,;:!?])",
)
_BARE_HOST = Rule(
    _before_domain,
    rf"(?<![\w.@-])(?:[a-z0-9-]{{1,40}}\.){{1,4}}{_DOMAIN}(?:/[^\s<>\"'()]{{0,200}}"
    r"(?<![.,;:!?]))?(?![\w@-])",
)
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})"
_IP = Rule(
    at(DIGITS, DOT, DIGITS, DOT, DIGITS), rf"(?<![\w.]){_OCTET}(?:\.{_OCTET}){{3}}(?![\w]|\.[0-9])"
)

_BEFORE = r"(?<![\w/.-])"
_AFTER = r"(?![\w/%]|-[0-9]|\.[0-9])"
# Elsewhere an en dash stands between the ends of a range.
_SIGN = r"[ .\u2013-]"
_EXTENSION = r"(?:,?[ \t]{0,2}(?i:ext(?:ension)?\.?|x)[ \t]{0,2}[0-9]{2,6})?"

# Table 2.3, the rows with an area code: only phone numbers have this form.
_LONG = Rule(
    near(_BEGINS_LONG, _ENDS_PHONE, 24),
    rf"{_BEFORE}(?:\+?1{_SIGN}?)?(?:\([0-9]{{3}}\)[ \t]{{0,2}}-?[ \t]?[0-9]{{3}}{_SIGN}?[0-9]{{4}}"
    rf"|[0-9]{{3}}{_SIGN}[0-9]{{3}}{_SIGN}[0-9]{{4}}|[0-9]{{3}}-[0-9]{{7}}"
    rf"|[0-9]{{3}}/[0-9]{{3}}-[0-9]{{4}}"
    rf"){_EXTENSION}{_AFTER}",
)
_INTERNATIONAL = Rule(
    at(exact_words("+"), DIGITS),
    rf"(?<![\w+])\+[0-9]{{1,3}}(?:{_SIGN}\(?[0-9]{{1,4}}\)?){{2,5}}{_AFTER}",
)
# nnn-nnnn may also be a range of values.
_LOCAL = Rule(
    at(_THREE, DASH, _FOUR),
    rf"(?<!range )(?<!between )(?<!from ){_BEFORE}[0-9]{{3}}[-][0-9]{{4}}{_EXTENSION}{_AFTER}"
    rf"{NOT_QUANTITY}",
)

_BETWEEN = (
    r"(?:[ \t.,:;#()=-]|(?i:number|no\b|is|at|on|the|us|me|him|her|them|office|clinic|results?"
    r"|to|back|be|can"
    r"|any|time|via|phone|pager|beeper|or|my|our|his|extension|line|directly|if|with|id)\b){0,24}"
)
_NUMBER = (
    r"(?P<number>(?:[xX][ \t]?)?(?:[0-9]{3}[ .\u2013-][0-9]{4}|[0-9]{1,2}-[0-9]{4}|[0-9]{4,7}|"
    rf"[0-9]{{10}})){_AFTER}"
)
_CUED = Rule(near(_CALLS, _MANY, 320), rf"\b{_CALLS}\b{_BETWEEN}(?<!\w){_NUMBER}{NOT_QUANTITY}")
_PAGER = Rule(
    at(_PAGERS),
    rf"\b{_PAGERS}\b[ \t]{{0,2}}(?i:number|no\.?|#|is|id|at)?[ \t]{{0,2}}[:#]?"
    rf"[ \t]{{0,2}}(?P<number>[0-9]{{3}}\u2013[0-9]{{4}}|[#]?[0-9]{{3,7}}"
    rf"|[0-9]{{1,3}}-[0-9]{{3,4}}){_AFTER}",
)
_EXTENSION_ALONE = Rule(
    at(_EXTENSIONS),
    rf"(?<![\w.])(?P<number>{_EXTENSIONS}\b\.?[ \t]{{0,2}}[:#]?[ \t]{{0,2}}[0-9][0-9-]{{1,6}})"
    rf"{_AFTER}",
)
# "x 4-5678" and "x68222"; "x 3 days" and "4 x 1000" are not.
_X_FORM = Rule(
    at(words("x"), DIGITS),
    rf"(?<![\w.])(?<![0-9] )(?P<number>[xX](?:[ \t]?[0-9]-[0-9]{{4}}|[0-9]{{4,5}}|[ \t][0-9]{{5}}))"
    rf"{_AFTER}{NOT_QUANTITY}",
)


def find_web(notes: Notes) -> Iterator[Span]:
    """Find e-mail addresses, URLs and IP addresses."""
    yield from labelled(_EMAIL, "EMAIL", notes)
    for rule in (_URL, _BARE_HOST, _IP):
        yield from labelled(rule, "URL", notes)


def find_phones(notes: Notes) -> Iterator[Span]:
    """Find phone, fax, pager and extension numbers."""
    for rule in (_LONG, _INTERNATIONAL, _LOCAL):
        yield from labelled(rule, "PHONE", notes)
    for rule in (_PAGER, _CUED, _X_FORM, _EXTENSION_ALONE):
        yield from labelled(rule, "PHONE", notes, "number")
