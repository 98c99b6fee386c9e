"""Surrogates of e-mail and web addresses."""

from __future__ import annotations

import re

from multideid.redact.invented.numbers import same_shape
from multideid.redact.invented.surrogate_map import SurrogateMap
from multideid.redact.invented.vocabulary import WordKind
from multideid.redact.spelling import fold

_URL = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*:/+)?(?P<host>[^/?#:]*)(?P<rest>.*)", re.I | re.S)
_DOT = r"\s{0,3}[\[({]\s{0,3}dot\s{0,3}[\])}]\s{0,3}|\s{1,3}dot\s{1,3}"
_USER = r"[^\s@<>\"();:,\[{]"
_EMAIL = re.compile(
    # It begins where a run of its characters does, and takes all of it: time stays linear.
    rf"(?P<scheme>mailto:)?(?<!{_USER})(?P<user>{_USER}++)"
    r"(?P<at>\s?@\s?|\s{0,3}[\[({]\s{0,3}(?:at|@)\s{0,3}[\])}]\s{0,3}|\s{1,3}at\s{1,3})"
    rf"(?P<host>[\w.\-]*[\w\-](?:(?P<dot>{_DOT})[\w\-]+)*)",
    re.I,
)
"""An address, also as it is dictated: joe at mail dot org."""
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_KEPT_ENDS = re.compile(r"\.(?:html?|php|aspx?|jsp|pdf|xml|txt)\b", re.I)
_WWW = re.compile(r"www\d?\.", re.I)
_SHORTEST_NAME = 3
_LONGEST_KEPT = 4  # Letters; longer top-level domains are words.


class Contacts:
    """The e-mail and web addresses of one document.

    Parameters
    ----------
    surrogate_map : SurrogateMap
        Gives names in addresses the same surrogates as elsewhere.
    names : mapping of str to WordKind
        Kinds of the folded words in the names of the document.
    host : str, optional
        The host of all e-mail addresses. Default: the surrogate of each.
    """

    def __init__(
        self, surrogate_map: SurrogateMap, names: dict[str, WordKind], host: str | None = None
    ) -> None:
        self._map = surrogate_map
        self._names = names
        self._mail_host = host

    def email(self, text: str) -> str:
        """Replace the words and digits of e-mail addresses, except the top-level domain."""
        # Not with `splice`: surrogates of words depend on the order in which they are asked for.
        pieces, done = [], 0
        for match in _EMAIL.finditer(text):
            pieces += [self._words(text[done : match.start()]), match["scheme"] or ""]
            host = self._mail_host or self._host(match["host"])
            if match["dot"]:
                host = host.replace(".", match["dot"])
            pieces.append(f"{self._words(match['user'])}{match['at']}{host}")
            done = match.end()
        return "".join([*pieces, self._words(text[done:])])

    def url(self, text: str) -> str:
        """Replace the words and digits of a web address, except scheme, www and suffixes."""
        match = _URL.match(text)
        assert match is not None  # All groups are optional.
        scheme, host, rest = match["scheme"] or "", match["host"], match["rest"]
        www = found[0] if (found := _WWW.match(host)) else ""
        return f"{scheme}{www}{self._host(host[len(www) :])}{self._path(rest)}"

    def _host(self, host: str) -> str:
        name, _, top = host.rpartition(".")
        if not name or not top.isalpha() or len(top) > _LONGEST_KEPT:
            return self._words(host)
        return f"{self._words(name)}.{top}"

    def _path(self, path: str) -> str:
        end = next(iter(_KEPT_ENDS.finditer(path)), None)
        if end is None:
            return self._words(path)
        return f"{self._words(path[: end.start()])}{end[0]}{self._words(path[end.end() :])}"

    def _words(self, text: str) -> str:
        new = _LETTERS.sub(lambda match: self._word(match[0]), text)
        draw = self._map.draw("digits of an address", fold(text))
        return _DIGITS.sub(lambda match: same_shape(match[0], draw), new)

    def _word(self, word: str) -> str:
        folded = fold(word)
        if folded in self._names:
            return self._name(word, folded)
        # jalder is J. Alder.
        if folded[1:] in self._names and len(folded) > _SHORTEST_NAME:
            return f"{self._map.letter(word[0])}{self._name(word[1:], folded[1:])}"
        if len(word) == 1:
            return self._map.letter(word)
        return self._plain(self._map.word(WordKind.INSTITUTION, word))

    def _name(self, word: str, folded: str) -> str:
        kind = self._names[folded]
        if kind is WordKind.FIRST:
            kind = self._map.vocabulary.sex(folded)
        return self._plain(self._map.word(kind, word))

    def _plain(self, word: str) -> str:
        return fold(word) if word.islower() else word
