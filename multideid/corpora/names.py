"""Convert document ids to file names and back.

Ids are not trusted: one with ``..``, a leading slash or a NUL must neither leave
the output folder nor collide with another. Unsafe characters are escaped as ``%``
and two hexadecimal digits.
"""

from __future__ import annotations

import os
import re

# Unsafe are control characters and backslashes; a "." or "/" that begins a
# segment (hidden files, "..", empty segments); a trailing "/"; and a "%" that
# would be read as an escape.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f\\]|(?:^|(?<=/))[./]|/\Z|%(?=(?:[01][0-9A-F]|7F|5C|2[EF5]))")
_ESCAPE = re.compile(r"%([01][0-9A-F]|7F|5C|2[EF5])")

LONGEST_NAME = 255
"""Maximum length of a file name in common file systems, in bytes."""


def name_of_id(document_id: str, suffix: str) -> str:
    """Return the relative file name of a document.

    Slashes in an id become subfolders, so that a corpus keeps its layout.

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
        If the id is empty, too long or contains a lone surrogate.

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
    """Return the document id for a relative file name without its suffix."""
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)), name)
