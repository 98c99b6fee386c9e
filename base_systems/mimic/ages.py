"""Ages of 90 and over: thesis 2.5.7, Tables 2.5 and 2.6."""

from __future__ import annotations

from collections.abc import Iterator

from multideid.base_systems.mimic.anchors import at, either, near
from multideid.base_systems.mimic.classes import number, words
from multideid.base_systems.mimic.notes import Notes, Rule
from multideid.base_systems.mimic.patterns import labelled
from multideid.document import Span

# "90+" is how ages over 89 are often written, and what redaction writes for them.
_AGE = r"(?<![\w.,/-])(?P<age>(?:9[0-9]|1[01][0-9]|12[0-5])\+?)"
_WORDS = (
    r"(?P<age>(?i:ninety(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|(?:a|one)[ -]hundred(?:[ -](?:and[ -])?(?:one|two|three|four|five))?))"
)
# Table 2.6, and the short forms of notes.
_FOLLOWING = (
    r"(?:[ \t]?-?[ \t]?(?i:years?|yrs?)[ \t-]{0,2}(?i:old|of[ \t-]age)"
    r"|[ \t-]?(?i:y\.?/?o\.?|yr|y\.o\.)(?!\w)(?![ \t]ago)"
    r"|[ \t-]?(?i:year)-(?i:old)|[ \t]?(?i:years?|yrs?)[ \t](?i:young)|[ \t-]?[MF](?!\w))"
)
# "She is 98 percent", "he is 120 kilograms": a unit or a ratio makes it no age.
_NOT_AGE = (
    r"(?![\w/%+]|[.,][0-9]|-[0-9]|[ \t]?(?i:%|percent|kg|kilo|lb|pound|cm|mm|mg|beats|bpm"
    r"|degrees|to[ \t][0-9]|over[ \t][0-9]|on[ \t](?:room|ra\b|[0-9])|days|weeks|months|minutes"
    r"|hours))"
)
_PRECEDING = (
    r"\b(?i:age[ds]?|(?:he|she|who|patient|pt)(?:[ \t]is|['\u2019]s))(?:[ \t]{0,2}[:=])?[ \t]{1,2}"
    r"(?i:now[ \t]|currently[ \t]|about[ \t])?"
)

_NUMBER = number("9[0-9]|1[01][0-9]|12[0-5]")
_NINETY, _ONE, _HUNDRED = words("ninety"), words("a one"), words("hundred")
_CUED = near(words("age aged ages he she who patient pt"), _NUMBER, 40)

_FOLLOWED = Rule(at(_NUMBER), _AGE + _FOLLOWING)
_FOLLOWED_WORDS = Rule(
    either(at(_NINETY), near(_ONE, _HUNDRED, 5)),
    rf"\b{_WORDS}[ -](?i:years?)[ -](?i:old|of[ -]age)",
)
_PRECEDED = Rule(_CUED, rf"{_PRECEDING}{_AGE}{_NOT_AGE}")
_LABELLED = Rule(_CUED, rf"\b(?i:age)[ \t]{{0,2}}[:=]?[ \t]{{0,3}}{_AGE}{_NOT_AGE}")


def find_ages(notes: Notes) -> Iterator[Span]:
    """Find the numbers of ages between 90 and 125, a plus behind them included."""
    for rule in (_FOLLOWED, _FOLLOWED_WORDS, _PRECEDED, _LABELLED):
        yield from labelled(rule, "AGE", notes, "age")
