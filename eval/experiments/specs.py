"""Estimator specs: what to fit, with which parameters and feature classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields
from time import perf_counter
from typing import Any, Protocol, cast

import numpy as np

from multideid.eval.experiments.store import Arrays, source_digest
from multideid.learners.feature_tagger import FeatureTagger
from multideid.stacking.fitting import augmented_scores
from multideid.stacking.systems import Systems, knowledge_of, make_systems
from multideid.taggers.checked import check_fit, scores_of
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


class Spec(Protocol):
    """An estimator that is fitted on some documents and applied to others."""

    @property
    def name(self) -> str:
        """The name in progress bars."""

    def key(self) -> Mapping[str, Any]:
        """Return everything that results depend on besides the documents, as JSON values."""

    def run(self, tokens: TokenTable, labels: TokenLabels, held: TokenTable) -> Arrays:
        """Fit on tokens with gold tags, and return results for the held-out tokens."""


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """The part that specs of one base system share.

    Parameters
    ----------
    tagger : BaseTagger
        Not fitted. It is made in the parent process, since worker processes
        lack the systems that this session registered.
    """

    tagger: BaseTagger

    @property
    def name(self) -> str:
        """The system's name."""
        return self.tagger.name

    def key(self) -> Mapping[str, Any]:
        """Return the kind of spec, its parameters, the system's settings, and the code of both."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "tagger"}
        code = [source_digest(type(self)), source_digest(type(self.tagger))]
        system = {"system": self.tagger.name, **settings(self.tagger)}
        return {"spec": type(self).__name__, **own, **system, "code": code}


@dataclass(frozen=True, slots=True)
class TaggerSpec(SystemSpec):
    """A base system, which returns its scores.

    Parameters
    ----------
    tagger : BaseTagger
        Not fitted.
    augment : int, optional
        Seed of the augmentations; with it, scores of augmented text are
        returned too, from which the stacker learns.
    feature_classes : tuple of str, optional
        Of the tagger's templates. Default: all.
    """

    augment: int | None = None
    feature_classes: tuple[str, ...] | None = None

    def run(self, tokens: TokenTable, labels: TokenLabels, held: TokenTable) -> Arrays:
        """Return ``scores``, ``seconds`` and, for augmented text, ``augmented_0`` and so on."""
        start = perf_counter()
        fitted = self._unfitted().fit(tokens, labels)
        check_fit(self.name, fitted, labels.names)
        found: Arrays = {"scores": scores_of(fitted, held)}
        if self.augment is not None:
            views = augmented_scores(fitted, held, self.augment)
            found |= {f"augmented_{n}": scores for n, scores in enumerate(views)}
        return {**found, "seconds": np.asarray(perf_counter() - start)}

    def _unfitted(self) -> BaseTagger:
        if self.feature_classes is None:
            # A copy, so that the fitted model is freed with this call.
            return copy(self.tagger)
        return restricted(cast("FeatureTagger", self.tagger), self.feature_classes)


@dataclass(frozen=True, slots=True)
class MegaSpec:
    """Mega, which returns its tags.

    Parameters
    ----------
    systems : sequence of str, or mapping of str to mapping
        As `MegaDeidentifier`.
    seed : int
    feature_classes : tuple of str, optional
    folds : int
        They have no effect unless a system without templates learns.
    groups : tuple of str, optional
        The group of each training document, for the folds.
    """

    systems: Systems
    seed: int = 0
    feature_classes: tuple[str, ...] | None = None
    folds: int = 5
    groups: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        """The name in progress bars."""
        return "mega"

    def key(self) -> Mapping[str, Any]:
        """Return the systems, their settings and the choice of features."""
        taggers = make_systems(self.systems)
        return {
            "mega": {name: settings(tagger) for name, tagger in taggers.items()},
            "code": [source_digest(kind) for kind in (MegaSpec, *map(type, taggers.values()))],
            "seed": self.seed,
            "feature_classes": self.feature_classes,
            "folds": self.folds,
            "groups": self.groups,
        }

    def run(self, tokens: TokenTable, labels: TokenLabels, held: TokenTable) -> Arrays:
        """Return ``tags``, int32, and ``seconds``."""
        from multideid.stacking.mega import MegaDeidentifier, fit_and_tag

        # Experiments run several fits at once, so each has a single process.
        mega = MegaDeidentifier(
            self.systems, seed=self.seed, feature_classes=self.feature_classes,
            folds=min(self.folds, len(set(self.groups or tokens.ids))), n_jobs=1,
        )  # fmt: skip
        start = perf_counter()
        tags = fit_and_tag(mega, tokens, labels, held, self.groups)
        return {"tags": tags, "seconds": np.asarray(perf_counter() - start)}


def settings(tagger: BaseTagger) -> dict[str, Any]:
    """Return a system's parameters, and the versions of its knowledge sources.

    Raises
    ------
    UsageError
        If a source is missing.
    """
    resources = tagger.resources() if isinstance(tagger, FeatureTagger) else {}
    learned = {name: resource.fingerprint for name, resource in resources.items()}
    return {"params": tagger.get_params(), "knowledge": knowledge_of([tagger]), **learned}


def restricted(tagger: FeatureTagger, feature_classes: Sequence[str]) -> FeatureTagger:
    """Return a tagger with the same parameters and only some classes of its templates."""
    templates = [t for t in tagger.all_templates() if t.group in feature_classes]
    chosen = dict.fromkeys(("templates", "all_templates"), lambda _: templates)
    members = {**chosen, "__module__": type(tagger).__module__}
    kind = type(type(tagger).__name__, (type(tagger),), members)
    return cast("FeatureTagger", kind(**tagger.get_params()))
