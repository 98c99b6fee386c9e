"""A linear SVM that labels each token from its local context."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from multideid.arrays import FloatArray
from multideid.base_systems.stat_deid.features import (
    mesh_templates,
    paper_templates,
    stat_deid_templates,
    syntax_templates,
)
from multideid.csr import Csr
from multideid.features.templates import Template
from multideid.features.terms import other_language_templates
from multideid.knowledge.sources import LINK_GRAMMAR, MESH, check_sources, source_version
from multideid.learners.feature_tagger import ONLY_ENGLISH, SHARED_RULES, FeatureTagger
from multideid.learners.svm import LinearModel, SvmTrainer
from multideid.persistence.files import load_json, save_json
from multideid.scoring.linear_part import LinearPart
from multideid.scoring.scorer import ScoreTransform
from multideid.taggers.parameters import ABOVE_0, FULL, PAPER, POS_TAGGER, ParamRule, one_of
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from scipy import sparse

NO_SYNTAX = "none"


class StatDeidTagger(FeatureTagger):
    """A linear SVM per token (thesis 2.1; Sibanda & Uzuner 2006, "local context").

    Parameters
    ----------
    c : float, default 0.1
        Inverse regularisation strength.
    pos_tagger : str, default "lexicon"
        As `multideid.text.pos.pos_column`.
    min_count : int, default 2
        Rarer features are dropped.
    seed : int, default 0
    syntax : {"none", "link-grammar"}
        Whether to use syntactic bigrams of the Link Grammar parser, which must
        be installed.
    mesh : bool, default False
        Whether to use the MeSH headings of noun phrases, which requires MeSH.
    features : {"full", "paper"}
        "paper": only those that the thesis lists in 2.1.
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
    other_languages : bool, default True
        Whether to see, in documents that are not in English, the Spanish and French words and
        names that come with the package (`multideid.knowledge.terms.OTHER_LANGUAGES`).

    Attributes
    ----------
    sources_ : dict of str to str
        Versions of the knowledge sources used in training; loading requires the same.
    """

    name: ClassVar[str] = "stat-deid"
    summary: ClassVar[str] = "Linear SVM over local context (Stat-Deid, Uzuner 2008)."
    param_rules: ClassVar[Mapping[str, ParamRule]] = {
        **SHARED_RULES,
        "c": ABOVE_0,
        "pos_tagger": POS_TAGGER,
        "syntax": one_of(NO_SYNTAX, LINK_GRAMMAR),
    }

    earlier_params: ClassVar[Mapping[str, Any]] = ONLY_ENGLISH

    def __init__(  # noqa: PLR0913, PLR0917 (all by name)
        self,
        c: float = 0.1,
        pos_tagger: str = "lexicon",
        min_count: int = 2,
        seed: int = 0,
        syntax: str = NO_SYNTAX,
        mesh: bool = False,
        features: str = FULL,
        weight_step: float = 0.0,
        clusters: str | None = None,
        lists: str | None = None,
        copies: int = 0,
        other_languages: bool = True,
    ) -> None:
        self.c = c
        self.pos_tagger = pos_tagger
        self.min_count = min_count
        self.seed = seed
        self.syntax = syntax
        self.mesh = mesh
        self.features = features
        self.weight_step = weight_step
        self.clusters = clusters
        self.lists = lists
        self.copies = copies
        self.other_languages = other_languages

    def templates(self) -> list[Template]:
        """Return the system's feature templates."""
        chosen = paper_templates if self.features == PAPER else stat_deid_templates
        found = chosen(self.pos_tagger)
        if self.syntax == LINK_GRAMMAR:
            found += syntax_templates()
        if self.mesh:
            found += mesh_templates(self.pos_tagger, getattr(self, "sources_", {}).get(MESH))
        return found

    def language_templates(self) -> list[Template]:
        """Return the templates of terms of other languages."""
        return other_language_templates()

    def _prepare(self) -> None:
        self.sources_ = required_sources(self.syntax, self.mesh)

    def _train(self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> None:
        model = SvmTrainer(self.c, seed=self.seed).train(features, labels)
        self.model_ = self.quantize_and_prune(model)

    def _score(self, features: Csr, tokens: TokenTable) -> FloatArray:
        return self.model_.scores(features)

    def linear_part(self) -> LinearPart:
        """Return the linear part of the margins, without the bias."""
        return LinearPart(self.extractor_, self.model_.weights)

    def score_transform(self, tokens: TokenTable) -> ScoreTransform:
        """Return the transform from sums of weights to margins."""
        return lambda sums, first, stop: self.model_.margins(sums)

    def _save_model(self, folder: Path) -> None:
        self.model_.save(folder, "svm")
        if self.sources_:
            save_json(folder, "sources", self.sources_)

    def _load_model(self, folder: Path) -> None:
        sizes = self.extractor_.n_features_, len(self.labels_)
        self.model_ = LinearModel.load(folder, "svm", *sizes)
        uses_sources = self.syntax != NO_SYNTAX or self.mesh
        self.sources_ = load_json(folder, "sources", {str: str}) if uses_sources else {}
        check_sources(self.sources_)
        # The templates depend on the version of MeSH used in training.
        self.extractor_.templates = tuple(dict.fromkeys(self.all_templates()))


def required_sources(syntax: str, mesh: bool) -> dict[str, str]:
    """Return the knowledge sources that the parameters require, with their versions.

    Parameters
    ----------
    syntax : {"none", "link-grammar"}
    mesh : bool

    Returns
    -------
    dict of str to str
        The version of a library, or the fingerprint of a resource.

    Raises
    ------
    UsageError
        If one is missing; the message says what to install or to add.
    """
    names = [LINK_GRAMMAR] * (syntax == LINK_GRAMMAR) + [MESH] * bool(mesh)
    return {name: source_version(name) for name in names}
