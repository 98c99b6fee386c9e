"""Letters with accents have the same features in whatever way they are encoded."""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.features.views import Column, SetColumn, SetView, View
from multideid.learners.feature_tagger import FeatureTagger
from multideid.stacking.flip_evidence import _kinds
from multideid.stacking.forms import FORMS
from multideid.stacking.token_forms import TokenForms
from multideid.taggers.registry import make_system
from multideid.text.table import TokenTable

SYSTEMS = ("stat-deid", "stanford", "mist", "lbj", "snow", "szarvas")
NOTE = """Dr. José Muñoz saw Mr. Müller at Hôpital Général on 3 März 2004; Ștefania's café: 3ème.
NAME: GÓMEZ-PEÑA, Éva (née Ångström) crème brûlée in Köln/Zürich.
"""


@cache
def _views(system: str) -> list[View | SetView]:
    tagger = make_system(system)
    assert isinstance(tagger, FeatureTagger)
    views = {view for template in tagger.all_templates() for view in template.views}
    return sorted(views, key=lambda view: view.name)


def _values(column: Column | SetColumn) -> list[object]:
    if isinstance(column, Column):
        return [column.names[code] for code in column.codes.tolist()]
    bounds = column.indptr.tolist()
    sets = [{column.names[n] for n in column.indices[a:b].tolist()} for a, b in pairwise(bounds)]
    return [sets[row] for row in column.rows.tolist()]


def _both(text: str) -> list[TokenTable]:
    return [TokenTable.from_texts([unicodedata.normalize(f, text)]) for f in ("NFC", "NFD")]


@pytest.mark.parametrize("system", SYSTEMS)
@given(st.text("áÉüñçÅÖabXY.:-( 1\n", max_size=40))
def test_all_views_of_a_system_are_the_same(system: str, text: str) -> None:
    composed, decomposed = _both(NOTE + text)
    for view in _views(system):
        assert _values(view.column(composed)) == _values(view.column(decomposed)), view.name


def test_forms_and_kinds_of_words_are_the_same() -> None:
    composed, decomposed = _both(NOTE)
    assert composed.vocabulary == decomposed.vocabulary
    for memo in (FORMS, _kinds):
        assert memo(composed.vocabulary).tolist() == memo(decomposed.vocabulary).tolist()
    rows = np.arange(len(composed))
    columns = [TokenForms.of(table).columns(rows).tolist() for table in (composed, decomposed)]
    assert columns[0] == columns[1]
