"""RTF's control words, by what they say about the text that follows, and its encodings."""

from __future__ import annotations

import codecs

CHARACTERS = {
    "emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018", "rquote": "\u2019",
    "ldblquote": "\u201c", "rdblquote": "\u201d", "bullet": "\u2022", "emspace": "\u2003",
    "enspace": "\u2002", "qmspace": "\u2005", "~": "\u00a0", "_": "-", "-": "", "{": "{", "}": "}",
    "\\": "\\",
}  # fmt: skip
BREAKS = {"line": "\n", "tab": "\t", "cell": "\t", "nestcell": "\t", "lbr": "\n"}
PARAGRAPHS = frozenset("par sect page row nestrow column \r \n".split(" "))
NO_TEXT = frozenset(
    """
    fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator pntext sn
    latentstyles panose falt fname pgdsctbl mmathPr xmlnstbl filetbl fontemb fontfile
    themedata colorschememapping datastore pict objdata blipuid picprop shppict nonshppict
    wgrffmtfilter listname pntxta pntxtb bkmkend
    """.split()
)
"""Destinations without text that people write."""

NAMES = frozenset("stylesheet bkmkend listname filetbl fname falt pgdsctbl".split())
"""Those of them with names, which people may have given."""

EMPTIED = frozenset("pict themedata colorschememapping datastore blipuid fontfile".split())
REFUSED = frozenset("object objdata objemb objlink bin".split())
TIMES = frozenset("creatim revtim printim buptim".split())
NO_TIME = {"yr": 1900, "mo": 1, "dy": 1, "hr": 0, "min": 0, "sec": 0}
EDITED = frozenset("revdttm revdttmdel crdate".split())
PROPERTIES = {
    "author": "DOCTOR",
    "operator": "DOCTOR",
    "manager": "DOCTOR",
    "company": "HOSPITAL",
    "atnauthor": "DOCTOR",
    "atnid": "DOCTOR",
    "revtbl": "DOCTOR",
}
APART = frozenset(
    """
    title subject keywords comment doccomm hlinkbase category fldinst header headerl headerr
    headerf footer footerl footerr footerf footnote annotation shptxt sv docvar bkmkstart
    userprops propname staticval
    """.split()
).union(PROPERTIES)
"""Destinations whose text does not belong to the paragraph around them."""

# Of others, numbers are no text.
WRITTEN = APART - {"sv"}
CHARSETS = {
    0: "cp1252", 2: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gbk",
    136: "big5", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256",
    186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip


def encoded(text: str, fallback: int) -> str:
    """Return a text as RTF writes it.

    Parameters
    ----------
    text : str
    fallback : int
        Number of characters that follow each ``\\uN`` for readers without Unicode.
    """
    return "".join(_written(character, fallback) for character in text)


def _written(character: str, fallback: int) -> str:
    if character in "\\{}":
        return f"\\{character}"
    if character == "\n":
        return "\\line "
    if character.isascii():
        return character
    units = memoryview(character.encode("utf-16-le", "surrogatepass")).cast("H")
    return "".join(f"\\u{unit - 65536 * (unit > 32767)} {'?' * fallback}" for unit in units)


def codec_of(name: str) -> str:
    """Return Python's name of a code page; that of Windows-1252 for one it does not know."""
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"
