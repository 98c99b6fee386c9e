"""Views and templates of known organisations, clinical terms, and terms of other languages."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from multideid.arrays import UIntArray
from multideid.features.common import CAPITALS
from multideid.features.english import english_documents
from multideid.features.layout import DOCUMENT_CASE
from multideid.features.templates import Template, bags, each, joined
from multideid.features.views import Column, SetColumn, SetView, View
from multideid.knowledge.terms import CLINICAL_TERMS, ORGANIZATIONS, OTHER_LANGUAGES, TermTable
from multideid.text.table import TokenTable


def _view(name: str, bits_of: Callable[[TokenTable], UIntArray]) -> View:
    """Return the view of the kinds of terms that contain each token, "" for none."""

    def column(table: TokenTable) -> Column:
        bits, codes = np.unique(bits_of(table), return_inverse=True)
        return Column(codes.astype(np.int32), [format(b, "x") if b else "" for b in bits.tolist()])

    return View(name, column)


def _kinds_view(name: str, terms: TermTable, bits_of: Callable[[TokenTable], UIntArray]) -> SetView:
    """Return the view of each of the kinds; those of terms of several words are apart."""
    names = [*terms.kinds, *(f"in {kind}" for kind in terms.kinds)]
    places = np.arange(len(names), dtype=np.uint32)

    def compute(table: TokenTable) -> SetColumn:
        distinct, rows = np.unique(bits_of(table), return_inverse=True)
        flags = distinct[:, None] >> places & 1
        ends = np.append(0, np.cumsum(flags.sum(axis=1, dtype=np.int64)))
        return SetColumn(rows.astype(np.int32), ends, np.nonzero(flags)[1].astype(np.int32), names)

    return SetView(name, compute)


def _outside_english(table: TokenTable) -> UIntArray:
    """Return the kinds of terms of other languages, as bits, and none in English documents.

    There, they are chance: with them, `mist` loses 0.01 of strict F1 on new English notes.
    """
    english = english_documents(table)
    if english.all():
        return np.zeros(len(table), dtype=np.uint32)
    return np.where(english[table.document], np.uint32(0), OTHER_LANGUAGES.match(table))


_GROUP = "organizations"
_OTHER = "other languages"

ORGANIZATION = _view("organization", ORGANIZATIONS.match)
CLINICAL_TERM = _view("clinical term", CLINICAL_TERMS.match)
OTHER_LANGUAGE_TERM = _view("term of another language", _outside_english)
OTHER_LANGUAGE_KINDS = _kinds_view(
    "kinds of terms of other languages", OTHER_LANGUAGES, _outside_english
)


def organization_templates() -> list[Template]:
    """Return the templates of known names, with those of neighbours and letter case."""
    return [
        *each(ORGANIZATION, (-1, 0, 1), _GROUP),
        joined(_GROUP, (ORGANIZATION, 0), (CAPITALS, 0)),
        joined(_GROUP, (ORGANIZATION, 0), (CAPITALS, 0), (DOCUMENT_CASE, 0)),
        joined(_GROUP, (ORGANIZATION, -1), (ORGANIZATION, 0)),
        joined(_GROUP, (ORGANIZATION, 0), (ORGANIZATION, 1)),
    ]


def other_language_templates() -> list[Template]:
    """Return the templates of terms of other languages, with each of their kinds nearby."""
    return [
        *each(OTHER_LANGUAGE_TERM, (0,), _OTHER),
        *bags(OTHER_LANGUAGE_KINDS, (-1, 0, 1), _OTHER),
    ]


def other_language_templates_of_word_alone() -> list[Template]:
    """Return those without neighbours, for systems that see neighbours otherwise."""
    return [*each(OTHER_LANGUAGE_TERM, (0,), _OTHER), *bags(OTHER_LANGUAGE_KINDS, (0,), _OTHER)]
