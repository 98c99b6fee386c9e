"""Street addresses, post boxes and zip codes, with the town and state behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from multideid.arrays import IntegerArray
from multideid.base_systems.mimic.anchors import CAPITAL, DASH, DIGITS, Words, at, merged, near
from multideid.base_systems.mimic.classes import words, written
from multideid.base_systems.mimic.lexicons import is_common
from multideid.base_systems.mimic.notes import Notes, Rule
from multideid.base_systems.mimic.patterns import APOSTROPHE, NAME_WORD, UPPER, labelled
from multideid.document import Span
from multideid.knowledge.lexicons import lexicon
from multideid.text.phrases import normalise

_STREET_KIND = (
    r"(?:Street|St\b\.?|Avenue|Ave\b\.?|Road|Rd\b\.?|Drive|Dr\b\.?|Lane|Ln\b\.?|Boulevard"
    r"|Blvd\b\.?|Court|Ct\b\.?"
    r"|Place|Pl\b\.?|Way|Parkway|Pkwy\b\.?|Circle|Cir\b\.?|Highway|Hwy\b\.?|Terrace|Ter\b\.?"
    r"|Square|Sq\b\.?|Trail"
    r"|Turnpike|Pike|Crescent|Close|Row|Alley|Broadway)(?!\w)"
)
_UNIT = (
    r"(?:,?[ \t]{1,2}(?:(?i:apt|apartment|suite|ste|unit|floor|fl|room"
    r"|rm)\b\.?[ \t]{0,2}#?[ \t]{0,2}[A-Za-z]?[0-9]{0,5}"
    r"[A-Za-z]?|#[0-9]{1,5}[A-Z]?))?(?!\w)"
)
_STREET_WORD = rf"(?:{NAME_WORD}{APOSTROPHE}?s?|[NSEW]\.?|[0-9]{{1,3}}(?:st|nd|rd|th)|[A-Z]\.?)"
_STREETS = written(
    """Street St Avenue Ave Road Rd Drive Dr Lane Ln Boulevard Blvd Court Ct Place Pl Way Parkway
    Pkwy Circle Cir Highway Hwy Terrace Ter Square Sq Trail Turnpike Pike Crescent Close Row Alley
    Broadway
    """
)
_STREETS_IN_CAPITALS = written(
    "STREET ST AVENUE AVE ROAD RD DRIVE LANE LN BOULEVARD BLVD COURT PARKWAY HIGHWAY"
)


def _numbered_streets(notes: Words) -> IntegerArray:
    numbers = notes.rows(DIGITS)
    named = [notes.behind(numbers, begin) for begin in (CAPITAL, DASH, DIGITS)]
    return notes.starts(notes.near(merged(*named), _STREETS, 520))


_STREET = Rule(
    _numbered_streets,
    rf"(?<![\w./-])[0-9]{{1,5}}[A-Z]?(?:-[0-9]{{1,5}})?[ \t]{{1,2}}"
    rf"(?:{_STREET_WORD}[ \t]{{1,2}}){{1,4}}"
    rf"{_STREET_KIND}{_UNIT}",
)
_STREET_CAPITALS = Rule(
    near(DIGITS, _STREETS_IN_CAPITALS, 120),
    r"(?<![\w./-])[0-9]{1,5}[ \t]{1,2}(?:[A-Z0-9.]{1,20}[ \t]{1,2}){1,4}"
    r"(?:STREET|ST|AVENUE|AVE|ROAD|RD|DRIVE|LANE|LN|BOULEVARD|BLVD|COURT|PARKWAY|HIGHWAY)\b\.?"
    r"(?!\w)",
)
_STREET_ALONE = Rule(
    near(words("on off at near along of"), _STREETS, 260),
    rf"(?<![\w-])(?:(?i:on|off|at|near|along|of)[ \t])(?P<place>(?:{NAME_WORD}[ \t]){{1,2}}"
    r"(?:Street|Avenue|Road|Drive|Lane|Boulevard|Blvd|Parkway|Highway))(?!\w)",
)
_POST_BOX = Rule(
    at(words("p po pobox post")),
    r"(?<!\w)(?i:p\.?[ ]?o\.?[ \t]{0,2}box|post[ \t]office[ \t]box)[ \t]{1,2}#?[0-9]{1,7}(?!\w)",
)

PLACE_WORD = rf"(?:(?:St|Ft|Mt)\b\.?(?=[ \t][{UPPER}])|{NAME_WORD})"
_JOIN = (
    r"(?:-(?:on|upon|in|le|de|by|sur|la|the)-|[ \t](?:(?:on|upon|in|le|de|by|of|the|under"
    r"|and)[ \t](?:the[ \t])?)?|-)"
)
PLACE = rf"{PLACE_WORD}(?:{_JOIN}{PLACE_WORD}){{0,4}}"
_TOWN_AFTER_STREET = re.compile(rf"[ \t]{{0,2}},?[ \t\r\n]{{1,4}}(?P<place>{PLACE})(?!\w)")
_STATE = re.compile(
    rf"[ \t]{{0,2}},?[ \t]{{1,2}}(?P<place>[A-Z]{{2}}|[A-Z]\.[A-Z]\.|{NAME_WORD}"
    rf"(?:[ ]{NAME_WORD})?)(?!\w)"
)
ZIP = re.compile(r"[ \t]{0,2},?[ \t]{1,3}(?P<place>[0-9]{5}(?:-[0-9]{4})?)(?![\w/]|\.[0-9])")
_LABELLED_ZIP = Rule(
    at(words("zip zipcode postal")),
    r"(?<!\w)(?i:zip(?:[ \t]?code)?|postal[ \t]code)[ \t]{0,2}[:#]?[ \t]{0,3}(?P<place>[0-9]{5}"
    r"(?:-[0-9]{4})?)(?!\w)",
)


def find_addresses(notes: Notes) -> Iterator[Span]:
    """Find streets, and the town, state and zip code behind each; post boxes."""
    for rule in (_STREET, _STREET_CAPITALS):
        for match in notes.finditer(rule):
            yield Span(*match.span(), "LOCATION")
            yield from _rest_of_address(notes.text, match.end())
    yield from labelled(_STREET_ALONE, "LOCATION", notes, "place")
    yield from labelled(_POST_BOX, "LOCATION", notes)
    yield from labelled(_LABELLED_ZIP, "LOCATION", notes, "place")


def _rest_of_address(text: str, end: int) -> Iterator[Span]:
    town = _TOWN_AFTER_STREET.match(text, end)
    if town is None or (is_common(town["place"]) and "," not in text[end : town.start("place")]):
        return
    yield Span(*town.span("place"), "LOCATION")
    yield from state_and_zip(text, town.end())


def state_and_zip(text: str, end: int) -> Iterator[Span]:
    state = _STATE.match(text, end)
    if state and is_state(state["place"]):
        yield Span(*state.span("place"), "LOCATION")
        end = state.end()
    code = ZIP.match(text, end)
    if code:
        yield Span(*code.span("place"), "LOCATION")


def is_state(word: str) -> bool:
    lower = normalise(word).replace(".", "")
    return lower in lexicon("us_states") or (word.isupper() and lower in lexicon("us_state_codes"))
