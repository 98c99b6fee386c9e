"""Mention replacement: copies of training documents with other PHI of the same labels.

Learners of few notes remember the names that these hold. In a copy, each mention is
replaced by another one of its label in the training documents, so that what is learned of
words around PHI does not depend on the PHI itself, and the other way around (Dai and Adel
2020, "An analysis of simple data augmentation for named entity recognition").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from multideid.document import Document, Span
from multideid.redact.redaction import rewrite
from multideid.text.bio import TokenLabels, decode_bio, encode_bio, phi_labels
from multideid.text.table import TokenTable

_Kind = tuple[str, bool, bool]
"""A label, and whether mentions have letters and digits."""


def with_copies(
    tokens: TokenTable, labels: TokenLabels, copies: int, seed: int
) -> tuple[TokenTable, TokenLabels]:
    """Return training documents, followed by copies of them with replaced mentions.

    Parameters
    ----------
    tokens : TokenTable
    labels : TokenLabels
        Gold tags.
    copies : int
        Number of copies of every document. They have its id.
    seed : int
    """
    if not copies:
        return tokens, labels
    documents = _documents(tokens, labels)
    mentions, rng = Mentions(documents), np.random.default_rng(seed)
    made = [mentions.replaced(document, rng) for _ in range(copies) for document in documents]
    both = [*documents, *made]
    table = TokenTable.from_documents(both)
    return table, encode_bio(table, both, phi_labels(labels.names))


def _documents(tokens: TokenTable, labels: TokenLabels) -> list[Document]:
    columns = zip(tokens.ids, tokens.texts, decode_bio(tokens, labels), strict=True)
    documents = [Document(*values) for values in columns]
    if not tokens.metas:
        return documents
    return [replace(d, meta=meta) for d, meta in zip(documents, tokens.metas, strict=True)]


class Mentions:
    """The distinct mentions of a corpus, by label and by whether they have letters and digits.

    Parameters
    ----------
    documents : iterable of Document
        With their gold spans. Spans of several lines are left out.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        found: dict[_Kind, dict[str, None]] = {}
        for document in documents:
            for span in document.spans:
                text = document.span_text(span)
                if _is_on_one_line(text):
                    found.setdefault(_kind(span.label, text), {})[text] = None
        self._texts: dict[_Kind, Sequence[str]] = {kind: list(t) for kind, t in found.items()}

    def replaced(self, document: Document, rng: np.random.Generator) -> Document:
        """Return a copy of a document with other mentions, and its spans moved accordingly.

        Equal mentions, whatever their letter case, get equal ones. The letter case is kept.
        """
        chosen: dict[tuple[str, str], str] = {}

        def other(document: Document, span: Span) -> str:
            old = document.span_text(span)
            key = span.label, old.casefold()
            if key not in chosen:
                chosen[key] = self._other(span.label, old, rng)
            return in_case_of(old, chosen[key])

        return rewrite(document, other)

    def _other(self, label: str, text: str, rng: np.random.Generator) -> str:
        texts = self._texts.get(_kind(label, text), ()) if _is_on_one_line(text) else ()
        return texts[int(rng.integers(len(texts)))] if texts else text


def _kind(label: str, text: str) -> _Kind:
    return label, any(map(str.isalpha, text)), any(map(str.isdigit, text))


def _is_on_one_line(text: str) -> bool:
    return text.splitlines() == [text]


def in_case_of(old: str, new: str) -> str:
    """Return a mention in the letter case of another: upper, lower, or with a capital."""
    if old == new or old.lower() == old.upper():
        return new
    if old.islower():
        return new.lower()
    if old.isupper():
        return new.upper() if sum(map(str.isalpha, old)) > 1 else new
    if new.isupper() and sum(map(str.isalpha, new)) > _LONGEST_ACRONYM:
        return new.title()
    return new[0].upper() + new[1:] if new.islower() else new


_LONGEST_ACRONYM = 4
"""Letters of the longest mention in capitals that may be an abbreviation."""
