"""Views and templates of the clusters of words that were learned from unlabelled notes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from multideid.features.common import CAPITALS, LOWER, SHORT_SHAPE
from multideid.features.templates import Template, each, joined
from multideid.features.views import View, of_value
from multideid.features.word_clusters import LEVELS, WordClusters

GROUP = "word clusters"
_WINDOW = (-2, -1, 0, 1, 2)


@dataclass(frozen=True, slots=True)
class _ClassOf:
    """The class of a word at one granularity, as a function that processes can exchange."""

    clusters: WordClusters
    level: str

    def __call__(self, word: str) -> str:
        return self.clusters.class_of(word, self.level)


@lru_cache(maxsize=64)
def cluster_view(clusters: WordClusters, level: str) -> View:
    """Return the view of the words' classes at one granularity.

    The name has the fingerprint of the clusters, so that a model whose clusters were
    exchanged is refused for other templates.
    """
    return of_value(f"{level} cluster {clusters.fingerprint}", LOWER, _ClassOf(clusters, level))


def cluster_templates(clusters: WordClusters) -> list[Template]:
    """Return the templates: classes of the word and its neighbours, alone and in pairs."""
    fine, middle, coarse = (cluster_view(clusters, level) for level in LEVELS)
    return [
        *(template for view in (fine, middle, coarse) for template in each(view, _WINDOW, GROUP)),
        joined(GROUP, (fine, 0), (CAPITALS, 0)),
        *(joined(GROUP, (view, -1), (view, 0)) for view in (fine, middle)),
        *(joined(GROUP, (view, 0), (view, 1)) for view in (fine, middle)),
        joined(GROUP, (fine, -1), (SHORT_SHAPE, 0)),
        joined(GROUP, (fine, 1), (SHORT_SHAPE, 0)),
        joined(GROUP, (middle, -1), (SHORT_SHAPE, 0), (middle, 1)),
        joined(GROUP, (middle, -2), (middle, -1), (CAPITALS, 0)),
        joined(GROUP, (coarse, -1), (coarse, 0), (coarse, 1)),
    ]
