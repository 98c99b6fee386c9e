"""The child process of the Link Grammar library.

The library is C code that prints to stdout and stderr, exits on internal
errors, and is not thread-safe; a process of its own contains all that. This file
is run as a script that imports nothing of the package, so that it starts fast.

The protocol is lines of JSON. The first output is ``{"version": "5.12.0"}`` or
``{"problem": "..."}``. Each sentence on stdin is answered with ``null`` or
``{"words": [[start, end, word], ...], "links": [[left, right, label], ...]}``.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Iterator
from ctypes import c_char_p, c_int, c_size_t, c_void_p
from ctypes.util import find_library
from typing import Any, TextIO

_FILES = ("liblink-grammar.so.5", "liblink-grammar.5.dylib")
_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "linkgrammar_get_version": (c_char_p, []),
    "dictionary_create_lang": (c_void_p, [c_char_p]),
    "parse_options_create": (c_void_p, []),
    "parse_options_set_verbosity": (None, [c_void_p, c_int]),
    "parse_options_set_spell_guess": (None, [c_void_p, c_int]),
    "parse_options_set_max_null_count": (None, [c_void_p, c_int]),
    "parse_options_set_max_parse_time": (None, [c_void_p, c_int]),
    "parse_options_reset_resources": (None, [c_void_p]),
    "sentence_create": (c_void_p, [c_char_p, c_void_p]),
    "sentence_split": (c_int, [c_void_p, c_void_p]),
    "sentence_length": (c_int, [c_void_p]),
    "sentence_parse": (c_int, [c_void_p, c_void_p]),
    "sentence_num_valid_linkages": (c_int, [c_void_p]),
    "sentence_delete": (None, [c_void_p]),
    "linkage_create": (c_void_p, [c_size_t, c_void_p, c_void_p]),
    "linkage_delete": (None, [c_void_p]),
    "linkage_get_num_words": (c_size_t, [c_void_p]),
    "linkage_get_word": (c_char_p, [c_void_p, c_size_t]),
    "linkage_get_word_char_start": (c_size_t, [c_void_p, c_size_t]),
    "linkage_get_word_char_end": (c_size_t, [c_void_p, c_size_t]),
    "linkage_get_num_links": (c_size_t, [c_void_p]),
    "linkage_get_link_lword": (c_size_t, [c_void_p, c_size_t]),
    "linkage_get_link_rword": (c_size_t, [c_void_p, c_size_t]),
    "linkage_get_link_label": (c_char_p, [c_void_p, c_size_t]),
}
_WALLS = 2


class Library:
    """The C library with its English dictionary.

    Parameters
    ----------
    seconds : int
        Processor time allowed for one sentence.
    null_words : int
        Maximum number of words without links.
    most_words : int
        Maximum number of words of a sentence, as tokenized by the library.

    Raises
    ------
    OSError
        If the library or its English dictionary is missing.
    """

    def __init__(self, seconds: int, null_words: int, most_words: int) -> None:
        self._c = _load()
        self._most = most_words + _WALLS
        self._dictionary = self._c.dictionary_create_lang(b"en")
        if not self._dictionary:
            raise OSError("its English dictionary is missing")
        self._options = self._c.parse_options_create()
        self._c.parse_options_set_verbosity(self._options, 0)
        self._c.parse_options_set_spell_guess(self._options, 0)
        self._c.parse_options_set_max_null_count(self._options, null_words)
        self._c.parse_options_set_max_parse_time(self._options, seconds)

    def version(self) -> str:
        """Return the library's version."""
        text: str = self._c.linkgrammar_get_version().decode("ascii")
        return text.removeprefix("link-grammar-")

    def parse(self, sentence: str) -> dict[str, list[list[Any]]] | None:
        """Return the words and links of the first linkage, None if there is none."""
        c, options = self._c, self._options
        handle = c.sentence_create(sentence.encode("utf-8", "replace"), self._dictionary)
        try:
            c.parse_options_reset_resources(options)
            if c.sentence_split(handle, options) < 0 or c.sentence_length(handle) > self._most:
                return None
            if c.sentence_parse(handle, options) < 1 or c.sentence_num_valid_linkages(handle) < 1:
                return None
            return self._first_linkage(handle)
        finally:
            c.sentence_delete(handle)

    def _first_linkage(self, sentence: int) -> dict[str, list[list[Any]]] | None:
        linkage = self._c.linkage_create(0, sentence, self._options)
        if not linkage:
            return None
        try:
            return {"words": self._words(linkage), "links": self._links(linkage)}
        finally:
            self._c.linkage_delete(linkage)

    def _words(self, linkage: int) -> list[list[Any]]:
        c = self._c
        return [
            [
                c.linkage_get_word_char_start(linkage, n),
                c.linkage_get_word_char_end(linkage, n),
                c.linkage_get_word(linkage, n).decode("utf-8", "replace"),
            ]
            for n in range(c.linkage_get_num_words(linkage))
        ]

    def _links(self, linkage: int) -> list[list[Any]]:
        c = self._c
        return [
            [
                c.linkage_get_link_lword(linkage, n),
                c.linkage_get_link_rword(linkage, n),
                c.linkage_get_link_label(linkage, n).decode("ascii"),
            ]
            for n in range(c.linkage_get_num_links(linkage))
        ]


def _load() -> ctypes.CDLL:
    for name in _names():
        try:
            return _with_signatures(ctypes.CDLL(name))
        except OSError:
            continue
    raise OSError("the library is not installed")


def _names() -> Iterator[str]:
    yield from _FILES
    # Last, because it runs other programs.
    found = find_library("link-grammar")
    if found:
        yield found


def _with_signatures(library: ctypes.CDLL) -> ctypes.CDLL:
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def _redirect_output() -> TextIO:
    """Return the original stdout, and redirect stdout and stderr to nowhere."""
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return out


def _disable_core_dumps() -> None:
    """Disable core dumps, which would contain sentences."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def serve(seconds: int, null_words: int, most_words: int) -> None:
    """Answer the sentences on stdin until it is closed."""
    out = _redirect_output()
    _disable_core_dumps()
    try:
        library = Library(seconds, null_words, most_words)
    except (OSError, AttributeError) as error:
        print(json.dumps({"problem": str(error)}), file=out, flush=True)
        return
    print(json.dumps({"version": library.version()}), file=out, flush=True)
    for line in sys.stdin:
        print(json.dumps(library.parse(json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    serve(*map(int, sys.argv[1:]))
