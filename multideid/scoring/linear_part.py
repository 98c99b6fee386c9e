"""What is compiled: linear models over feature templates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from multideid.arrays import LongArray
from multideid.features.extractor import FeatureExtractor
from multideid.features.templates import Bag, Template, Window
from multideid.features.views import SetView, View
from multideid.scoring.sparse_weights import exact_up_to


@dataclass(frozen=True, slots=True)
class LinearPart:
    """A sum of feature weights for every label: what an SVM and a chain have in common.

    Parameters
    ----------
    extractor : FeatureExtractor
        Fitted.
    weights : float CSR matrix, shape (n_features or more, n_labels)
        Rows beyond the extractor's features are not looked at.
    """

    extractor: FeatureExtractor = field(repr=False)
    weights: sparse.csr_matrix = field(repr=False)

    @property
    def n_labels(self) -> int:
        """Number of scores a token."""
        return int(self.weights.shape[1])

    @property
    def exact_up_to(self) -> float:
        """How large a token's sums may become that float32 still holds exactly."""
        return exact_up_to(self.weights.data[: self.weights.indptr[self.extractor.n_features_]])

    def vocabulary(self, view: View | SetView) -> dict[str, int]:
        """Return the numbers that training gave a view's values."""
        return self.extractor.vocabularies_[view.name]

    def factor(self, view: View) -> int:
        """Return what the extractor multiplies by before it packs this view's value."""
        return (len(self.vocabulary(view)) + 1) | 1


@dataclass(frozen=True, slots=True)
class Use:
    """A template of a part.

    Parameters
    ----------
    part : LinearPart
    begin : int
        Where the part's labels begin among all scores of a cell.
    number : int
        The template's place in the part's extractor.
    template : Template
    """

    part: LinearPart
    begin: int
    number: int
    template: Template

    @property
    def keys(self) -> LongArray:
        """The packed values that have a feature, sorted."""
        return self.part.extractor.keys_[self.number]

    def features(self, values: LongArray) -> LongArray:
        """Return the feature of each packed value, -1 where it has none."""
        keys = self.keys
        if not len(keys):
            return np.full(len(values), -1, dtype=np.int64)
        place = np.searchsorted(keys, values)
        place[place == len(keys)] = 0
        return np.where(keys[place] == values, place + self.part.extractor.first_[self.number], -1)


def uses_of(parts: Sequence[LinearPart]) -> list[Use]:
    """Return all templates of all parts."""
    begins = np.cumsum([0, *(part.n_labels for part in parts)]).tolist()
    return [
        Use(part, begin, n, template)
        for part, begin in zip(parts, begins, strict=False)
        for n, template in enumerate(part.extractor.templates)
    ]


def source_of(view: View | SetView) -> View:
    """Return the view that determines a view's values: in the worst case, the view itself."""
    if view.source is not None:
        return view.source
    assert isinstance(view, View)
    return view


def follows_from_a_string(template: Template) -> bool:
    """Tell whether one string at one offset decides the template's features.

    Of a window one does so at each offset, but for values that stand at several.
    """
    if isinstance(template, Bag):
        return template.view.source is not None
    if isinstance(template, Window):
        return True
    sources = {source_of(view) for view in template.views}
    return len(sources) == 1 and len(set(template.offsets)) == 1
