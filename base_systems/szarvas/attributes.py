"""The attributes of a token: those that all learners share, and the triggers of each variant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from scipy import sparse

from multideid.arrays import BoolArray, DoubleArray, FloatArray, LongArray
from multideid.base_systems.szarvas.classes import phrase_edges
from multideid.base_systems.szarvas.coding import Coding, learn_coding
from multideid.base_systems.szarvas.examples import Examples
from multideid.base_systems.szarvas.features import TRIGGERS, WORD_ITSELF
from multideid.base_systems.szarvas.frequencies import N_COLUMNS as FREQUENCY_COLUMNS
from multideid.base_systems.szarvas.frequencies import Frequencies
from multideid.features.extractor import FeatureExtractor
from multideid.features.szarvas import szarvas_templates
from multideid.features.templates import Conjunction, Template
from multideid.features.views import shift
from multideid.text.table import TokenTable

_SUFFIX_REACH = 3


@dataclass(frozen=True, slots=True)
class Attributes:
    """The columns that all learners share.

    Parameters
    ----------
    surface : Coding
        Orthography, patterns, dictionaries, headings and positions.
    suffixes : Coding
        One column: frequent last words of phrases ("Hospital").
    frequencies : Frequencies
    """

    surface: Coding
    suffixes: Coding
    frequencies: Frequencies

    def columns(
        self, features: sparse.csr_matrix, tokens: TokenTable, outside: BoolArray | None = None
    ) -> FloatArray:
        """Return the columns of every token.

        Parameters
        ----------
        features : CSR matrix of 0 and 1, shape (n_tokens, n_features)
        tokens : TokenTable
        outside : bool array, shape (n_tokens,), optional
            As `Frequencies.columns`.

        Returns
        -------
        float32 array, shape (n_tokens, n_columns)
        """
        ends = self.suffixes.transform(features)[:, 0].astype(np.int32)
        ahead = [shift(ends, tokens.document, n, 0) for n in range(_SUFFIX_REACH + 1)]
        surface = self.surface.transform(features)
        frequencies = self.frequencies.columns(tokens, outside)
        return np.hstack([surface, np.stack(ahead, axis=1, dtype=np.float32), frequencies])

    def of_features(self, kept: LongArray) -> Attributes:
        """Return the attributes of a subset of the features, in that order."""
        surface, suffixes = (c.of_features(kept) for c in (self.surface, self.suffixes))
        return Attributes(surface, suffixes, self.frequencies)

    def save(self, folder: Path) -> None:
        """Write codings and frequencies."""
        self.surface.save(folder, "surface")
        self.suffixes.save(folder, "suffixes")
        self.frequencies.save(folder)

    @classmethod
    def load(cls, folder: Path, n_features: int) -> Self:
        """Read what `save` wrote."""
        names = ("surface", "suffixes")
        surface, suffixes = (Coding.load(folder, name, n_features) for name in names)
        return cls(surface, suffixes, Frequencies.load(folder))

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.surface.width + _SUFFIX_REACH + 1 + FREQUENCY_COLUMNS


@dataclass(frozen=True, slots=True)
class Description:
    """The attributes of all learners.

    Parameters
    ----------
    shared : Attributes
    triggers : tuple of Coding
        One per trigger variant.
    """

    shared: Attributes
    triggers: tuple[Coding, ...]

    def used(self) -> LongArray:
        """Return the features that have a column, sorted."""
        codings = (self.shared.surface, self.shared.suffixes, *self.triggers)
        return np.flatnonzero(np.logical_or.reduce([coding.used() for coding in codings]))

    def of_features(self, kept: LongArray) -> Description:
        """Return the attributes of a subset of the features, in that order."""
        triggers = tuple(coding.of_features(kept) for coding in self.triggers)
        return Description(self.shared.of_features(kept), triggers)


def learn_attributes(
    extractor: FeatureExtractor, examples: Examples, variants: Sequence[str], max_values: int
) -> Description:
    """Select the informative values of the nominal attributes, and count words.

    Parameters
    ----------
    extractor : FeatureExtractor
        Fitted. Attributes of templates that it lacks are left out.
    examples : Examples
    variants : sequence of str
        Of `TRIGGERS`.
    max_values : int
        Maximum number of distinct values of an attribute.
    """
    first, last = phrase_edges(examples.tags, examples.tokens.document)
    everywhere = examples.counts(np.ones_like(first))
    to_left, to_right = (examples.counts(examples.outside | edge) for edge in (first, last))

    def of_tokens(_: Template) -> DoubleArray:
        return everywhere

    def of_phrases(template: Template) -> DoubleArray:
        # Words to the left are triggers of the first token of a phrase only.
        return to_left if _is_left(template) else to_right

    def present(templates: Sequence[Template]) -> list[Template]:
        return [template for template in templates if template in extractor.templates]

    shared = Attributes(
        learn_coding(extractor, present(szarvas_templates(())), of_tokens, max_values),
        learn_coding(extractor, present(WORD_ITSELF), of_phrases, max_values),
        Frequencies.count(examples.tokens, examples.outside),
    )
    judge = {"token": of_tokens, "phrase": of_phrases, "trigram": of_phrases}
    triggers = (
        learn_coding(extractor, present(TRIGGERS[v]()), judge[v], max_values) for v in variants
    )
    return Description(shared, tuple(triggers))


def _is_left(template: Template) -> bool:
    return isinstance(template, Conjunction) and template.parts[0][1] < 0
