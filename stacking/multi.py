"""Multi: a stacked SVM over the decisions and scores of independent base systems."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from multideid.arrays import FloatArray, IntArray, LongArray
from multideid.document import Document
from multideid.errors import UsageError
from multideid.lazy import lazy
from multideid.stacking.calibration import Calibration, mean_over_spans, tokens_of_spans
from multideid.stacking.deidentifier import Deidentifier
from multideid.stacking.fitting import Progress
from multideid.stacking.flip_evidence import with_evidence
from multideid.stacking.folds import document_folds
from multideid.stacking.grouping import UNGROUPED, Grouping
from multideid.stacking.multi_values import MultiValues
from multideid.stacking.out_of_fold import (
    DEFAULT_SYSTEMS,
    OutOfFold,
    check_systems,
    fit_out_of_fold,
    fit_stackers,
    out_of_fold_margins,
)
from multideid.stacking.reading import Reading
from multideid.stacking.recall_points import RecallPoint, RecallPoints
from multideid.stacking.settings import check_seed
from multideid.stacking.span_choice import SpanChoice
from multideid.stacking.stacker import Stacker
from multideid.stacking.systems import Systems
from multideid.stacking.thresholds import (
    OPERATING_POINTS,
    USUAL,
    Decisions,
    DecisionThresholds,
    RecallWarning,
    decide,
)
from multideid.text.bio import TokenLabels, phi_labels
from multideid.text.table import TokenTable
from multideid.timing import stage

if TYPE_CHECKING:
    import pandas as pd

    from multideid.stacking.compiled_stacker import CompiledStacker


_SPAN_CHOICE = "span_choice"


class MultiDeidentifier(RecallPoints, Deidentifier):
    """Several base systems, and an SVM that combines them (thesis, Figure 1-2).

    Parameters
    ----------
    systems : sequence of str, or mapping of str to mapping
        Names of registered base systems; in a mapping, with the parameters of each.
    folds : int, default 5
        Number of folds. The stacker learns from out-of-fold scores: those of systems
        that were fitted without the fold of the document.
    recall : float, optional
        Requested recall of PHI tokens, above 0 and below 1. The decision
        thresholds are those of the lowest cost ratio that achieves it out of fold.
    augmentation : bool, default True
        Whether the stacker also learns from text with words dropped and replaced
        (`multideid.stacking.augmentation`). It helps if all notes follow the same
        templates; on notes of many kinds, with groups, it costs recall. Without it, the
        stacker also learns the odds of PHI (`multideid.stacking.phi_odds`), which make
        fewer false alarms at high recall.
    document_context : bool, default True
        Whether the stacker also sees what the systems found at the other occurrences
        of the word in the document.
    span_choice : bool, default True
        Whether borders and labels of disputed PHI are chosen for whole spans
        (`multideid.stacking.span_choice`), and not token by token.
    decisions_only : bool, default False
        Whether the stacker learns from the systems' decisions for the token alone, without
        their scores and without neighbours. `multideid.stacking.paper.PLAIN_STACKER` has this
        and the other settings of the thesis's Multi.
    c : float, default 0.016
        Inverse of the regularisation strength of the stacker's SVM.
    seed : int, default 0
    pass_through : bool, default True
        Whether certain finds of rules in classes that nobody annotated are kept
        (`passing_labels_`).
    n_jobs : int, optional
        Number of processes. Default, as -1: one per processor.
    progress : callable, optional
        Called with ``(done, total, name)`` after each fit.

    Attributes
    ----------
    calibration_ : Calibration or None
        The curve from margins to probabilities, fitted out of fold; None in models of older
        versions, and where there was nothing to fit it to.
    span_choice_ : SpanChoice or None
        Fitted out of fold; None in models of older versions, with ``span_choice=False``, and
        where there was nothing to choose.
    trust_ : pandas.DataFrame
        Share of each system (column) in the decisions for each PHI class (row), see
        `multideid.stacking.stacker.Stacker.trust`. Rows sum to one, or are 0 for a class
        that no system supports.
    """

    kind: ClassVar[str] = "multi"
    cost_ratios: ClassVar[Mapping[str, float]] = OPERATING_POINTS
    """The cost of a missed token in false alarms at each operating point that `fit` learns."""

    def __init__(  # noqa: PLR0913 (all but two by name)
        self,
        systems: Systems = DEFAULT_SYSTEMS,
        folds: int = 5,
        *,
        recall: float | None = None,
        augmentation: bool = True,
        document_context: bool = True,
        span_choice: bool = True,
        decisions_only: bool = False,
        c: float = 0.016,
        seed: int = 0,
        pass_through: bool = True,
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.systems = systems
        self.folds = folds
        self.recall = recall
        self.augmentation = augmentation
        self.document_context = document_context
        self.span_choice = span_choice
        self.decisions_only = decisions_only
        self.c = c
        self.seed = seed
        self.pass_through = pass_through
        self.n_jobs = n_jobs
        self.progress = progress

    @property
    def trust_(self) -> pd.DataFrame:
        """Share of each system in the decisions for each PHI class."""
        import pandas as pd

        self._check_fitted()
        return pd.DataFrame(self._shares, index=list(self.labels_), columns=list(self.taggers_))

    def _fit(self, tokens: TokenTable, labels: TokenLabels, grouping: Grouping = UNGROUPED) -> None:
        check_systems(self.systems)
        fold = document_folds(len(tokens.ids), self.folds, check_seed(self.seed), grouping.groups)
        stacked = grouping.stacked(len(fold))
        self.taggers_, scores = fit_out_of_fold(
            self.systems, tokens, labels, fold,
            stacked=stacked, augment=self.augmentation, n_jobs=self.n_jobs, progress=self.progress,
        )  # fmt: skip
        if grouping.copies is not None:
            labels = labels.rows(tokens.rows(stacked))
            tokens, fold = tokens.select(stacked), fold[stacked]
        self._fit_stacker(tokens, labels, scores, fold)

    def _fit_stacker(
        self, tokens: TokenTable, labels: TokenLabels, scores: OutOfFold, fold: LongArray
    ) -> None:
        """Fit all that learns out of fold; parameters as for `fit_stackers`."""
        stacker = Stacker(self.c, self.seed, self.document_context, self.decisions_only)
        stackers = fit_stackers(
            stacker, tokens, labels, scores, fold, [None, *range(self.folds)],
            n_jobs=self.n_jobs, progress=self.progress,
        )  # fmt: skip
        with closing(stackers):
            self.stacker_ = next(stackers)
            self._shares = self.stacker_.trust(tokens, labels, scores.scores)
            margins = out_of_fold_margins(stackers, tokens, scores, fold)
        if not self.augmentation:
            # The odds see no augmented text: they would undo what the stacker learned from it.
            margins = self.stacker_.fit_odds(tokens, margins, scores.scores, labels.ids > 0, fold)
        self._set_thresholds(margins, labels)
        self.calibration_ = Calibration.of(margins, labels.ids > 0)
        choice = None
        if self.span_choice:
            choice = self._fitted_choice(tokens, labels, margins, scores.scores)
        self.span_choice_ = choice

    def _fitted_choice(
        self,
        tokens: TokenTable,
        labels: TokenLabels,
        margins: FloatArray,
        scores: Sequence[FloatArray],
    ) -> SpanChoice | None:
        known, ratio = self.stacker_.normalisations_, self.cost_ratios[USUAL]
        return SpanChoice.of_margins(tokens, labels, margins, scores, known, cost_ratio=ratio)

    def _set_thresholds(self, margins: FloatArray, labels: TokenLabels) -> None:
        thresholds = DecisionThresholds.of(margins, labels)
        self._points = {
            name: thresholds.at_cost_ratio(ratio) for name, ratio in self.cost_ratios.items()
        }
        offsets = np.zeros(len(phi_labels(labels.names)), dtype=np.float32)
        if self.recall is not None:
            offsets = thresholds.at_recall(self.recall)
            problem = thresholds.shortfall(self.recall)
            if problem:
                warnings.warn(problem, RecallWarning, stacklevel=4)
        self._use_learned(RecallPoint(offsets, words_need_evidence=False))

    def check_scores(self, wanted: str) -> None:
        """Check that the fitted model is calibrated, so that spans have scores.

        Parameters
        ----------
        wanted : str
            What needs them, for the error.

        Raises
        ------
        UsageError
            If it is not calibrated.
        """
        if getattr(self, "labels_", None) is not None and self.calibration_ is None:
            raise UsageError(f"{wanted} needs scores, and the model is not calibrated")

    def _calibrated_scores(
        self, documents: Sequence[Document], reading: Reading
    ) -> list[tuple[float | None, ...]]:
        if self.calibration_ is None:
            return super()._calibrated_scores(documents, reading)
        margins = self._margins_of_spans(documents, reading)
        probabilities = self.calibration_.probabilities(margins)
        return [*mean_over_spans(documents, reading.tokens, probabilities)]

    def _margins_of_spans(self, documents: Sequence[Document], reading: Reading) -> FloatArray:
        """Return margins that are right for the tokens of spans."""
        if not reading.is_compiled:
            return self._margins(reading)  # Decisions were made by them.
        tokens, inputs = reading.tokens, self._stacker_inputs(reading)
        wanted = tokens_of_spans(documents, tokens)
        return self.stacker_.margins(tokens, reading.scores, inputs, wanted, compiled=True)

    def _margins(self, reading: Reading) -> FloatArray:
        return reading.once("margins", lambda: self._computed_margins(reading))

    def _computed_margins(self, reading: Reading) -> FloatArray:
        inputs = self._stacker_inputs(reading)
        return self.stacker_.margins(reading.tokens, reading.scores, inputs)

    def _stacker_inputs(self, reading: Reading) -> Sequence[FloatArray]:
        stacker, tokens = self.stacker_, reading.tokens
        return reading.once("inputs", lambda: stacker.inputs(tokens, reading.scores))

    def _tags(self, reading: Reading) -> IntArray:
        scores = reading.scores
        with stage("stacker"):
            return self._chosen(reading.tokens, self._decisions(reading), scores)

    def _decisions(self, reading: Reading) -> Decisions:
        if reading.is_compiled:
            return self._compiled_stacker.decide_all(reading.tokens, self._stacker_inputs(reading))
        return decide(reading.tokens, self._margins(reading), self.offsets_)

    def _chosen(
        self, tokens: TokenTable, decisions: Decisions, scores: Sequence[FloatArray]
    ) -> IntArray:
        tags = self._evident(tokens, decisions, scores)
        if self.span_choice_ is None:
            return tags
        return self.span_choice_.chosen(tokens, tags, scores, self.stacker_.normalisations_)

    def _evident(
        self, tokens: TokenTable, decisions: Decisions, scores: Sequence[FloatArray]
    ) -> IntArray:
        return with_evidence(tokens, decisions, scores, words=self._words_need_evidence)

    @lazy
    def _compiled_stacker(self) -> CompiledStacker:
        from multideid.stacking.compiled_stacker import CompiledStacker

        model, normalisations = self.stacker_.model_, self.stacker_.all_normalisations()
        return CompiledStacker(model, normalisations, self.offsets_, self.stacker_.odds_)

    def _save(self, folder: Path) -> None:
        self.stacker_.save(folder)
        if self.span_choice_ is not None:
            self.span_choice_.save(folder, _SPAN_CHOICE)
        own = self._own_point()
        MultiValues(
            own.offsets,
            self._points,
            self._shares,
            self.calibration_,
            span_choice=self.span_choice_ is not None,
            words_need_evidence=own.words_need_evidence,
        ).save(folder)

    def _load(self, folder: Path) -> None:
        n_systems, n_classes = len(self.taggers_), len(self.labels_)
        self.stacker_ = Stacker.load(folder, n_systems, 2 * n_classes + 1)
        values = MultiValues.load(folder, n_systems, n_classes)
        self._use(RecallPoint(values.offsets, values.words_need_evidence))
        self._points, self._shares = values.points, values.shares
        self.calibration_ = values.calibration
        self.span_choice_ = None
        if values.span_choice:
            self.span_choice_ = SpanChoice.read(folder, _SPAN_CHOICE, n_systems, n_classes)
