"""Features of words' clusters."""

from __future__ import annotations

import pytest

from multideid.document import Document
from multideid.features.embedding_clusters import (
    COARSE_CLUSTER,
    FINE_CLUSTER,
    embedding_cluster_templates,
)
from multideid.features.views import View
from multideid.taggers.registry import make_system
from multideid.text.table import TokenTable


def _values(view: View, text: str) -> list[str]:
    column = view.column(TokenTable.from_documents([Document("1", text)]))
    return [column.names[code] for code in column.codes.tolist()]


def test_the_cluster_of_a_word_is_that_of_its_lower_case() -> None:
    for view in (FINE_CLUSTER, COARSE_CLUSTER):
        upper, lower = _values(view, "NEWARK newark")
        assert upper == lower != ""


def test_unknown_words_numbers_and_marks_have_no_cluster() -> None:
    assert _values(FINE_CLUSTER, "qxzwv 12 .") == ["", "", ""]


def test_no_two_templates_are_the_same() -> None:
    templates = embedding_cluster_templates()
    assert len(templates) == len({template.name for template in templates})


@pytest.mark.parametrize("name", ["convnet", "mist", "stanford"])
def test_a_system_sees_clusters_where_it_is_told_to(name: str) -> None:
    groups = [
        {template.group for template in make_system(name, embedding_clusters=chosen).templates()}
        for chosen in (False, True)
    ]
    assert groups[1] - groups[0] == {"embedding clusters"}
