"""Views and templates of known organisations, and of clinical terms that look like names."""

from __future__ import annotations

import numpy as np

from multideid.features.common import CAPITALS
from multideid.features.layout import DOCUMENT_CASE
from multideid.features.templates import Template, each, joined
from multideid.features.views import Column, View
from multideid.knowledge.terms import CLINICAL_TERMS, ORGANIZATIONS, TermTable
from multideid.text.table import TokenTable


def _view(name: str, terms: TermTable) -> View:
    """Return the view of the kinds of terms that contain each token, "" for none."""

    def column(table: TokenTable) -> Column:
        bits, codes = np.unique(terms.match(table), return_inverse=True)
        return Column(codes.astype(np.int32), [format(b, "x") if b else "" for b in bits.tolist()])

    return View(name, column)


_GROUP = "organizations"

ORGANIZATION = _view("organization", ORGANIZATIONS)
CLINICAL_TERM = _view("clinical term", CLINICAL_TERMS)


def organization_templates() -> list[Template]:
    """Return the templates of known names, with those of neighbours and letter case."""
    return [
        *each(ORGANIZATION, (-1, 0, 1), _GROUP),
        joined(_GROUP, (ORGANIZATION, 0), (CAPITALS, 0)),
        joined(_GROUP, (ORGANIZATION, 0), (CAPITALS, 0), (DOCUMENT_CASE, 0)),
        joined(_GROUP, (ORGANIZATION, -1), (ORGANIZATION, 0)),
        joined(_GROUP, (ORGANIZATION, 0), (ORGANIZATION, 1)),
    ]
