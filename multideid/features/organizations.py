"""Views and templates of known organisations, regions and holidays."""

from __future__ import annotations

import numpy as np

from multideid.features.common import CAPITALS
from multideid.features.layout import DOCUMENT_CASE
from multideid.features.templates import Template, each, joined
from multideid.features.views import Column, View
from multideid.knowledge.organizations import match_organizations
from multideid.text.table import TokenTable

_GROUP = "organizations"


def _kinds(table: TokenTable) -> Column:
    """Return the kinds of names that contain each token, "" for none."""
    bits, codes = np.unique(match_organizations(table), return_inverse=True)
    return Column(codes.astype(np.int32), [format(b, "x") if b else "" for b in bits.tolist()])


ORGANIZATION = View("organization", _kinds)


def organization_templates() -> list[Template]:
    """Return the templates of known names, with those of neighbours and letter case."""
    kinds = ORGANIZATION
    return [
        *each(kinds, (-1, 0, 1), _GROUP),
        joined(_GROUP, (kinds, 0), (CAPITALS, 0)),
        joined(_GROUP, (kinds, 0), (CAPITALS, 0), (DOCUMENT_CASE, 0)),
        joined(_GROUP, (kinds, -1), (kinds, 0)),
        joined(_GROUP, (kinds, 0), (kinds, 1)),
    ]
