"""Names by their context: relatives, verbs, initials and the census."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from multideid.arrays import IntegerArray
from multideid.base_systems.mimic.anchors import (
    CAPITAL,
    DOT,
    INSIDE_NAMES,
    PARTICLES,
    SPLIT,
    Words,
    merged,
    near,
)
from multideid.base_systems.mimic.lexicons import (
    NOT_NAMES,
    NOT_PERSONS,
    can_be_name,
    common_words,
    first_names,
    is_common,
    is_first_name,
    is_name,
)
from multideid.base_systems.mimic.patterns import (
    INITIAL,
    LINE_START,
    NAME_WORD,
    UPPER,
    Notes,
    Rule,
)
from multideid.base_systems.mimic.persons import (
    begins_with_first_name,
    expected,
    has_name_form,
    is_person,
    name_words,
    plausible,
    read_person,
)
from multideid.base_systems.mimic.vocabulary import exact_words, form, listed, union, words
from multideid.document import Span
from multideid.knowledge.lexicons import lexicon
from multideid.text.phrases import normalise

_RELATIVES = words(
    """wife husband spouse daughter son mother father sister brother mom dad aunt uncle niece nephew
    cousin grandmother grandfather grandson granddaughter fiance fiancee fiancé fiancée girlfriend
    boyfriend partner friend guardian caregiver next_of_kin contact proxy son-in-law
    daughter-in-law sister-in-law brother-in-law mother-in-law father-in-law
    """
)
# Only patients do the first; the second is weaker evidence, the third needs a name.
_OF_PATIENTS = exact_words(
    """denies denied complains_of complained_of states_that state_that stated_that
    tolerated_the tolerated_this tolerated_all tolerated_it tolerated_general underwent
    was_counseled was_counselled was_admitted_to was_discharged_to was_discharged_home
    was_accompanied was_advised was_born was_educated was_consented has_a_history
    has_a_past_history lives_in lives_with lives_alone smokes drinks understands agrees agreed
    """
)
_OFTEN_OF_PATIENTS = exact_words(
    """reports presents presented returns returned was_seen was_taken was_brought was_referred
    was_told was_transferred was_instructed was_informed was_asked was_admitted was_discharged
    was_extubated has_been has_had has_not has_done has_no had_been had_no does_not does_have
    will_follow will_return will_need will_continue is_here is_doing is_being admits endorses
    received feels continues continued did_well did_not remains wishes wants would_like works
    """
)
_AUXILIARIES = exact_words("is was has had will went")
_VERBS = union(_OF_PATIENTS, _OFTEN_OF_PATIENTS, _AUXILIARIES)
_BEFORE_SUBJECT = exact_words(". ! ? : , ; ]")
_FIRST_NAME = listed(first_names)
_LETTER = form(f"[{UPPER}]")


def _subjects(notes: Words) -> IntegerArray:
    """Return the capitalised words that begin a clause and are part of a name before a verb."""
    capital = notes.rows(CAPITAL)
    begins = notes.begins_line(capital) | notes.has(_BEFORE_SUBJECT)[capital - 1]
    starting = capital[begins]
    outside = merged(notes.outside(INSIDE_NAMES), notes.rows(SPLIT))
    behind = outside[np.searchsorted(outside, starting)]
    return notes.starts(starting[notes.has(_VERBS)[behind]])


def _may_be_named(notes: Words) -> IntegerArray:
    """Return the capitalised words of names that contain a first name or an initial."""
    first = notes.rows(_FIRST_NAME)
    seeds = (
        notes.followed_by(first, CAPITAL),
        notes.followed_by(first, PARTICLES),
        notes.followed_by(notes.rows(_LETTER), DOT),
    )
    inside = notes.together(INSIDE_NAMES, merged(*seeds))
    return notes.starts(inside[notes.has(CAPITAL)[inside]])


_RELATIVE = Rule(
    near(_RELATIVES, CAPITAL, 60),
    rf"(?<![\w-]){_RELATIVES}\b"
    rf"(?P<link>,?[ \t]{{1,2}}(?:(?:is[ \t])?(?:named|called)\b|by[ \t]the[ \t]name[ \t]of\b"
    rf"|[(])?[ \t]{{0,2}}"
    rf"|[ \t]?[(:,][ \t]{{0,2}}|[ \t]is[ \t])(?=[{UPPER}])",
)
_SUBJECT = Rule(
    _subjects,
    rf"(?:{LINE_START}|(?<=[.!?:,;\]\n][ ])|(?<=[.!?][ ][ ]))"
    rf"(?P<name>(?:[{UPPER}]\.[ ]){{0,2}}{NAME_WORD}(?:[ ](?:[{UPPER}]\.|{NAME_WORD}"
    rf"|{PARTICLES}[ ]{NAME_WORD}"
    r")){0,3})[ ]{1,2}(?:(?P<patient>"
    r"is[ ]an?[ ](?:[0-9]|(?:very[ ])?(?:pleasant|delightful|nice|lovely|well-known|healthy"
    r"|retired)\b"
    r"|[a-z]{3,12}[ -](?:year|man|woman|male|female|gentleman|lady|individual|person)\b)"
    rf"|{_OF_PATIENTS})\b|(?P<weak>{_OFTEN_OF_PATIENTS})\b|{_AUXILIARIES}\b)",
)
_BARE_NAME = Rule(
    _may_be_named,
    rf"(?<![\w.'\u2019-])(?P<name>(?P<first>{NAME_WORD}|{INITIAL})[ ](?:{INITIAL}[ ]"
    rf"|{NAME_WORD}[ ])?"
    rf"(?:{PARTICLES}[ ])?(?P<last>{NAME_WORD}))",
)
_BACTERIA = frozenset(
    """coli difficile diff aureus pneumoniae pylori bili fib flutter albicans fragilis faecalis
    faecium influenzae pyogenes epidermidis cloacae marcescens trachomatis cath tube wave
    """.split()
)


def find_relatives(notes: Notes) -> Iterator[Span]:
    """Find the names of relatives: "wife, Susan Smith", "daughter Maria"."""
    text = notes.text
    for match in notes.finditer(_RELATIVE):
        end = _end_of_relative(text, match.end())
        if _is_relative(match, text[match.end() : end]):
            yield Span(match.end(), end, "PATIENT")


def _is_relative(match: re.Match[str], phrase: str) -> bool:
    words = name_words(phrase)
    if not words:
        return False
    listed = match["link"].startswith(",") and len(words) > 1
    # "with daughter Hope and son Hunt": a capital in mid-sentence is enough.
    in_sentence = match.group().islower() and not match["link"].strip()
    return listed or in_sentence or is_person(phrase) or begins_with_first_name(phrase)


def _end_of_relative(text: str, start: int) -> int:
    """Return the end of a name of two capitalised words, or of one that can be a name."""
    end = read_person(text, start, expected)
    if len(name_words(text[start:end])) > 1:
        return end
    return read_person(text, start, plausible)


def find_subjects(notes: Notes) -> Iterator[Span]:
    """Find names before the verbs of patients: "Maria Lopez denies pain"."""
    for match in notes.finditer(_SUBJECT):
        words = name_words(match["name"])
        if all(map(can_be_name, words)) and _is_subject(match, words):
            yield Span(*match.span("name"), "PATIENT")


def _is_subject(match: re.Match[str], words: Sequence[str]) -> bool:
    """Return whether a name is a patient's; weaker verbs need stronger names."""
    if match["patient"]:
        return True
    with_initial = len(match["name"].split()) > len(words)
    if not match["weak"]:
        return with_initial and is_person(match["name"])
    if len(match["name"].split()) > 1:
        return is_person(match["name"]) or has_name_form(match["name"], words)
    return _is_surname(words[0])


def find_bare_names(notes: Notes) -> Iterator[Span]:
    """Find "First Last" and "F. Last" that are in the census but not in a dictionary."""
    for match in notes.finditer(_BARE_NAME):
        first, last = match["first"], match["last"]
        if not _no_people().isdisjoint(map(normalise, name_words(match["name"]))):
            continue
        initial = first.endswith(".") and is_name(last) and not _is_word(last)
        if initial or (is_first_name(first) and _is_surname(last)):
            yield Span(*match.span("name"), "PATIENT")


@cache
def _no_people() -> frozenset[str]:
    return NOT_PERSONS | _BACTERIA | NOT_NAMES | lexicon("months")


def _is_word(word: str) -> bool:
    return normalise(word) in common_words()


def _is_surname(word: str) -> bool:
    return is_name(word) and not is_common(word)
