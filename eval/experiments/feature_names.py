"""What the columns of a feature matrix stand for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from multideid.features.extractor import FeatureExtractor
from multideid.features.templates import Conjunction, Template
from multideid.features.views import View
from multideid.text.table import TokenTable

_EDGE = "(edge)"


class ColumnNames:
    """The templates and values behind the columns of a fitted extractor.

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
            A token that has the feature.
        """
        template = self.template(column)
        if isinstance(template, Conjunction):
            return " ".join(self._seen(view, row, offset) for view, offset in template.parts)
        n = self._number(column)
        key = int(self._extractor.keys_[n][column - self._first[n]])
        # Values are numbered from 1, in the order in which they stand.
        values: list[str] = list(self._extractor.vocabularies_[template.view.name])
        return values[key - 1]

    def _number(self, column: int) -> int:
        return int(np.searchsorted(self._first, column, side="right")) - 1

    def _seen(self, view: View, row: int, offset: int) -> str:
        there, document = row + offset, self._tokens.document
        if not 0 <= there < len(document) or document[there] != document[row]:
            return _EDGE
        column = view.column(self._tokens)
        return column.names[int(column.codes[there])]
