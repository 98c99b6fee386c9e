"""Contextual cues from which the label of a placeholder is inferred."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

WINDOW = 60
"""Characters on each side that are looked at, which bounds the time of the patterns."""

RELATIVES = (
    r"daughter|son|wife|husband|mother|father|brother|sister|niece|nephew|cousin|aunt|uncle"
    r"|spouse|partner|proxy|friend|guardian|caregiver"
)
"""Words for relatives and friends, as alternatives of a regular expression."""

_DOCTORS = (
    r"doctor|physician|attending|resident|surgeon|fellow|intern|pcp|pmd|provider|consultant"
    r"|\w+ologist|pediatrician|internist|anesthetist|assistant|nurse|dictated|cc|seen|signed"
    r"|referred|performed|evaluated|followed|examined|discussed"
)
_SMALL = r"is|was|are|named|name|by|of|with|the|a|an|his|her|results?|to|and|number|no|#"
_GAP = rf"(?:\W+(?:{_SMALL})\b)*\W*$"


class _Cue(NamedTuple):
    """A label, and patterns for the text before and after it."""

    label: str
    before: str
    after: str = ""


_FACILITIES = (
    r"hospital|clinic|medical|health|nursing|rehab\w*|infirmary|center|hospice|emergency"
    r"|unit\b(?! n)|icu"
)

# The first cue that matches is used.
_CUES = (
    _Cue("DOCTOR", r"\b(?:Drs?|Prof)\b\.?\s*$"),
    _Cue("PATIENT", r"\b(?:Mrs?|Ms|Miss|Mister)\b\.?\s*$"),
    _Cue("DOCTOR", "", r",?\s*(?:M\.?\s?D|D\.?O|R\.?N|N\.?P|P\.?A|Ph\.?D)\b"),
    _Cue("HOSPITAL", "", rf"'?s?\s(?:[A-Z]\w+\s)?(?i:{_FACILITIES})"),
    _Cue("AGE", "", r"[\s-]*(?i:years?|y\.?\s?o\b|yrs?\b)"),
    _Cue("AGE", r"\bage[d:]?\W*$"),
    _Cue("PHONE", r"\b(?:phone|telephone|tel|cell|pager|beeper|fax|call|reached at|ext|extension)"
                   rf"{_GAP}"),
    _Cue("ID", r"\b(?:mrn?|m\.r|records?|account|acct|unit|job|accession|ssn|id|number|case"
                rf"|license|specimen|insurance|policy|serial|visit|encounter|reference)\b{_GAP}"),
    _Cue("ID", r"#\s*:?\s*$"),
    _Cue("DATE", r"\b(?:dates?|dob|d\.o\.b|dos|born on|birth|admitted on|admission|discharged? on"
                  rf"|since|until|dated|d/c'?d|as of|through|starting|due|scheduled for){_GAP}"),
    _Cue("DATE", r"(?:^|\s)(?:d|t|dd|dt)\s*:\s*$"),
    _Cue("DATE", r"\b(?:admit(?:ted)?|discharged?|dated?|signed|dictated|transcribed|service)"
                  r"\s*:\s*$"),
    _Cue("DATE", r"\b(?:on|around|before|after|in (?:early|late|mid)|last)\s+(?:the\s+)?$"),
    _Cue("LOCATION", r"\b(?:liv(?:es?|ed|ing)|resid(?:es?|ed|ing)|moved|born|native|travel\w*|trip"
                      r"|works?|worked|retired|visit(?:ing|ed)?|returned|home|house|raised|grew up)"
                      r"\s+(?:\w+\s+){0,3}?(?:in|at|to|from|of)\s+(?:the\s+)?$"),
    _Cue("LOCATION", r"\b(?:address|street|city|town|state|zip|lives? (?:at|on))\W*$"),
    _Cue("LOCATION", r"\[\w*\],\s*$"),
    _Cue("HOSPITAL", r"\b(?:transfer(?:red)?|discharged?|admitted|presented|referred|brought|dispo"
                      r"|returned?|seen|followed(?:[- ]up)?|follow[- ]up|hospitali[sz]ed|treated"
                      r"|performed|rehab|sent|stay(?:ed)?|facility|institution|hospital|clinic)\W+"
                      r"(?:\w+\s+){0,3}?(?:to|from|at|in|via)\s+(?:the\s+|an?\s+)?$"),
    _Cue("HOSPITAL", r"\b(?:facility|institution|hospital|clinic)\W*$"),
    _Cue("HOSPITAL", r"\b(?:at|via)\s+(?:the\s+)?$"),
    _Cue("PATIENT", rf"\b(?:patient|pt|{RELATIVES}|name)\b(?:'s)?{_GAP}"),
    _Cue("DOCTOR", rf"\b(?:{_DOCTORS})\b{_GAP}"),
    _Cue("DOCTOR", r"\bper\s+$"),
    _Cue("PATIENT", r"(?:^|\n)\s*re\s*:\s*$"),
    _Cue("LOCATION", r"\b(?:in|from|near|outside)\s+(?:the\s+)?$"),
    _Cue("DATE", r"\b(?:by|from|between|to|of|and|for)\s+$", r"\s+(?:the patient|and|to|until)\b"),
    _Cue("PATIENT", r"(?:^|[.!?]\s+|\n\s*)$", r"(?:'s)?\s+(?:is|was|has|had|\w+s|\w+ed)\b"),
)  # fmt: skip

_COMPILED = tuple((cue.label, re.compile(cue.before, re.I), re.compile(cue.after)) for cue in _CUES)


def label_of_context(text: str, start: int, end: int, among: Sequence[str] = ()) -> str | None:
    """Return the label of a placeholder, inferred from the words around it.

    Parameters
    ----------
    text : str
    start, end : int
        Half-open offsets of the placeholder.
    among : sequence of str, optional
        The labels to choose from. Default: the thesis's eight.

    Returns
    -------
    str or None
        None if no cue matches.
    """
    before = text[max(0, start - WINDOW) : start]
    after = text[end : end + WINDOW]
    for label, left, right in _COMPILED:
        if among and label not in among:
            continue
        if left.search(before) and right.match(after):
            return label
    return None
