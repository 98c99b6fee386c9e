"""Scores by kind of note, out of fold: systems and stacker have not seen briefs of the note."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from multideid.arrays import BoolArray, FloatArray
from multideid.document import Document
from multideid.stacking import MultiDeidentifier
from multideid.stacking.folds import Groups
from multideid.stacking.thresholds import OPERATING_POINTS, decide
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


class RecordingMulti(MultiDeidentifier):
    """Multi that keeps its out-of-fold margins while it is fitted."""

    def _fit(self, tokens: TokenTable, labels: TokenLabels, groups: Groups = None) -> None:
        self._tokens = tokens
        super()._fit(tokens, labels, groups)

    def _set_thresholds(self, margins: FloatArray, labels: TokenLabels) -> None:
        super()._set_thresholds(margins, labels)
        found = {
            point: decide(self._tokens, margins, offsets).tags > 0
            for point, offsets in self._points.items()
        }
        self._of_tokens = found | {"gold": labels.ids > 0}

    def by_kind(self, documents: Sequence[Document], notes: Sequence[bool]) -> pd.DataFrame:
        """Return token two-way precision and recall by kind of note, out of fold.

        Parameters
        ----------
        documents : sequence of Document
            Those that it was fitted to.
        notes : sequence of bool
            Which of them are counted: those with a kind, and no copies.

        Returns
        -------
        pandas.DataFrame
            A row for each kind, and "all"; the number of notes, and precision and recall at
            every operating point. What evidence forbids to flip is counted as flipped.
        """
        kinds = [
            str(d.meta["kind"]) if chosen else ""
            for d, chosen in zip(documents, notes, strict=True)
        ]
        of_token = np.array(kinds)[self._tokens.document]
        names = sorted({*kinds} - {""})
        rows = {name: self._row(of_token == name) | {"notes": kinds.count(name)} for name in names}
        rows["all"] = self._row(of_token != "") | {"notes": sum(notes)}
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
    """Write the table of the sample notes among the documents as CSV."""
    notes = ["kind" in d.meta and "-copy-" not in d.id for d in documents]
    model.by_kind(documents, notes).round(4).to_csv(path)
