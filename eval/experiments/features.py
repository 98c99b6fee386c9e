"""Information gain of features (Sibanda & Uzuner 6.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import numpy as np

from multideid.errors import UsageError
from multideid.eval.experiments.corpora import Corpus, Data, check_corpora
from multideid.eval.experiments.information_gain import (
    entropy,
    gain_of_values,
    gains_of_presence,
    row_patterns,
)
from multideid.eval.experiments.registry import Option, experiment, systems_option
from multideid.eval.experiments.result import Result, Source
from multideid.eval.experiments.setup import Setup, base_systems, check_params_used
from multideid.features.extractor import FeatureExtractor
from multideid.features.templates import Conjunction, Template
from multideid.features.views import View
from multideid.learners.feature_tagger import FeatureTagger
from multideid.stacking.mega import united_templates
from multideid.tables import Column, Record, Table
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import corpus_labels
from multideid.text.table import TokenTable

_MIN_COUNT = 2
_SHOWN = 10
_EDGE = "(edge)"
HIDDEN = (
    "values of features are words of the training documents, which may be PHI, and are hidden; "
    "--show-phi shows them"
)


_SYSTEM = (Column("corpus", "corpus"), Column("system", "system"))
_CLASS = Column("feature class", "feature_class")
_BITS = Column("bits", "gain", ".4f")
_SHARE = Column("share", "share", ".1%")
_CLASSES = (
    *_SYSTEM,
    _CLASS,
    Column("features", "templates"),
    _BITS,
    _SHARE,
    Column("best", "best"),
)
_FEATURES = (*_SYSTEM, _CLASS, Column("feature", "feature"), _BITS, _SHARE)
_TOP = (
    *_SYSTEM,
    Column("class", "label"),
    _CLASS,
    Column("feature", lambda t: t.feature if t.value is None else f"{t.feature} = {t.value}"),
    _BITS,
    Column("tokens", "tokens"),
    Column("of class", "of_class", ".1%"),
)


@experiment(
    "features", topic="corpora", source="Sibanda & Uzuner, 6.4", example="--of mega --top 10"
)
def features(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    systems: Annotated[Sequence[str], systems_option("base systems that learn, mega")] = (
        "stat-deid",
    ),
    top: Annotated[int, Option("Number of values to list for each class.")] = 5,
    show_phi: Annotated[
        bool,
        Option(
            "Show values of features too, here and in --out. They are words of the training "
            "documents.",
            flag="--show-phi",
        ),
    ] = False,
) -> Result:
    """Rank feature classes, and single values, by information gain.

    In bits, on the training documents; nothing is fitted. A feature with many
    values looks more informative than it is on new text, since rare values
    occur in one class by chance; values that occur once count as one value.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
    systems : sequence of str
        Base systems with feature templates, or ``"mega"``.
    top : int
        Number of values to list for each class.
    show_phi : bool
        Whether to show values, which are words of the corpus.

    Returns
    -------
    Result
        ``features``: the ``gain`` of each feature and its ``share`` of the
        entropy of the classes. ``classes``: that of the best feature of each
        feature class. ``top``: values with the highest gain for a class, the
        number of tokens with the value, and the share of these in the class.

    Raises
    ------
    UsageError
        If a corpus is unusable, a system has no features, or a parameter has
        no effect on them.
    """
    if top < 0:
        raise UsageError(f"top must not be negative; got {top}")
    check_params_used(setup, features=base_systems(systems, setup.systems))
    taggers = {name: _taggers(name, setup) for name in systems}
    gains = [
        _Gains(corpus, name, own)
        for corpus in check_corpora(corpora)
        for name, own in taggers.items()
    ]
    sources = tuple(Source.of(c, systems, setup, folds=False) for c in corpora)
    return _result(gains, [v for each in gains for v in each.top(top, show_phi)], sources, show_phi)


def _result(
    gains: Sequence[_Gains], values: Sequence[Record], sources: Sequence[Source], show_phi: bool
) -> Result:
    classes = [gain for each in gains for gain in each.classes()]
    best = [gain for each in gains for gain in each.features[:_SHOWN]]
    caption = "Information gain of feature classes: of their most informative feature"
    top_caption = "Most informative values, for each class against the rest"
    return Result(
        "features",
        {
            "classes": classes,
            "features": [g for each in gains for g in each.features],
            "top": values,
        },
        [
            Table.of(caption, _CLASSES, classes, left=3),
            Table.of("Most informative features", _FEATURES, best, left=4),
            Table.of(top_caption, _TOP, values, left=5),
        ],
        sources=sources,
        notes=() if show_phi else (HIDDEN,),
    )


def _taggers(name: str, setup: Setup) -> dict[str, BaseTagger]:
    taggers = {n: setup.tagger(n) for n in (setup.systems if name == "mega" else (name,))}
    if not any(isinstance(tagger, FeatureTagger) for tagger in taggers.values()):
        raise UsageError(f"{name} has no features; choose a system that learns, or mega")
    return taggers


class _Gains:
    """The features of one system on one corpus."""

    def __init__(self, corpus: Corpus, system: str, taggers: dict[str, BaseTagger]) -> None:
        self._corpus, self._system = corpus, system
        data = Data.of(corpus.train)
        self._codes = ((data.gold.ids + 1) // 2).astype(np.int64)
        extractor = FeatureExtractor(united_templates(taggers), _MIN_COUNT)
        self._features = extractor.fit_transform(data.tokens)
        self._names = ColumnNames(extractor, data.tokens)
        self.features = sorted(self._gains(), key=lambda gain: -gain.gain)

    def classes(self) -> Iterator[Record]:
        by_class: dict[str, list[Record]] = {}
        for gain in self.features:
            by_class.setdefault(gain.feature_class, []).append(gain)
        for feature_class, gains in by_class.items():
            best = gains[0]
            yield Record(
                corpus=self._corpus.name,
                system=self._system,
                feature_class=feature_class,
                templates=len(gains),
                best=best.feature,
                gain=best.gain,
                share=best.share,
            )

    def _gains(self) -> Iterator[Record]:
        total = float(entropy(np.bincount(self._codes)))
        by_column = self._features.tocsc()
        for template, columns in self._names.of_templates():
            patterns = row_patterns(by_column[:, columns].tocsr())
            gain = gain_of_values(patterns, self._codes)
            yield Record(
                corpus=self._corpus.name,
                system=self._system,
                feature_class=template.group,
                feature=template.name,
                gain=gain,
                share=gain / total if total else 0.0,
            )

    def top(self, n: int, show_phi: bool) -> Iterator[Record]:
        by_column = self._features.tocsc()
        for k, label in enumerate(corpus_labels(self._corpus.train), 1):
            is_class = self._codes == k
            gains = gains_of_presence(self._features, is_class)
            for column in np.argsort(-gains, kind="stable")[:n].tolist():
                rows = by_column.indices[by_column.indptr[column] : by_column.indptr[column + 1]]
                template = self._names.template(column)
                yield Record(
                    corpus=self._corpus.name,
                    system=self._system,
                    label=label,
                    feature_class=template.group,
                    feature=template.name,
                    value=self._names.value(column, int(rows[0])) if show_phi else None,
                    gain=float(gains[column]),
                    tokens=len(rows),
                    of_class=float(is_class[rows].mean()),
                )


class ColumnNames:
    """The templates and values of the columns of a fitted extractor.

    Parameters
    ----------
    extractor : FeatureExtractor
        Fitted on `tokens`.
    tokens : TokenTable
    """

    def __init__(self, extractor: FeatureExtractor, tokens: TokenTable) -> None:
        self._extractor = extractor
        self._tokens = tokens
        self._first = np.cumsum([0, *map(len, extractor.keys_)])

    def of_templates(self) -> Iterator[tuple[Template, slice]]:
        """Yield every template and its columns."""
        for n, template in enumerate(self._extractor.templates):
            yield template, slice(int(self._first[n]), int(self._first[n + 1]))

    def template(self, column: int) -> Template:
        """Return the template of a column."""
        return self._extractor.templates[self._number(column)]

    def value(self, column: int, row: int) -> str:
        """Return the value of a column, which may be a word of the corpus.

        Parameters
        ----------
        column : int
        row : int
            A token with the value.
        """
        template = self.template(column)
        if isinstance(template, Conjunction):
            return " ".join(self._neighbour(view, row, offset) for view, offset in template.parts)
        n = self._number(column)
        key = int(self._extractor.keys_[n][column - self._first[n]])
        # Keys number the values from 1.
        values: list[str] = list(self._extractor.vocabularies_[template.view.name])
        return values[key - 1]

    def _number(self, column: int) -> int:
        return int(np.searchsorted(self._first, column, side="right")) - 1

    def _neighbour(self, view: View, row: int, offset: int) -> str:
        there, document = row + offset, self._tokens.document
        if not 0 <= there < len(document) or document[there] != document[row]:
            return _EDGE
        column = view.column(self._tokens)
        return column.names[int(column.codes[there])]
