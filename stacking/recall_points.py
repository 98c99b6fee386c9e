"""The recall points of a model, and which of them is in use: its own, or that of a site."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import NamedTuple, Self

from multideid.arrays import FloatArray
from multideid.errors import UsageError
from multideid.site.step import SiteStep
from multideid.stacking.site_knowledge import SiteKnowledge
from multideid.stacking.stored_model import StoredModel
from multideid.stacking.thresholds import NEEDS_EVIDENCE


class RecallPoint(NamedTuple):
    """How a model decides.

    Parameters
    ----------
    offsets : float32 array, shape (n_classes,)
        Of the decision thresholds.
    words_need_evidence : bool
        Whether ordinary words are flipped with evidence only.
    """

    offsets: FloatArray
    words_need_evidence: bool


class RecallPoints(SiteKnowledge, StoredModel):
    """A de-identifier whose decision thresholds a recall point changes, or a site.

    Attributes
    ----------
    offsets_ : float32 array, shape (n_classes,)
        Of the decision thresholds in use. Set by `fit`.
    """

    offsets_: FloatArray
    _words_need_evidence = False
    _points: dict[str, FloatArray]
    _before_site: RecallPoint | None = None
    """The model's own point, while that of a site is in use."""

    def with_recall(self, point: str) -> Self:
        """Return a copy of the model with the thresholds of a named operating point.

        Parameters
        ----------
        point : {"balanced", "high", "maximum"}
            A missed token costs as much as 1.5, 6 or 40 false alarms (`cost_ratios`), to
            ``en-default`` 1, 5.4 or 30. The thresholds minimise the cost out of fold. Marks,
            and at ``"maximum"`` ordinary words, are flipped with evidence only
            (`multideid.stacking.flip_evidence`). It replaces the point of a site that the
            model has.

        Raises
        ------
        UsageError
            If the point is unknown.
        """
        model = self._at_point(point)
        if model._site is not None and model._site.site.recall is not None:
            model._site = SiteStep(replace(model._site.site, recall=None))
        return model

    def _at_point(self, point: str) -> Self:
        self._check_fitted()
        if not isinstance(point, str) or point not in self._points:
            raise UsageError(f"recall is one of {', '.join(self._points)}; got {point!r}")
        model = copy(self)
        model._use(self._named(point))
        return model

    def _named(self, point: str) -> RecallPoint:
        return RecallPoint(self._points[point], point == NEEDS_EVIDENCE)

    def _use(self, point: RecallPoint, before_site: RecallPoint | None = None) -> None:
        self.offsets_, self._words_need_evidence = point
        self._before_site = before_site

    def _use_learned(self, own: RecallPoint) -> None:
        """Use the point that a fit ended with, unless a site asks for another."""
        self._use(own)
        wanted = None if self.site is None else self.site.recall
        if wanted is not None:
            self._use(self._named(wanted), own)

    def _own_point(self) -> RecallPoint:
        """Return how the model decides without a site."""
        return self._before_site or RecallPoint(self.offsets_, self._words_need_evidence)

    def _without_site(self) -> Self:
        model = super()._without_site()
        if self._before_site is not None:
            model._use(self._before_site)
        return model

    def _with_recall_of_site(self, point: str) -> Self:
        model = self._at_point(point)
        model._before_site = self._own_point()
        return model
