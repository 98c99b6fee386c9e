"""The trained model and its prediction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from scipy import sparse

from multideid.arrays import BoolArray, FloatArray, IntArray, LongArray
from multideid.base_systems.szarvas.attributes import Attributes
from multideid.base_systems.szarvas.classes import bio_scores, label_of, to_bio
from multideid.base_systems.szarvas.learner import Learner
from multideid.base_systems.szarvas.phrases import Phrases, standardised
from multideid.base_systems.szarvas.trusted import N_COLUMNS, Headings, trusted_columns
from multideid.errors import ModelError
from multideid.persistence.files import load_json, save_json
from multideid.text.table import TokenTable


class PredictionOptions(NamedTuple):
    """Options of prediction; see the parameters of `SzarvasTagger`."""

    prefer_recall: bool
    iterations: int
    standard_tags: bool


class Prediction(NamedTuple):
    """Mean class probabilities and the predicted BIO tags."""

    probabilities: FloatArray
    tags: IntArray


@dataclass(frozen=True, slots=True)
class Model:
    """Attributes and learners.

    Parameters
    ----------
    attributes : Attributes
    headings : Headings
    opening : tuple of Learner
        The learner of the first pass; empty without iterative learning.
    learners : tuple of Learner
        The learners that vote.
    """

    attributes: Attributes
    headings: Headings
    opening: tuple[Learner, ...]
    learners: tuple[Learner, ...]

    def scores(
        self, features: sparse.csr_matrix, tokens: TokenTable, options: PredictionOptions
    ) -> FloatArray:
        """Return scores of BIO tags: mean probabilities, with the decision as the maximum."""
        shared = self.attributes.columns(features, tokens)
        if self.opening:
            probabilities, tags = self._read_again(shared, features, tokens, options)
        else:
            probabilities, tags = _read(self.learners, shared, features, tokens.document, options)
        if options.standard_tags:
            tags = standardised(tags, tokens)
        return bio_scores(probabilities, tags, tokens.document)

    def _read_again(
        self,
        shared: FloatArray,
        features: sparse.csr_matrix,
        tokens: TokenTable,
        options: PredictionOptions,
    ) -> Prediction:
        """Predict with the trusted phrases of the previous pass, repeatedly."""
        probabilities, tags = _read(self.opening, shared, features, tokens.document, options)
        known = np.full((len(tokens), N_COLUMNS), -1, dtype=np.float32)
        for _ in range(options.iterations):
            phrases = Phrases.of_tags(tags, tokens.document)
            trusted = trusted_columns(tokens, self.headings.trusted(tokens, phrases))
            rows = _in_changed_documents(trusted != known, tokens)
            columns = np.hstack([shared[rows], trusted[rows]])
            part = sparse.csr_matrix(features[rows])
            again = _read(self.learners, columns, part, tokens.document[rows], options)
            probabilities[rows], tags[rows] = again
            known = trusted
        return Prediction(probabilities, tags)

    def save(self, folder: Path) -> None:
        """Write everything into `folder`."""
        save_json(folder, "learners", [len(self.opening), len(self.learners)])
        self.attributes.save(folder)
        self.headings.save(folder)
        for n, learner in enumerate((*self.opening, *self.learners)):
            learner.save(folder, f"learner-{n}")

    @classmethod
    def load(cls, folder: Path, n_features: int, n_labels: int) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If a file is missing or damaged, or disagrees with the others.
        """
        n_opening, n_voters = load_json(folder, "learners", (int, int))
        if n_opening not in (0, 1) or n_voters not in (1, 3):
            raise ModelError(folder / "learners.json", "names another number of learners")
        attributes = Attributes.load(folder, n_features)
        # Only learners after a first pass see trusted phrases.
        widths = [attributes.n_columns] * n_opening
        widths += [attributes.n_columns + N_COLUMNS * n_opening] * n_voters
        sizes = {"n_features": n_features, "n_labels": n_labels}
        learners = [
            Learner.load(folder, f"learner-{n}", n_shared=width, **sizes)
            for n, width in enumerate(widths)
        ]
        opening, voters = tuple(learners[:n_opening]), tuple(learners[n_opening:])
        return cls(attributes, Headings.load(folder, n_labels // 2 + 1), opening, voters)


def _read(
    learners: Sequence[Learner],
    columns: FloatArray,
    features: sparse.csr_matrix,
    document: IntArray,
    options: PredictionOptions,
) -> Prediction:
    found = [learner.probabilities(columns, features, document) for learner in learners]
    decided = np.stack([probabilities.argmax(axis=1) for probabilities in found]).astype(np.int32)
    mean = np.asarray(np.mean(found, axis=0), dtype=np.float32)
    return Prediction(mean, to_bio(vote(decided, mean, options.prefer_recall), document))


def vote(decided: IntArray, probabilities: FloatArray, recall: bool) -> IntArray:
    """Return the class with a label on which two of three learners agree.

    A single learner decides alone.

    Parameters
    ----------
    decided : int32 array, shape (n_learners, n_tokens)
        The classes predicted by each learner.
    probabilities : float32 array, shape (n_tokens, n_classes)
        The learners' mean probabilities.
    prefer_recall : bool
        Whether tokens on which all disagree get the most probable PHI class, instead of
        non-PHI as in the paper.

    Returns
    -------
    int32 array, shape (n_tokens,)
        The first of the agreeing learners decides between "B" and "I".
    """
    if len(decided) == 1:
        return np.asarray(decided[0])
    label = label_of(decided)
    agreeing = (label[:, None] == label[None, :]).sum(axis=1)
    first = agreeing.argmax(axis=0)
    tokens = np.arange(decided.shape[1])
    torn = agreeing[first, tokens] == 1
    likeliest = 1 + probabilities[:, 1:].argmax(axis=1) if recall else np.zeros_like(first)
    return np.asarray(np.where(torn, likeliest, decided[first, tokens]), dtype=np.int32)


def _in_changed_documents(changed: BoolArray, tokens: TokenTable) -> LongArray:
    """Return the rows of the documents with changes."""
    at = changed.any(axis=1)
    per_document = np.bincount(tokens.document[at], minlength=len(tokens.ids))
    return np.flatnonzero(per_document[tokens.document] > 0)
