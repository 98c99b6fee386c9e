"""The language of a note, by its most frequent words, if it is plainly another than expected."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice

LANGUAGES = {
    "en": "English", "es": "Spanish", "fr": "French", "de": "German", "pt": "Portuguese",
    "it": "Italian", "nl": "Dutch", "no": "Norwegian", "sv": "Swedish", "da": "Danish",
    "ca": "Catalan", "pl": "Polish", "fi": "Finnish", "tr": "Turkish",
}  # fmt: skip
"""The languages that are recognised, by code."""

# Function words, compiled by hand from general knowledge; clinical abbreviations of English
# notes, such as "per", "die", "con" and "sin", are left out of the other languages.
_WORDS = {
    "en": """
        the of and to in was with for on is at his her he she as by that this from has
        had were be an are or not no which have been will it there who after patient
        today but you your denies history without when would should could any all their
        they then than also
    """,
    "es": """
        el la los las de del que en un una y con por para se su al como más pero sus le
        ha lo fue es no muy sobre entre cuando hasta desde también durante después años
        paciente presenta presentaba refiere día días tras sin
    """,
    "fr": """
        le la les des du de et un une est dans pour par sur avec qui que pas au aux ce
        cette son sa ses il elle été sont plus nous vous mais ou où a ont était sans
        chez après patient patiente depuis
    """,
    "de": """
        der die das und ist mit von den dem des ein eine einer eines einem im zu auf für
        nicht sich auch bei nach wurde wird war wir sie er es als aus an noch über keine
        kein durch vor zum zur patientin
    """,
    "pt": """
        o a os as de do da dos das que em um uma e com por para se no na nos nas ao à é
        foi não mais como mas ou sem há anos sua seu após durante até apresenta paciente
        também
    """,
    "it": """
        il lo la i gli le di del della dei delle che e un una è con per da dal nel nella
        non si al alla sono stato stata anche più come ma anni dopo presso paziente ha
    """,
    "nl": """
        de het een en van is in op te met voor niet zijn dat die bij aan er werd was
        naar ook om als door over uit heeft hij zij nog geen wordt patiënt maar
    """,
    "no": """
        og i jeg det at en et den til er som på de med han av ikke der så var meg seg
        ble har om vi fra hun ved etter men ut også skal kan pasienten uten
    """,
    "sv": """
        och i att det som en på är av för med till den har de inte om ett han men var
        sig från vi så kan när efter vid hon utan också patienten ej
    """,
    "da": """
        og i at det er en til på som med af for de den ikke der var et har om han fra
        hun ved blev efter men også skal kan patienten uden
    """,
    "ca": """
        el la els les de del que en un una i amb per a se es al com més però seu seva va
        és no dels pacient amb sense anys
    """,
    "pl": """
        i w na z do że się nie jest o po od za przez dla oraz jak ale był była przy
        pacjent pacjentka bez
    """,
    "fi": """
        ja on ei se että oli hän joka mutta kun myös ovat tai potilas potilaan ilman
        jälkeen sekä kanssa
    """,
    "tr": """
        ve bir bu da de için ile olan olarak hasta daha çok en gibi sonra var
        yok olduğu
    """,
}
_PROFILES = {code: frozenset(words.split()) for code, words in _WORDS.items()}
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 4000  # Words.
_FEWEST_WORDS = 20
_FEWEST_HITS = 5
_SMALLEST_SHARE = 0.16
_LEAD = 3  # Times as many frequent words as of the model's language.
_FEWEST_LETTERS = 60
OTHER_SCRIPT = "another script"


def foreign_language(text: str, language: str) -> str | None:
    """Return the language of a note that is plainly not in a given language.

    Short notes, and notes of codes and abbreviations, are never plainly in
    another language.

    Parameters
    ----------
    text : str
    language : str
        A key of `LANGUAGES`.

    Returns
    -------
    str or None
        The name of the language, or `OTHER_SCRIPT` for text that is mostly in
        letters which the language does not have.

    Examples
    --------
    >>> foreign_language("Seen by Dr. Lee.", "en")
    """
    words = [match[0].lower() for match in islice(_WORD.finditer(text), _SAMPLE)]
    if _is_other_script(words):
        return OTHER_SCRIPT
    if len(words) < _FEWEST_WORDS:
        return None
    hits = {code: sum(word in known for word in words) for code, known in _PROFILES.items()}
    best = max(hits, key=lambda code: hits[code])
    enough = hits[best] >= max(_FEWEST_HITS, _SMALLEST_SHARE * len(words))
    if best == language or not enough or hits[best] < _LEAD * hits[language]:
        return None
    return LANGUAGES[best]


def _is_other_script(words: list[str]) -> bool:
    """Return whether most letters are not Latin."""
    letters = "".join(words)
    if letters.isascii() or len(letters) < _FEWEST_LETTERS:
        return False
    sample = letters[:_SAMPLE]
    latin = sum(c.isascii() or "LATIN" in unicodedata.name(c, "") for c in sample)
    # Greek letters, as for micrograms, are a few in any note.
    return latin < len(sample) / 2
