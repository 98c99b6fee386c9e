"""Scores by kind of note, out of fold: systems and stacker have not seen briefs of the note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import pandas as pd

from multideid.arrays import BoolArray, FloatArray, IntArray, LongArray
from multideid.document import Document
from multideid.samples import sample_corpus
from multideid.stacking import MultiDeidentifier
from multideid.stacking.flip_evidence import with_evidence
from multideid.stacking.out_of_fold import OutOfFold
from multideid.stacking.span_choice import SpanChoice
from multideid.stacking.thresholds import NEEDS_EVIDENCE, OPERATING_POINTS, USUAL, decide
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


class RecordingMulti(MultiDeidentifier):
    """Multi that keeps its out-of-fold decisions while it is fitted."""

    # Chosen by kinds of note left out, and on dev (docs/notebook/en-default.md, "Cost ratios").
    cost_ratios: ClassVar[Mapping[str, float]] = {"balanced": 1.0, "high": 5.4, "maximum": 30.0}

    def _fit_stacker(
        self, tokens: TokenTable, labels: TokenLabels, scores: OutOfFold, fold: LongArray
    ) -> None:
        self._tokens, self._fold = tokens, fold
        super()._fit_stacker(tokens, labels, scores, fold)

    def _fitted_choice(
        self,
        tokens: TokenTable,
        labels: TokenLabels,
        margins: FloatArray,
        scores: Sequence[FloatArray],
    ) -> SpanChoice | None:
        self._of_tokens = {"gold": labels.ids > 0}
        tags = {
            point: with_evidence(
                tokens, decide(tokens, margins, offsets), scores, words=point == NEEDS_EVIDENCE
            )
            for point, offsets in self._points.items()
        }
        for fold in range(self.folds):
            self._choose_in(fold, labels, margins, scores, tags)
        self._of_tokens |= {point: found > 0 for point, found in tags.items()}
        return super()._fitted_choice(tokens, labels, margins, scores)

    def _choose_in(
        self,
        fold: int,
        labels: TokenLabels,
        margins: FloatArray,
        scores: Sequence[FloatArray],
        tags: dict[str, IntArray],
    ) -> None:
        """Choose spans in the documents of a fold by a regression fitted to the others."""
        rows, tokens, part = self._part(np.flatnonzero(self._fold != fold), scores)
        known = self.stacker_.normalisations_
        gold, ratio = labels.rows(rows), self.cost_ratios[USUAL]
        choice = SpanChoice.of_margins(tokens, gold, margins[rows], part, known, cost_ratio=ratio)
        if choice is None:
            return
        rows, tokens, part = self._part(np.flatnonzero(self._fold == fold), scores)
        for found in tags.values():
            found[rows] = choice.chosen(tokens, found[rows], part, known)

    def _part(
        self, documents: LongArray, scores: Sequence[FloatArray]
    ) -> tuple[LongArray, TokenTable, list[FloatArray]]:
        rows = self._tokens.rows(documents.tolist())
        return rows, self._tokens.select(documents.tolist()), [s[rows] for s in scores]

    def by_kind(
        self, documents: Sequence[Document], notes: Sequence[bool], packaged: Sequence[bool]
    ) -> pd.DataFrame:
        """Return token two-way precision and recall by kind of note, out of fold.

        Parameters
        ----------
        documents : sequence of Document
            Those that it was fitted to, without copies.
        notes : sequence of bool
            Which of them are counted: those with a kind.
        packaged : sequence of bool
            Which of them are in the package.

        Returns
        -------
        pandas.DataFrame
            A row for each kind, "all" and "of the package"; the number of notes, and
            precision and recall at every operating point.
        """
        kinds = [
            str(d.meta["kind"]) if chosen else ""
            for d, chosen in zip(documents, notes, strict=True)
        ]
        of_token = np.array(kinds)[self._tokens.document]
        names = sorted({*kinds} - {""})
        rows = {name: self._row(of_token == name) | {"notes": kinds.count(name)} for name in names}
        rows["all"] = self._row(of_token != "") | {"notes": sum(notes)}
        of_package = np.array(packaged)[self._tokens.document]
        rows["of the package"] = self._row(of_package) | {"notes": sum(packaged)}
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("kind")

    def _row(self, chosen: BoolArray) -> dict[str, float]:
        phi = self._of_tokens["gold"] & chosen
        row = {}
        for point in OPERATING_POINTS:
            found = self._of_tokens[point] & chosen
            right = int((phi & found).sum())
            row[f"{point} precision"] = right / max(1, int(found.sum()))
            row[f"{point} recall"] = right / max(1, int(phi.sum()))
        return row


def write_by_kind(model: RecordingMulti, documents: Sequence[Document], path: Path) -> None:
    """Write the table of the sample notes among the documents, without copies, as CSV."""
    notes = ["kind" in d.meta for d in documents]
    in_package = {note.id for note in sample_corpus()}
    packaged = [d.id in in_package for d in documents]
    model.by_kind(documents, notes, packaged).round(4).to_csv(path)
