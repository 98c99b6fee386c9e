"""Street addresses, post boxes and zip codes, with the town and state that follow."""

from __future__ import annotations

import re
from collections.abc import Iterator

from multideid.arrays import IntegerArray
from multideid.base_systems.mimic.anchors import CAPITAL, DASH, DIGITS, Words, at, merged, near
from multideid.base_systems.mimic.lexicons import is_common
from multideid.base_systems.mimic.patterns import (
    APOSTROPHE,
    NAME_WORD,
    UPPER,
    Notes,
    Rule,
    labelled,
)
from multideid.base_systems.mimic.vocabulary import exact_words, number, words
from multideid.document import Span
from multideid.knowledge.lexicons import lexicon
from multideid.text.phrases import normalise

_STREETS = exact_words(
    """Street St. Avenue Ave. Road Rd. Drive Dr. Lane Ln. Boulevard Blvd. Court Ct. Place Pl. Way
    Parkway Pkwy. Circle Cir. Highway Hwy. Terrace Ter. Square Sq. Trail Turnpike Pike Crescent
    Close Row Alley Broadway
    """
)
_FULL_STREETS = exact_words("Street Avenue Road Drive Lane Boulevard Blvd Parkway Highway")
_UNIT = (
    r"(?:,?[ \t]{1,2}(?:(?i:apt|apartment|suite|ste|unit|floor|fl|room"
    r"|rm)\b\.?[ \t]{0,2}#?[ \t]{0,2}[A-Za-z]?[0-9]{0,5}"
    r"[A-Za-z]?|#[0-9]{1,5}[A-Z]?))?(?!\w)"
)
_STREET_WORD = rf"(?:{NAME_WORD}{APOSTROPHE}?s?|[NSEW]\.?|[0-9]{{1,3}}(?:st|nd|rd|th)|[A-Z]\.?)"
_STREETS_IN_CAPITALS = exact_words(
    "STREET ST AVENUE AVE ROAD RD DRIVE LANE LN BOULEVARD BLVD COURT PARKWAY HIGHWAY"
)


def _numbered_streets(notes: Words) -> IntegerArray:
    numbers = notes.rows(DIGITS)
    named = [notes.followed_by(numbers, begin) for begin in (CAPITAL, DASH, DIGITS)]
    return notes.starts(notes.near(merged(*named), _STREETS, 520))


_STREET = Rule(
    _numbered_streets,
    rf"(?<![\w./-])[0-9]{{1,5}}[A-Z]?(?:-[0-9]{{1,5}})?[ \t]{{1,2}}"
    rf"(?:{_STREET_WORD}[ \t]{{1,2}}){{1,4}}"
    rf"{_STREETS}(?!\w){_UNIT}",
)
_STREET_CAPITALS = Rule(
    near(DIGITS, _STREETS_IN_CAPITALS, 120),
    r"(?<![\w./-])[0-9]{1,5}[ \t]{1,2}(?:[A-Z0-9.]{1,20}[ \t]{1,2}){1,4}"
    rf"{_STREETS_IN_CAPITALS}\b\.?(?!\w)",
)
_BEFORE_STREETS = words("on off at near along of")
_STREET_ALONE = Rule(
    near(_BEFORE_STREETS, _FULL_STREETS, 260),
    rf"(?<![\w-]){_BEFORE_STREETS}[ \t](?P<place>(?:{NAME_WORD}[ \t]){{1,2}}{_FULL_STREETS})(?!\w)",
)
_POST = words("post_office_box p.o._box p._o._box po_box pobox p.o.box p.obox p._obox")
_POST_BOX = Rule(
    at(_POST),
    rf"(?<!\w){_POST}[ \t]{{1,2}}#?[0-9]{{1,7}}(?!\w)",
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
_ZIP_LABELS = words("zip zipcode zip_code postal_code")
_FIVE_DIGITS, _FOUR_DIGITS = number("[0-9]{5}"), number("[0-9]{4}")
# Social security numbers are also written nnnnn-nnnn: a zip code follows a state.
_LONG_ZIP = Rule(
    at(_FIVE_DIGITS, DASH, _FOUR_DIGITS), r"(?<![\w/.$-])[0-9]{5}-[0-9]{4}(?![\w/]|[-.][0-9])"
)
_BEFORE_ZIP = re.compile(
    rf"(?<!\w)(?P<words>(?:{NAME_WORD}[ ])?(?P<word>{NAME_WORD}|[A-Z]\.[A-Z]\.)),?"
    r"[ \t\r\n]{1,4}\Z"
)
_LONGEST_STATE = 40
_LABELLED_ZIP = Rule(
    at(_ZIP_LABELS),
    rf"(?<!\w){_ZIP_LABELS}[ \t]{{0,2}}[:#]?[ \t]{{0,3}}"
    r"(?P<place>[0-9]{5}(?:-[0-9]{4})?)(?!\w)",
)


def find_addresses(notes: Notes) -> Iterator[Span]:
    """Find streets with the town, state and zip code that follow, and post boxes."""
    for rule in (_STREET, _STREET_CAPITALS):
        for match in notes.finditer(rule):
            yield Span(*match.span(), "LOCATION")
            yield from _rest_of_address(notes.text, match.end())
    yield from labelled(_STREET_ALONE, "LOCATION", notes, "place")
    yield from labelled(_POST_BOX, "LOCATION", notes)
    yield from labelled(_LABELLED_ZIP, "LOCATION", notes, "place")
    for match in notes.finditer(_LONG_ZIP):
        if _is_after_state(notes.text, match.start()):
            yield Span(*match.span(), "LOCATION")


def _is_after_state(text: str, end: int) -> bool:
    before = _BEFORE_ZIP.search(text, max(0, end - _LONGEST_STATE), end)
    return before is not None and (is_state(before["word"]) or is_state(before["words"]))


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
