"""Names of patients, relatives and staff: thesis 2.5.1, with labels and titles after."""

from __future__ import annotations

import re
from collections.abc import Iterator

from multideid.base_systems.mimic.lexicons import (
    NOT_NAMES,
    NOT_PERSONS,
    can_be_name,
    first_names,
    is_common,
    is_name,
)
from multideid.base_systems.mimic.patterns import (
    INITIAL,
    LINE_START,
    NAME_WORD,
    PARTICLE,
    UPPER,
    WRAP,
)
from multideid.base_systems.mimic.persons import (
    any_word,
    expected,
    is_person,
    name_words,
    plausible,
    read_person,
)
from multideid.document import Span
from multideid.text.lexicons import lexicon
from multideid.text.phrases import normalise

_PATIENT_TITLE = re.compile(
    rf"(?<![\w-])(?:(?:Mr|Mrs|MR|MRS|Ms|Messrs)\b\.?|MS\.|(?:Miss|Mister|Madam|MISS)\b){WRAP}"
    rf"(?={PARTICLE}[ \t]|[{UPPER}])"
)
_DOCTOR_TITLE = re.compile(
    rf"(?<![\w-])(?:(?i:drs?|prof)\b\.?{WRAP}?|(?i:doctors?|professor|nurse){WRAP}(?![Pp]ract))"
    rf"(?={PARTICLE}[ \t]|[{UPPER}])"
)
_LOWER_TITLE = re.compile(
    r"(?<![\w-])(?P<title>mr|mrs|ms|dr)\b\.?[ \t]{1,2}(?P<name>[a-z]{3,20})\b"
)
_MOST_JOINED = 12
_AND = re.compile(rf"[ \t]{{0,2}}(?:,[ \t]{{0,2}}(?:and|&)?|and|&|/){WRAP}(?=[{UPPER}])")

_RELATIVE = re.compile(
    r"(?<![\w-])(?i:wife|husband|spouse|daughter|son|mother|father|sister|brother|mom|dad|aunt"
    r"|uncle|niece|nephew|cousin|grand(?:mother|father|son|daughter)|fianc[eé]e?|girlfriend"
    r"|boyfriend|partner|friend|guardian|caregiver|next[ ]of[ ]kin|contact|proxy|(?:son|daughter"
    r"|sister|brother|mother|father)-in-law)\b"
    rf"(?P<link>,?[ \t]{{1,2}}(?:(?:is[ \t])?(?:named|called)|by[ \t]the[ \t]name[ \t]of"
    rf"|[(])?[ \t]{{0,2}}"
    rf"|[ \t]?[(:,][ \t]{{0,2}}|[ \t]is[ \t])(?=[{UPPER}])"
)
_PATIENT_LABEL = re.compile(
    rf"(?:(?<!\w)(?i:(?:patient|pt)['\u2019]?s?[ \t]{{1,2}}name|name[ \t]of[ \t]patient"
    rf"|last[ \t]name|first"
    rf"[ \t]name|surname)|{LINE_START}[ \t]{{0,8}}(?i:name|patient|pt|client))"
    rf"[ \t]{{0,3}}[:=][ \t,]{{0,4}}(?=[{UPPER}])"
)
# "RE: Left Knee Pain": the subject of a letter is not always a person.
_SUBJECT_LABEL = re.compile(
    rf"{LINE_START}[ \t]{{0,8}}(?i:re|regarding)[ \t]{{0,3}}:[ \t]{{0,4}}(?=[{UPPER}])"
)
_DOCTOR_LABEL = re.compile(
    r"(?<!\w)(?i:attending(?:[ \t](?:physician|md|surgeon|doctor))?|pcp|primary[ \t]care"
    r"(?:[ \t](?:physician|provider"
    r"|doctor))?|(?:referring|consulting|admitting|ordering|dictating|requesting|treating"
    r"|primary|family"
    r"|discharge|responsible)[ \t](?:physician|provider|md|doctor|surgeon|clinician)|physician"
    r"|provider"
    r"|surgeons?|co-surgeon|assistants?(?:[ \t]surgeon)?|first[ \t]assistant|anesthesiologists?"
    r"|resident|fellow|intern"
    r"|radiologist|pathologist|cardiologist|endoscopist|consultants?|nurse|author|cc|dictator"
    r"|scribe"
    r"|(?:electronically[ \t])?(?:dictated|signed|transcribed|reviewed|verified|approved"
    r"|authenticated"
    r"|performed|interpreted|read|prepared|entered|co-?signed|completed)"
    r"(?:[ \t]electronically)?[ \t]by"
    r"|referred[ \t]by|dictated|d/t[ \t]by)[ \t]{0,3}[:=][ \t,]{0,4}"
    rf"(?:(?i:drs?)\b\.?[ \t]{{0,2}})?(?=[{UPPER}])"
)
_FIELD_END = re.compile(r"[ \t]{0,3}(?:\Z|[\r\n]|[ \t]{2}|,[ \t]{0,2}[MDRPN]\.?[DONPh])")
_SIGNED_BY = re.compile(
    r"(?<!\w)(?i:(?:dictated|signed|transcribed|cosigned|authenticated|referred|seen|evaluated"
    rf"|paged|accepted)(?:[ \t]electronically)?[ \t]by)[ \t]{{1,2}}(?=[{UPPER}])"
)

# "MD" and "RN" speak for themselves; "DO", "PA", "OT" are words or states without a comma or dots.
_CREDENTIAL = re.compile(
    r"[ \t]{0,3},?[ \t]{0,3}(?<![\w.])(?:M\.[ ]?D\.?|MD|R\.N\.?|RN|Ph\.?[ ]?D\.?|D\.O\.|N\.P\."
    r"|P\.A\.(?:-C\.?)?"
    r"|PA-C|LPN|CRNA|ARNP|APRN|FNP|DPM|DDS|DMD|PsyD|Pharm\.?D\.?|LCSW|LICSW|MSW|MBBS|O\.D\."
    r"|FACS|FACC"
    r"|(?<=, )(?:DO|NP|DPT|CNM|PNP))(?!\w)(?!-[a-z])"
)
_NAME_BEFORE = re.compile(
    rf"(?<![\w'\u2019-])(?:(?:{INITIAL}|{PARTICLE}(?=[ \t])"
    rf"|{NAME_WORD},?)[ \t]{{0,3}}){{0,5}}{NAME_WORD}"
    rf"(?:[ \t]{{1,2}}{INITIAL})?(?:,?[ ](?:Jr|Sr|II|III|IV)\.?)?\Z"
)
_LOOK_BACK = 90

_SUBJECT = re.compile(
    rf"(?:{LINE_START}|(?<=[.!?:,;\]\n][ ])|(?<=[.!?][ ][ ]))"
    rf"(?P<name>(?:{INITIAL}[ ]){{0,2}}{NAME_WORD}(?:[ ](?:{INITIAL}|{NAME_WORD}"
    rf"|{PARTICLE}[ ]{NAME_WORD}"
    r")){0,3})[ ]{1,2}(?:(?P<patient>"
    r"is[ ]an?[ ](?:[0-9]|(?:very[ ])?(?:pleasant|delightful|nice|lovely|well-known|healthy"
    r"|retired)\b"
    r"|[a-z]{3,12}[ -](?:year|man|woman|male|female|gentleman|lady|individual|person)\b)"
    r"|denie[sd]|complain(?:s|ed)[ ]of|stated?s?[ ]that|tolerated[ ](?:the|this|all|it|general)"
    r"|underwent"
    r"|was[ ](?:counsell?ed|admitted[ ]to|discharged[ ](?:to|home)|advised|born|educated|consented)"
    r"|has[ ]a[ ](?:past[ ])?history|lives[ ](?:in|with|alone)|smokes|drinks|understands"
    r"|agree[sd])\b"
    r"|(?:reports|presents|presented|returns|returned|was[ ](?:seen|taken|brought|referred|told"
    r"|transferred"
    r"|instructed|informed|asked|admitted|discharged|extubated)|has[ ](?:been|had|not|done|no)"
    r"|had[ ](?:been|no)"
    r"|does[ ](?:not|have)|will[ ](?:follow|return|need|continue)|is[ ](?:here|doing|being)"
    r"|admits|endorses"
    r"|received|feels|continues|continued|did[ ](?:well|not)|remains|wishes|wants|would[ ]like"
    r"|works)\b)"
)
_BARE_NAME = re.compile(
    rf"(?<![\w.'\u2019-])(?P<name>(?P<first>{NAME_WORD}|{INITIAL})[ ](?:{INITIAL}[ ]"
    rf"|{NAME_WORD}[ ])?"
    rf"(?:{PARTICLE}[ ])?(?P<last>{NAME_WORD}))"
)
_BACTERIA = frozenset(
    """coli difficile diff aureus pneumoniae pylori bili fib flutter albicans fragilis faecalis
    faecium influenzae pyogenes epidermidis cloacae marcescens trachomatis cath tube wave
    """.split()
)


def find_titled_names(text: str) -> Iterator[Span]:
    """Find names behind a title, and the names joined to them."""
    for pattern, label in ((_DOCTOR_TITLE, "DOCTOR"), (_PATIENT_TITLE, "PATIENT")):
        for match in pattern.finditer(text):
            plural = match.group().lower().startswith(("drs", "doctors", "messrs"))
            yield from _read_joined(text, match.end(), label, _MOST_JOINED if plural else 1)
    for match in _LOWER_TITLE.finditer(text):
        if is_name(match["name"]) and not is_common(match["name"]):
            yield Span(*match.span("name"), "DOCTOR" if match["title"] == "dr" else "PATIENT")


def _read_joined(text: str, start: int, label: str, most: int) -> Iterator[Span]:
    """Read "A, B and C": at most so many names."""
    for _ in range(most):
        end = read_person(text, start, expected)
        if end == start:
            return
        yield Span(start, end, label)
        joined = _AND.match(text, end)
        if joined is None:
            return
        start = joined.end()


def find_names_before_credentials(text: str) -> Iterator[Span]:
    """Find names before "M.D.", "RN" and the like."""
    after_last = 0
    for match in _CREDENTIAL.finditer(text):
        base = max(after_last, match.start() - _LOOK_BACK)
        after_last = match.end()
        before = _NAME_BEFORE.search(text[base : match.start()])
        if before is None:
            continue
        start = _skip_words(before.group())
        phrase = before.group()[start:]
        if name_words(phrase):
            yield Span(base + before.start() + start, match.start(), "DOCTOR")


def _skip_words(phrase: str) -> int:
    """Return where the name begins: behind the last word that is never one."""
    start = 0
    for match in re.finditer(rf"{NAME_WORD},?[ \t]{{0,3}}", phrase):
        word = match.group().rstrip(" \t,")
        last = match.end() == len(phrase) and start < match.start()
        if (
            (normalise(word) in NOT_NAMES and not last)
            or ("," in match.group() and not is_name(word))
            or (not can_be_name(word) and match.end() < len(phrase))
        ):
            start = match.end()
    return start


def find_labelled_names(text: str) -> Iterator[Span]:
    """Find names behind "Attending:", "Patient Name:", "Dictated by" and the like."""
    for match in _PATIENT_LABEL.finditer(text):
        yield from _read_labelled(text, match.end(), "PATIENT")
    for match in _SUBJECT_LABEL.finditer(text):
        end = read_person(text, match.end(), plausible, comma=True)
        phrase = text[match.end() : end]
        if _is_signature(phrase) or _has_name_form(phrase, name_words(phrase)):
            yield Span(match.end(), end, "PATIENT")
    for match in _DOCTOR_LABEL.finditer(text):
        # "CC:" also stands for the chief complaint.
        if match.group()[:2].lower() != "cc" or _is_signature(_phrase_at(text, match.end())):
            yield from _read_labelled(text, match.end(), "DOCTOR")
    for match in _SIGNED_BY.finditer(text):
        end = read_person(text, match.end(), plausible)
        if _is_signature(text[match.end() : end]):
            yield Span(match.end(), end, "DOCTOR")


def _phrase_at(text: str, start: int) -> str:
    return text[start : read_person(text, start, plausible)]


def _is_signature(phrase: str) -> bool:
    """Tell whether a phrase is a full name, or a single word that the census knows."""
    words = name_words(phrase)
    if _begins_with_first_name(phrase):
        return True
    return is_person(phrase) and (len(phrase) > len(words[0]) or is_name(words[0]))


def _read_labelled(text: str, start: int, label: str) -> Iterator[Span]:
    end = _end_of_labelled(text, start)
    words = name_words(text[start:end])
    alone = len(words) == 1 and end - start == len(words[0])
    if words and not (alone and is_common(words[0])):
        yield Span(start, end, label)


def _end_of_labelled(text: str, start: int) -> int:
    """Read words of any kind if they fill the field, else words that can be names."""
    end = read_person(text, start, any_word, comma=True)
    if len(name_words(text[start:end])) > 1 and _FIELD_END.match(text, end):
        return end
    return read_person(text, start, plausible, comma=True)


def find_relatives(text: str) -> Iterator[Span]:
    """Find the names of relatives: "wife, Susan Smith", "daughter Maria"."""
    for match in _RELATIVE.finditer(text):
        end = _end_of_relative(text, match.end())
        if _is_relative(match, text[match.end() : end]):
            yield Span(match.end(), end, "PATIENT")


def _is_relative(match: re.Match[str], phrase: str) -> bool:
    words = name_words(phrase)
    if not words:
        return False
    listed = match["link"].startswith(",") and len(words) > 1
    first_name = match.group().islower() and normalise(words[0]) in first_names()
    return listed or first_name or is_person(phrase) or _begins_with_first_name(phrase)


def _end_of_relative(text: str, start: int) -> int:
    """Read two capitalised words as a name, or one that may be one."""
    end = read_person(text, start, expected)
    if len(name_words(text[start:end])) > 1:
        return end
    return read_person(text, start, plausible)


def _begins_with_first_name(phrase: str) -> bool:
    words = name_words(phrase)
    return len(words) > 1 and normalise(words[0]) in first_names()


def find_subjects(text: str) -> Iterator[Span]:
    """Find names that do what only patients do: "Maria Lopez denies pain"."""
    for match in _SUBJECT.finditer(text):
        words = name_words(match["name"])
        if all(can_be_name(word) for word in words) and _is_subject(match, words):
            yield Span(*match.span("name"), "PATIENT")


def _is_subject(match: re.Match[str], words: list[str]) -> bool:
    """Ask the more of a name, the less its verb says of a patient."""
    if match["patient"]:
        return True
    if len(match["name"].split()) > 1:
        return is_person(match["name"]) or _has_name_form(match["name"], words)
    return _is_surname(words[0])


def _has_name_form(phrase: str, words: list[str]) -> bool:
    """Tell whether words that are common ones are written as a name all the same."""
    has_initial = len(phrase.split()) > len(words)
    return (bool(words) and has_initial) or _begins_with_first_name(phrase)


def find_bare_names(text: str) -> Iterator[Span]:
    """Find "First Last" and "F. Last" that the census knows and no dictionary does."""
    for match in _BARE_NAME.finditer(text):
        first, last = match["first"], match["last"]
        words = {normalise(word) for word in name_words(match["name"])}
        if words & (NOT_PERSONS | _BACTERIA | NOT_NAMES | lexicon("months")):
            continue
        initial = first.endswith(".") and is_name(last) and not _is_word(last)
        if initial or (normalise(first) in first_names() and _is_surname(last)):
            yield Span(*match.span("name"), "PATIENT")


def _is_word(word: str) -> bool:
    return normalise(word) in lexicon("common_words")


def _is_surname(word: str) -> bool:
    return is_name(word) and not is_common(word)
