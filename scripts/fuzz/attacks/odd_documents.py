"""Odd documents: random Unicode, mutated notes, long lines, and mutated structured files."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

from multideid.samples import sample_corpus

_PIECES = (
    *"aZé0-./,:;()<>[]{}&=!?'\"@#_*|\\^~+% \t\n\r\v\f\x1c\x1e\x1f\x85\x00\x7f",
    *("\u2028", "\u00a0", "\u200b", "\ufeff", "\u0301", "\u20dd", "\U0001d400", "\U0001f468\u200d"),
    *("\ud800", "\udc00", "ß", "ǅ", "İ", "ﬁ", "ª", "٣", "中文", "שלום", "\u202e", "\r\n", "\n\n"),
    *(
        "Dr. ",
        "Lee",
        "O'Brien",
        "Mr. Abel Baker",
        "3/14/2007",
        "617-555-0143",
        "MRN 44719",
        "93 yo",
    ),
    *("Larkfield General Hospital", "Springfield", "12 Elm St", "a@b.org", "Name:", "93 yo"),
    *("1" * 30, "x" * 70, "<!--", "-->", "[**", "**]", "<NAME>", "&#10;", "\x1f\x1f"),
)
_LONG = ("a ", "1", " ", "<!--", "Dr. ", "\n", "-", "Lee, ", "\u0301", "(", "aB")
_NOTES = [note.text for note in sample_corpus(200)]

_FILES: tuple[tuple[str, str], ...] = (
    ("a.hl7", "MSH|^~\\&|A|B|C|D|20240101||ADT^A01|1|P|2.5\rPID|1||44719^^^H||LEE^ANN^Q||19310203|F"
     "|||12 ELM ST^^BOSTON^MA^02114||617-555-0143\rNTE|1||Seen by Dr. Alder\\.br\\on 3/14/2007\r"),
    ("a.json", json.dumps({"resourceType": "Patient", "id": "44719", "birthDate": "1931-02-03",
     "name": [{"family": "Lee", "given": ["Ann"]}], "telecom": [{"value": "617-555-0143"}],
     "text": {"status": "generated", "div": "<div>Seen by Dr. Alder</div>"}})),
    ("b.json", json.dumps([{"note": "Dr. \u00c9l\u00e9 \\ \"Lee\" on 3/14/2007", "n": 44719.5}])),
    ("a.jsonl", '{"id": "1", "text": "Dr. Lee, 93"}\n{"id": "2", "text": "MRN 44719\\u000a"}\n'),
    ("a.xml", '<?xml version="1.0"?>\n<note by="Dr. Lee"><!-- Ann -->Seen <b>by</b> Dr. &amp; Alder'
     "<![CDATA[ 3/14/2007 ]]></note>"),
    ("b.xml", "<deIdi2b2><TEXT><![CDATA[Seen by Dr. Lee]]></TEXT><TAGS>"
     '<NAME id="P0" start="12" end="15" text="Lee" TYPE="DOCTOR" comment="" /></TAGS></deIdi2b2>'),
    ("c.xml", '<ROOT><RECORD ID="1"><TEXT>'
     'by Dr. <PHI TYPE="DOCTOR">Lee</PHI></TEXT></RECORD></ROOT>'),
    ("d.xml", '<ClinicalDocument xmlns="urn:hl7-org:v3"><recordTarget><patientRole>'
     '<id extension="44719" root="1.2"/><patient><name>'
     '<given>Ann</given><family>Lee</family></name></patient>'
     "</patientRole></recordTarget><component><text>Seen by Dr. Alder</text></component>"
     "</ClinicalDocument>"),
    ("a.rtf", "{\\rtf1\\ansi {\\fonttbl{\\f0 Arial;}}\\f0 Seen by Dr. Lee\\par on 3/14/2007 "
     "\\'e9 \\u233?}"),
)  # fmt: skip
_MARKS = ("<", ">", '"', "\\", "|", "^", "{", "}", "&", "\r", "\n", "]]>", "-->", "\\u0000", "\x00")


def odd_text(seed: int) -> str:
    """Return a text; equal seeds give equal texts."""
    draw = Random(seed)
    made: Callable[[Random], str] = draw.choices(
        (_random, _mutated, _unicode, _long), (60, 30, 9.9, 0.1)
    )[0]
    return made(draw)


def _random(draw: Random) -> str:
    return "".join(draw.choices(_PIECES, k=min(int(draw.expovariate(1 / 12)), 200)))


def _mutated(draw: Random) -> str:
    """Return a passage of a sample note with pieces put in, left out and doubled."""
    note = draw.choice(_NOTES)
    start = draw.randrange(len(note))
    text = note[start : start + int(draw.expovariate(1 / 150))]
    for _ in range(draw.randrange(4)):
        place, length = draw.randrange(len(text) + 1), draw.randrange(12)
        new = draw.choice((draw.choice(_PIECES), "", text[place : place + length] * 2))
        text = text[:place] + new + text[place + length :]
    return text


def _unicode(draw: Random) -> str:
    top = draw.choice((0x80, 0x250, 0x3000, 0x110000))
    return "".join(chr(draw.randrange(top)) for _ in range(draw.randrange(60)))


def _long(draw: Random) -> str:
    length = draw.randrange(1_000, 20_000)
    before: str = draw.choice(("", "Dr. Lee "))
    repeated: str = draw.choice(_LONG) * length
    after: str = draw.choice(_PIECES)
    return before + repeated + after


def odd_file(seed: int) -> tuple[str, bytes]:
    """Return name and content of a structured file, mutated a little or not at all."""
    draw = Random(seed)
    name, text = draw.choice(_FILES)
    for _ in range(draw.choice((0, 1, 1, 2, 5))):
        place, length = draw.randrange(len(text) + 1), draw.choice((0, 0, 1, 3, 20))
        new = draw.choice((draw.choice(_MARKS), draw.choice(_PIECES), "", text[place:][:30]))
        text = text[:place] + new + text[place + length :]
    return name, text.encode("utf-8", "surrogatepass")
