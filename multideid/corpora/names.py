"""Document ids as file names, and back.

An id may come from anywhere: with ``..``, a leading slash or a NUL in it, it
must neither leave the output folder nor collide with another. What no file
name can hold is written as ``%`` and two hexadecimal digits.
"""

from __future__ import annotations

import os
import re

# Besides characters that are no part of a name: a "." or "/" that begins a
# segment (hidden files, "..", empty segments), a last "/", and a "%" that
# would be read as an escape.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f\\]|(?:^|(?<=/))[./]|/\Z|%(?=(?:[01][0-9A-F]|7F|5C|2[EF5]))")
_ESCAPE = re.compile(r"%([01][0-9A-F]|7F|5C|2[EF5])")

LONGEST_NAME = 255
"""Bytes that common file systems allow in a file's name."""


def name_of_id(document_id: str, suffix: str) -> str:
    """Return the relative file name for a document.

    Slashes inside an id are sub-folders, so that a corpus keeps its layout.

    Parameters
    ----------
    document_id : str
    suffix : str
        Such as ``".txt"``.

    Returns
    -------
    str
        With ``/`` between segments, none of which is empty or begins with ".".

    Raises
    ------
    ValueError
        If the id is empty, too long, or holds characters that no file name can.

    Examples
    --------
    >>> name_of_id("ward/7", ".txt"), name_of_id("../7", ".txt")
    ('ward/7.txt', '%2E./7.txt')
    """
    if not document_id:
        raise ValueError("an empty id cannot be a file name")
    name = _UNSAFE.sub(lambda m: f"%{ord(m[0]):02X}", document_id) + suffix
    try:
        longest = max(len(os.fsencode(segment)) for segment in name.split("/"))
    except UnicodeEncodeError:
        raise ValueError("an id with a lone surrogate cannot be a file name") from None
    if longest > LONGEST_NAME:
        raise ValueError(f"an id of more than {LONGEST_NAME} bytes cannot be a file name")
    return name


def id_of_name(name: str) -> str:
    """Return the id behind a relative file name without its suffix."""
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)), name)
