"""Scores by HIPAA's eighteen identifiers instead of the labels of the corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from multideid.document import Document
from multideid.eval.metrics.span_metrics import SpanCounts, count_spans
from multideid.eval.metrics.token_metrics import ConfusionMatrix
from multideid.label_schemes import HIPAA
from multideid.labels import hipaa_identifiers


@dataclass(frozen=True, slots=True)
class HipaaView:
    """Scores by identifier of the HIPAA safe harbour, 45 CFR 164.514(b)(2).

    Parameters
    ----------
    spans : SpanCounts
        Start, end and identifier equal.
    tokens : ConfusionMatrix
        Tokens by identifier.
    identifiers : dict of str to str
        The identifier that each label of the corpus counts as.
    unmapped : dict of str to int
        Labels without an identifier, with their number of gold spans. Neither
        view counts them.
    """

    spans: SpanCounts
    tokens: ConfusionMatrix = field(repr=False)
    identifiers: dict[str, str]
    unmapped: dict[str, int]

    @classmethod
    def of(
        cls, gold: Sequence[Document], predicted: Sequence[Document], tokens: ConfusionMatrix
    ) -> HipaaView:
        """Score aligned documents with the confusion matrix `tokens`."""
        mapping = hipaa_identifiers(tokens.labels)
        identifiers = [x for x in HIPAA if x in mapping.values()]
        return cls(
            spans=count_spans(gold, predicted, identifiers, counted_as=mapping),
            tokens=tokens.merged(mapping, identifiers),
            identifiers=mapping,
            unmapped=_unmapped(gold, tokens.labels, mapping),
        )

    def to_dict(self, beta: float = 1.0) -> dict[str, Any]:
        """Return the scores as plain JSON values."""
        return {
            "spans": self.spans.to_dict(beta),
            "tokens": self.tokens.to_dict(beta),
            "identifiers": self.identifiers,
            "unmapped": self.unmapped,
        }


def _unmapped(
    gold: Sequence[Document], labels: Sequence[str], mapping: Mapping[str, str]
) -> dict[str, int]:
    found = Counter(span.label for document in gold for span in document.spans)
    return {label: found[label] for label in labels if label not in mapping}
