"""What features tell of PHI: information gain (Sibanda & Uzuner 6.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from multideid.errors import UsageError
from multideid.eval.experiments.corpora import Corpus, check_corpora
from multideid.eval.experiments.data import Data
from multideid.eval.experiments.feature_names import ColumnNames
from multideid.eval.experiments.fits import Setup
from multideid.eval.experiments.information_gain import (
    entropy,
    gain_of_values,
    gains_of_presence,
    row_patterns,
)
from multideid.eval.experiments.parts import check_parts
from multideid.eval.experiments.plans import base_systems
from multideid.eval.experiments.results import Source, document_text
from multideid.eval.reports.text_cells import section
from multideid.features.extractor import FeatureExtractor
from multideid.learners.feature_tagger import FeatureTagger
from multideid.stacking.mega import united_templates
from multideid.tables import text_table
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import corpus_labels

_MIN_COUNT = 2
_SHOWN = 10
_CLASSES = ("corpus", "system", "feature class", "features", "bits", "share", "most telling")
_FEATURES = ("corpus", "system", "feature class", "feature", "bits", "share")
_TOP = ("corpus", "system", "class", "feature class", "feature", "bits", "tokens", "of class")
HIDDEN = (
    "values of features are words of the training documents, which may be PHI, and so are not "
    "told; --show-phi tells them"
)


@dataclass(frozen=True, slots=True)
class FeatureGain:
    """What one feature tells: the word itself, the word before.

    Parameters
    ----------
    corpus, system, feature_class : str
    feature : str
        Its view and where it looks.
    gain : float
        Bits that its value tells of the token's class.
    share : float
        Of all there is to tell, the entropy of the classes.
    """

    corpus: str
    system: str
    feature_class: str
    feature: str
    gain: float
    share: float


@dataclass(frozen=True, slots=True)
class ClassGain:
    """What a feature class tells.

    Parameters
    ----------
    corpus, system, feature_class : str
    templates : int
        How many features it has.
    best : str
        The one that tells most.
    gain, share : float
        Of the best one, as in `FeatureGain`.
    """

    corpus: str
    system: str
    feature_class: str
    templates: int
    best: str
    gain: float
    share: float


@dataclass(frozen=True, slots=True)
class TopFeature:
    """One value of a feature that tells a class from all else.

    Parameters
    ----------
    corpus, system, label : str
    feature_class, feature : str
    value : str or None
        None unless PHI may be shown.
    gain : float
        Bits that its presence tells of the class against the rest.
    tokens : int
        Training tokens that have it.
    of_class : float
        Share of these that are of the class.
    """

    corpus: str
    system: str
    label: str
    feature_class: str
    feature: str
    value: str | None
    gain: float
    tokens: int
    of_class: float


@dataclass(frozen=True, slots=True)
class Features:
    """Information gain of features on training documents.

    Parameters
    ----------
    classes : tuple of ClassGain
        Most telling first.
    features : tuple of FeatureGain
        Most telling first.
    top : tuple of TopFeature
        Class by class, most telling first.
    sources : tuple of Source
    notes : tuple of str
    """

    classes: tuple[ClassGain, ...]
    features: tuple[FeatureGain, ...]
    top: tuple[TopFeature, ...]
    sources: tuple[Source, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "experiment": "features",
            "classes": [asdict(gain) for gain in self.classes],
            "features": [asdict(gain) for gain in self.features],
            "top": [asdict(feature) for feature in self.top],
            "sources": [source.to_dict() for source in self.sources],
            "notes": list(self.notes),
        }

    def to_text(self) -> str:
        """Return both tables, the notes and the signatures."""
        classes = text_table(_CLASSES, [_class_row(gain) for gain in self.classes], left=3)
        ranked = text_table(_FEATURES, [_feature_row(gain) for gain in self._telling()], left=4)
        top = text_table(_TOP, [_top_row(feature) for feature in self.top], left=5)
        sections = [
            section("Information gain of feature classes: of their most telling feature", classes),
            section("Most telling features", ranked),
            section("Most telling values, for each class against the rest", top),
        ]
        return document_text(sections, self.notes, self.sources)

    def _telling(self) -> Iterator[FeatureGain]:
        shown: Counter[tuple[str, str]] = Counter()
        for gain in self.features:
            shown[gain.corpus, gain.system] += 1
            if shown[gain.corpus, gain.system] <= _SHOWN:
                yield gain


def features(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    systems: Sequence[str] = ("stat-deid",),
    top: int = 5,
    show_phi: bool = False,
) -> Features:
    """Rank feature classes, and single values, by information gain on training documents.

    Nothing is fitted. A feature with many values tells more than it would of
    new text, since rare values are of one class by chance; values seen once
    count as one value.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
    systems : sequence of str
        Base systems with feature templates, or ``"mega"``.
    top : int
        How many values to list for each class.
    show_phi : bool
        Whether values, which are words of the corpus, may be told.

    Raises
    ------
    UsageError
        If a corpus cannot be used, a system has no features, or a parameter
        is none that they are made of.
    """
    if top < 0:
        raise UsageError(f"top must not be negative; got {top}")
    check_parts(setup, features=base_systems(systems, setup.systems))
    taggers = {name: _taggers(name, setup) for name in systems}
    studies = [
        _Study(corpus, name, own)
        for corpus in check_corpora(corpora)
        for name, own in taggers.items()
    ]
    return Features(
        classes=tuple(gain for study in studies for gain in study.classes()),
        features=tuple(gain for study in studies for gain in study.features),
        top=tuple(t for study in studies for t in study.top(top, show_phi)),
        sources=tuple(Source.of(c, systems, setup, folds=False) for c in corpora),
        notes=() if show_phi else (HIDDEN,),
    )


def _taggers(name: str, setup: Setup) -> dict[str, BaseTagger]:
    taggers = {n: setup.tagger(n) for n in (setup.systems if name == "mega" else (name,))}
    if not any(isinstance(tagger, FeatureTagger) for tagger in taggers.values()):
        raise UsageError(f"{name} has no features; choose a system that learns, or mega")
    return taggers


class _Study:
    """The features of one system on one corpus."""

    def __init__(self, corpus: Corpus, system: str, taggers: dict[str, BaseTagger]) -> None:
        self._corpus, self._system = corpus, system
        data = Data.of(corpus.train)
        self._tokens = data.tokens
        self._codes = ((data.gold.ids + 1) // 2).astype(np.int64)
        self._extractor = FeatureExtractor(united_templates(taggers), _MIN_COUNT)
        self._features = self._extractor.fit_transform(data.tokens)
        self._columns = ColumnNames(self._extractor, data.tokens)
        self.features = sorted(self._gains(), key=lambda gain: -gain.gain)

    def classes(self) -> Iterator[ClassGain]:
        by_class: dict[str, list[FeatureGain]] = {}
        for gain in self.features:
            by_class.setdefault(gain.feature_class, []).append(gain)
        for feature_class, gains in by_class.items():
            best = gains[0]
            names = (self._corpus.name, self._system, feature_class)
            yield ClassGain(*names, len(gains), best.feature, best.gain, best.share)

    def _gains(self) -> Iterator[FeatureGain]:
        total = float(entropy(np.bincount(self._codes)))
        by_column = self._features.tocsc()
        for template, columns in self._columns.of_templates():
            patterns = row_patterns(by_column[:, columns].tocsr())
            gain = gain_of_values(patterns, self._codes)
            names = (self._corpus.name, self._system, template.group, template.name)
            yield FeatureGain(*names, gain, gain / total if total else 0.0)

    def top(self, n: int, show_phi: bool) -> Iterator[TopFeature]:
        by_column = self._features.tocsc()
        for k, label in enumerate(corpus_labels(self._corpus.train), 1):
            is_class = self._codes == k
            gains = gains_of_presence(self._features, is_class)
            for column in np.argsort(-gains, kind="stable")[:n].tolist():
                rows = by_column.indices[by_column.indptr[column] : by_column.indptr[column + 1]]
                template = self._columns.template(column)
                yield TopFeature(
                    corpus=self._corpus.name,
                    system=self._system,
                    label=label,
                    feature_class=template.group,
                    feature=template.name,
                    value=self._columns.value(column, int(rows[0])) if show_phi else None,
                    gain=float(gains[column]),
                    tokens=len(rows),
                    of_class=float(is_class[rows].mean()),
                )


def _class_row(gain: ClassGain) -> list[str]:
    cells = [gain.corpus, gain.system, gain.feature_class, str(gain.templates)]
    return [*cells, f"{gain.gain:.4f}", f"{gain.share:.1%}", gain.best]


def _feature_row(gain: FeatureGain) -> list[str]:
    cells = [gain.corpus, gain.system, gain.feature_class, gain.feature]
    return [*cells, f"{gain.gain:.4f}", f"{gain.share:.1%}"]


def _top_row(top: TopFeature) -> list[str]:
    name = top.feature if top.value is None else f"{top.feature} = {top.value}"
    cells = [top.corpus, top.system, top.label, top.feature_class, name]
    return [*cells, f"{top.gain:.4f}", str(top.tokens), f"{top.of_class:.1%}"]
