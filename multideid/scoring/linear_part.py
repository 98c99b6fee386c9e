"""Linear models over feature templates, the input of compiled scoring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.csr import Csr
from multideid.features.extractor import FeatureExtractor
from multideid.features.feature_blocks import look_up
from multideid.features.packed_keys import factor_of
from multideid.features.templates import Bag, Template, Window
from multideid.features.views import SetView, View
from multideid.scoring.sparse_weights import exact_up_to

if TYPE_CHECKING:
    from scipy import sparse


@dataclass(frozen=True, slots=True)
class LinearPart:
    """Feature weights for every label, the linear part of an SVM or a chain.

    Parameters
    ----------
    extractor : FeatureExtractor
        Fitted.
    weights : float CSR matrix, shape (n_features or more, n_labels)
        Rows beyond the extractor's features are ignored.
    """

    extractor: FeatureExtractor = field(repr=False)
    weights: Csr | sparse.csr_matrix = field(repr=False)

    @property
    def n_labels(self) -> int:
        """Number of scores per token."""
        return int(self.weights.shape[1])

    @property
    def exact_up_to(self) -> float:
        """The bound up to which sums of weights are exact in float32."""
        return exact_up_to(self.weights.data[: self.weights.indptr[self.extractor.n_features_]])

    def vocabulary(self, view: View | SetView) -> dict[str, int]:
        """Return the indices of a view's values in training."""
        return self.extractor.vocabularies_[view.name]

    def factor(self, view: View) -> int:
        """Return the factor by which the extractor multiplies a key before it adds this view."""
        return factor_of(self.vocabulary(view))


@dataclass(frozen=True, slots=True)
class TemplateUse:
    """The use of a template by a part.

    Parameters
    ----------
    part : LinearPart
    begin : int
        The first score of the part's labels among the scores of a cell.
    number : int
        Index of the template in the part's extractor.
    template : Template
    """

    part: LinearPart
    begin: int
    number: int
    template: Template

    @property
    def keys(self) -> LongArray:
        """The packed values that are features, sorted."""
        return self.part.extractor.keys_[self.number]

    def features(self, values: LongArray) -> IntArray:
        """Return the feature of each packed value, -1 if it has none."""
        return look_up(values, self.keys, int(self.part.extractor.first_[self.number]))


def uses_of(parts: Sequence[LinearPart]) -> list[TemplateUse]:
    """Return all templates of all parts."""
    begins = np.cumsum([0, *(part.n_labels for part in parts)]).tolist()
    return [
        TemplateUse(part, begin, n, template)
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
    """Return whether one string at one offset determines the template's features.

    For a window this holds at each offset, apart from repeated values.
    """
    if isinstance(template, Bag):
        return template.view.source is not None
    if isinstance(template, Window):
        return True
    sources = {source_of(view) for view in template.views}
    return len(sources) == 1 and len(set(template.offsets)) == 1
