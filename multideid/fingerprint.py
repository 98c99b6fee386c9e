"""A hash that tells one corpus from another without telling what is in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from multideid.document import Document

_DIGITS = 16


def corpus_fingerprint(documents: Iterable[Document]) -> str:
    """Return a hash over the ids, texts and spans of a corpus.

    The order of the documents and what formats carry besides do not matter.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    parts = sorted(_document_hash(document) for document in documents)
    return hashlib.sha256(b"".join(parts)).hexdigest()[:_DIGITS]


def _document_hash(document: Document) -> bytes:
    # JSON keeps the fields apart and can spell every Unicode string, lone surrogates too.
    content = json.dumps([document.id, document.text, document.spans])
    return hashlib.sha256(content.encode("ascii")).digest()
