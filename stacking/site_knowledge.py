"""Models with a site's knowledge."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy
from functools import partial
from pathlib import Path
from typing import ClassVar, Self

from multideid.document import Document, Evidence, Span
from multideid.errors import UsageError
from multideid.evidence import with_evidence
from multideid.redact.actions import Actions
from multideid.redact.modes import Replacer, mask
from multideid.site.patients import PATIENT
from multideid.site.site import Site, as_site
from multideid.site.step import SiteStep
from multideid.stacking.reading import Reading

SpanScores = Sequence[Sequence[float | None]]
"""For each span of each document, its score, or None if the model has no scores."""


class SiteKnowledge(ABC):
    """A de-identifier that a site's knowledge can be given to.

    Attributes
    ----------
    labels_ : tuple of str
    """

    kind: ClassVar[str]
    labels_: tuple[str, ...]
    _site: SiteStep | None = None

    @property
    def site(self) -> Site | None:
        """The site's knowledge that `with_site` gave."""
        return None if self._site is None else self._site.site

    @property
    def predicted_labels_(self) -> tuple[str, ...]:
        """All labels that predicted spans can have."""
        return self.labels_

    def with_site(self, site: Site | str | Path | None) -> Self:
        """Return a copy of the model that uses what a site knows.

        The knowledge, and the recall that it asks for, is not part of the model: `save` does
        not write it, and another site, or None, replaces all of it.

        Parameters
        ----------
        site : Site, str or Path, optional
            Or a file ``site.toml``. None takes the knowledge away.

        Raises
        ------
        UsageError
            If the site has a label that the model does not have, labels that leave out one of
            its own lists or patterns, a recall point though it is not a Multi model, or a
            least score, and nothing has scores.
        ResourceError
            If the file has mistakes; names the line of each.
        """
        model = self._without_site()
        if site is None:
            return model
        model._site = SiteStep(as_site(site))
        if hasattr(model, "labels_"):
            model._site.check_labels(model.predicted_labels_)
        if model._site.site.min_score > 0 and not model._site.site.patterns:
            model.check_scores("min_score")
        point = model._site.site.recall
        return model if point is None else model._with_recall_of_site(point)

    def _without_site(self) -> Self:
        model = copy(self)
        model._site = None
        return model

    def _with_recall_of_site(self, point: str) -> Self:
        """Return a copy that uses a recall point until the site is taken away."""
        return self.with_recall(point)

    def with_recall(self, point: str) -> Self:
        """Return a copy of the model at another recall point; for Multi models.

        Raises
        ------
        UsageError
            If it is a model of another kind.
        """
        problem = "recall is for multi models, which learn decision thresholds"
        raise UsageError(f"{problem}; the model is of kind {self.kind!r}")

    def check_scores(self, wanted: str) -> None:
        """Check that the spans of the model have scores.

        Parameters
        ----------
        wanted : str
            What needs them, for the error.

        Raises
        ------
        UsageError
            If they have none.
        """
        problem = "is for multi models, whose spans have scores"
        raise UsageError(f"{wanted} {problem}; the model is of kind {self.kind!r}")

    @abstractmethod
    def _scores_of_spans(self, documents: Sequence[Document], reading: Reading) -> SpanScores:
        """Return the score of each span of the documents that were read; as `span_scores`."""

    def _own_replacer(self) -> Replacer:
        """Return what the actions of the site do to PHI."""
        site = self.site
        if site is None:
            return mask
        return Actions(site.all_actions(), patient=PATIENT, date_order=site.date_order)

    def _with_knowledge(self, reading: Reading, found: Sequence[Document]) -> list[Document]:
        """Return documents with the spans that the site's knowledge leads to."""
        if self._site is None:
            return list(found)
        score_spans = partial(self._scores_of_spans, reading=reading)
        results = self._site.apply(reading.tokens, found, score_spans, self.labels_)
        return [
            with_evidence(document, ((r.span, Evidence(r.score, r.sources)) for r in result))
            for document, result in zip(found, results, strict=True)
        ]

    def _said_by_site(
        self, reading: Reading, documents: Sequence[Document]
    ) -> list[dict[str, tuple[Span, ...]]]:
        """Return the spans that each part of the site's knowledge finds by itself."""
        if self._site is None:
            return [{} for _ in documents]
        score_spans = partial(self._scores_of_spans, reading=reading)
        return self._site.spans_by_source(reading.tokens, documents, score_spans, self.labels_)
