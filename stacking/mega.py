"""Mega: one linear SVM over the union of the features of all base systems."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from multideid.arrays import FloatArray, IntArray
from multideid.csr import Csr
from multideid.errors import UsageError
from multideid.features.extractor import FeatureExtractor
from multideid.features.templates import Template
from multideid.knowledge.sources import check_sources
from multideid.lazy import lazy
from multideid.learners.feature_tagger import FeatureTagger
from multideid.learners.svm import LinearModel, SvmTrainer
from multideid.persistence.files import load_json, save_json
from multideid.scoring.linear_part import LinearPart
from multideid.stacking.decode import best_tags
from multideid.stacking.deidentifier import Deidentifier
from multideid.stacking.fitting import Progress
from multideid.stacking.folds import Groups
from multideid.stacking.grouping import UNGROUPED, Grouping
from multideid.stacking.mega_decisions import DecidingSystems
from multideid.stacking.meta_features import decisions
from multideid.stacking.out_of_fold import DEFAULT_SYSTEMS
from multideid.stacking.reading import Reading
from multideid.stacking.resources import load_resources, resources_of, save_resources
from multideid.stacking.settings import check_seed
from multideid.stacking.systems import Systems, make_systems, sources_of, system_params
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import TokenLabels
from multideid.text.lines import line_blocks
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from multideid.scoring.linear_sums import CompiledLinear

_MIN_COUNT = 2
_BLOCK = 32_768


class MegaDeidentifier(Deidentifier):
    """A single SVM over the union of all systems' features (thesis, Figure 1-1).

    A system without feature templates gives its decision for the token as a feature instead,
    as the thesis did for the rules of the MIMIC system. If it learns, Mega learns from its
    out-of-fold decisions: those of fits without the fold of the document.

    Parameters
    ----------
    systems : sequence of str, or mapping of str to mapping
        Names of registered base systems; in a mapping, with the parameters of each.
    c : float, default 0.1
        Inverse of the regularisation strength.
    seed : int, default 0
    feature_classes : sequence of str, optional
        The feature classes to use, of those that `feature_classes_of` returns.
        Default: all.
    folds : int, default 5
        Number of folds, if a system without templates learns.
    pass_through : bool, default True
        Whether certain finds of rules in classes that nobody annotated are kept
        (`passing_labels_`).
    n_jobs : int, optional
        Number of processes for the fits of these systems. Default, as -1: one per processor.
    progress : callable, optional
        Called with ``(done, total, name)`` after each fit.

    Attributes
    ----------
    sources_ : dict of str to str
        The knowledge sources that were used, with their versions. The model loads
        only if the same ones are present.
    resources_ : dict of str to dict
        By system, the clusters of words and lists that it was given; stored with the model.
    """

    kind: ClassVar[str] = "mega"

    def __init__(  # noqa: PLR0913 (all but four by name)
        self,
        systems: Systems = DEFAULT_SYSTEMS,
        c: float = 0.1,
        seed: int = 0,
        feature_classes: Sequence[str] | None = None,
        *,
        folds: int = 5,
        pass_through: bool = True,
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.systems = systems
        self.c = c
        self.seed = seed
        self.feature_classes = feature_classes
        self.folds = folds
        self.pass_through = pass_through
        self.n_jobs = n_jobs
        self.progress = progress

    def _fit(self, tokens: TokenTable, labels: TokenLabels, grouping: Grouping = UNGROUPED) -> None:
        seed = check_seed(self.seed)
        taggers = make_systems(self.systems)
        self.resources_ = resources_of(taggers)
        classes = self._chosen_classes(taggers)
        params = system_params(self.systems)
        without = {name: params[name] for name in names_without_templates(taggers)}
        deciding = DecidingSystems(self.folds, seed, grouping.groups, self.n_jobs, self.progress)
        chosen = {name: own for name, own in without.items() if name in classes}
        self.taggers_, scores = deciding.fit(chosen, tokens, labels)
        templates = [t for t in united_templates(taggers) if t.group in classes]
        self.sources_ = sources_of(templates)
        self.extractor_ = FeatureExtractor(templates, _MIN_COUNT).fit(tokens)
        features = self._features(tokens, scores).matrix()
        learned = SvmTrainer(self.c, seed=seed).train(features, labels)
        self.model_ = learned.quantized()
        if self.progress:
            self.progress(1, 1, "mega")

    def _chosen_classes(self, taggers: Mapping[str, BaseTagger]) -> Collection[str]:
        available = feature_classes_of(taggers)
        if self.feature_classes is None:
            return available
        unknown = sorted(set(self.feature_classes) - set(available))
        if unknown or not self.feature_classes:
            problem = f"unknown: {', '.join(unknown)}" if unknown else "none given"
            raise UsageError(f"feature_classes must be of {', '.join(available)}; {problem}")
        return set(self.feature_classes)

    def _features(self, tokens: TokenTable, scores: Sequence[FloatArray]) -> Csr:
        return Csr.side_by_side([self.extractor_.rows(tokens), *map(decisions, scores)])

    def _tags(self, reading: Reading) -> IntArray:
        tokens = reading.tokens
        if not len(tokens):
            return np.zeros(0, dtype=np.int32)
        # Views use the installed sources, which may have changed since the model was loaded.
        check_sources(self.sources_)
        if reading.is_compiled:
            return best_tags(tokens, self._compiled_margins(reading))
        features = self._features(tokens, reading.scores)
        return best_tags(tokens, self.model_.scores(features))

    def _compiled_margins(self, reading: Reading) -> FloatArray:
        """Return the model's margins, computed with compiled loops."""
        tokens = reading.tokens
        table = self._compiled_sums.open(tokens)
        blocks = line_blocks(tokens, _BLOCK)
        sums = np.concatenate([table.scores(first, stop)[0] for first, stop in blocks])
        # The last rows of weights are those of the decisions of systems without templates.
        decided = self.model_.weights[self.extractor_.n_features_ :].toarray()
        for n, scores in enumerate(reading.scores):
            sums += decided[n * sums.shape[1] + scores.argmax(axis=1)]
        return self.model_.margins(sums)

    @lazy
    def _compiled_sums(self) -> CompiledLinear:
        from multideid.scoring.linear_sums import CompiledLinear

        return CompiledLinear([LinearPart(self.extractor_, self.model_.weights)])

    def _save(self, folder: Path) -> None:
        if self.sources_:
            save_json(folder, "sources", self.sources_)
        save_resources(folder, self.resources_)
        self.extractor_.save(folder, "mega-features")
        self.model_.save(folder, "mega")

    def _load(self, folder: Path) -> None:
        taggers = make_systems(self.systems)
        self.resources_ = load_resources(folder, taggers)
        classes = self._chosen_classes(taggers)
        templates = [t for t in united_templates(taggers) if t.group in classes]
        self.sources_ = load_json(folder, "sources", {str: str}) if sources_of(templates) else {}
        check_sources(self.sources_)
        self.extractor_ = FeatureExtractor(templates, _MIN_COUNT).load(folder, "mega-features")
        n_labels = 2 * len(self.labels_) + 1
        n_columns = self.extractor_.n_features_ + len(self.taggers_) * n_labels
        self.model_ = LinearModel.load(folder, "mega", n_columns, n_labels)


def fit_and_tag(
    mega: MegaDeidentifier,
    tokens: TokenTable,
    labels: TokenLabels,
    held: TokenTable,
    groups: Groups = None,
) -> IntArray:
    """Fit on a table and tag another one, for experiments that tokenize corpora only once.

    Parameters
    ----------
    mega : MegaDeidentifier
        It is fitted, but cannot be saved.
    tokens : TokenTable
    labels : TokenLabels
        Gold tags of `tokens`.
    held : TokenTable
    groups : sequence of hashable, optional
        As for `MegaDeidentifier.fit`.

    Returns
    -------
    int32 array, shape (n_tokens of `held`,)
    """
    mega._fit(tokens, labels, Grouping(groups))
    return mega._tags(mega._reading_of(held))


def united_templates(taggers: Mapping[str, BaseTagger]) -> list[Template]:
    """Return the feature templates of all systems, in order."""
    return [t for tagger in taggers.values() if isinstance(tagger, FeatureTagger)
            for t in tagger.all_templates()]  # fmt: skip


def feature_classes_of(taggers: Mapping[str, BaseTagger]) -> tuple[str, ...]:
    """Return the feature classes of systems, in order.

    A system without templates is a class by itself, under its name.
    """
    groups = [t.group for t in united_templates(taggers)]
    return tuple(dict.fromkeys([*groups, *names_without_templates(taggers)]))


def names_without_templates(taggers: Mapping[str, BaseTagger]) -> list[str]:
    """Return the names of the systems that give Mega their decisions, in order."""
    return [name for name, tagger in taggers.items() if not isinstance(tagger, FeatureTagger)]
