"""Views and templates of the clusters of words alike in meaning, which come with the package."""

from __future__ import annotations

from functools import lru_cache

from multideid.features.common import CAPITALS, LOWER, NORM
from multideid.features.layout import DOCUMENT_CASE
from multideid.features.templates import Template, each, joined
from multideid.features.views import View, of_value
from multideid.knowledge.word_classes import bundled_word_classes

GROUP = "embedding clusters"
_MOST_CACHED = 100_000
_NEAR = (-1, 0, 1)
_FURTHER = (-3, -2, 2, 3)


@lru_cache(_MOST_CACHED)
def _clusters(word: str) -> tuple[int, int]:
    return bundled_word_classes().clusters(word)


def _fine(word: str) -> str:
    return _named(_clusters(word)[0])


def _coarse(word: str) -> str:
    return _named(_clusters(word)[1])


def _named(cluster: int) -> str:
    return str(cluster) if cluster else ""


FINE_CLUSTER = of_value("fine embedding cluster", LOWER, _fine)
COARSE_CLUSTER = of_value("coarse embedding cluster", LOWER, _coarse)


def embedding_cluster_templates() -> list[Template]:
    """Return the templates of both granularities, with neighbours and letter case."""
    return [
        *_with_neighbours(FINE_CLUSTER),
        *_with_neighbours(COARSE_CLUSTER),
        *each(COARSE_CLUSTER, _FURTHER, GROUP),
        joined(GROUP, *((COARSE_CLUSTER, n) for n in _NEAR)),
        joined(GROUP, (COARSE_CLUSTER, 0), (DOCUMENT_CASE, 0)),
    ]


def of_word_alone() -> list[Template]:
    """Return the templates of both granularities, for systems that see neighbours otherwise."""
    return [*each(FINE_CLUSTER, (0,), GROUP), *each(COARSE_CLUSTER, (0,), GROUP)]


def _with_neighbours(view: View) -> list[Template]:
    return [
        *each(view, _NEAR, GROUP),
        joined(GROUP, (view, 0), (CAPITALS, 0)),
        joined(GROUP, (view, -1), (view, 0)),
        joined(GROUP, (view, 0), (view, 1)),
        joined(GROUP, (view, 0), (NORM, -1)),
        joined(GROUP, (view, 0), (NORM, 1)),
    ]
