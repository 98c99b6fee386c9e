"""A CRF over regular expressions and word lists, after MIST."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from multideid.base_systems.mist.features import mist_templates, paper_templates
from multideid.features.embedding_clusters import embedding_cluster_templates
from multideid.features.templates import Template
from multideid.features.terms import other_language_templates
from multideid.learners.crf_tagger import ADAGRAD, CRF_RULES, CrfTagger
from multideid.learners.feature_tagger import ONLY_ENGLISH
from multideid.taggers.parameters import FULL, PAPER, ParamRule


class MistTagger(CrfTagger):
    """A CRF with the features of MIST (thesis 2.3, Table 2.1).

    Parameters
    ----------
    epochs : int, default 14
        Passes over the training data.
    learning_rate : float, default 0.2
        Step size.
    feature_dropout : float, default 0.5
        Probability of dropping a feature of a token in an epoch.
    min_count : int, default 2
        Rarer features are dropped.
    seed : int, default 0
    features : {"full", "paper"}
        "paper": only the patterns of Table 2.1 and dictionaries.
    trainer : {"adagrad", "crfsuite"}
        AdaGrad, or L-BFGS of sklearn-crfsuite, which epochs, learning_rate,
        feature_dropout and seed do not concern.
    c1, c2 : float, default 0.1
        Strengths of the L1 and the L2 penalty of crfsuite.
    max_iterations : int, default 100
        The most iterations of crfsuite.
    weight_step : float, default 0
        Weights are rounded to multiples of this power of two, for a small model.
    clusters : str, optional
        A folder of word classes that `multideid clusters` learned from unlabelled notes.
        The fitted model holds its content.
    lists : str, optional
        A ``site.toml``: its lists and patterns become features, and the model holds them.
    copies : int, default 0
        Copies of the training documents to learn from too, with each mention of PHI replaced
        by another one of its label (`multideid.learners.mention_replacement`).
    embedding_clusters : bool, default False
        Whether to see the clusters of words alike in meaning that come with the package, which
        are of English.
    other_languages : bool, default True
        Whether to see, in documents that are not in English, the Spanish and French words and
        names that come with the package (`multideid.knowledge.terms.OTHER_LANGUAGES`).
    """

    name: ClassVar[str] = "mist"
    summary: ClassVar[str] = "CRF over regular expressions and word lists (MIST, Aberdeen 2010)."
    param_rules: ClassVar[Mapping[str, ParamRule]] = CRF_RULES

    earlier_params: ClassVar[Mapping[str, Any]] = ONLY_ENGLISH

    def __init__(  # noqa: PLR0913 (a learner's settings, by name)
        self,
        epochs: int = 14,
        *,
        learning_rate: float = 0.2,
        feature_dropout: float = 0.5,
        min_count: int = 2,
        seed: int = 0,
        features: str = FULL,
        trainer: str = ADAGRAD,
        c1: float = 0.1,
        c2: float = 0.1,
        max_iterations: int = 100,
        weight_step: float = 0.0,
        clusters: str | None = None,
        lists: str | None = None,
        copies: int = 0,
        embedding_clusters: bool = False,
        other_languages: bool = True,
    ) -> None:
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.feature_dropout = feature_dropout
        self.min_count = min_count
        self.seed = seed
        self.features = features
        self.trainer = trainer
        self.c1 = c1
        self.c2 = c2
        self.max_iterations = max_iterations
        self.weight_step = weight_step
        self.clusters = clusters
        self.lists = lists
        self.copies = copies
        self.embedding_clusters = embedding_clusters
        self.other_languages = other_languages

    def templates(self) -> list[Template]:
        """Return the system's feature templates."""
        chosen = paper_templates() if self.features == PAPER else mist_templates()
        return [*chosen, *embedding_cluster_templates()] if self.embedding_clusters else chosen

    def language_templates(self) -> list[Template]:
        """Return the templates of terms of other languages."""
        return other_language_templates()
