"""What the system has learned, and how it reads a batch of notes with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from scipy import sparse

from multideid.arrays import BoolArray, FloatArray, IntArray, LongArray
from multideid.base_systems.szarvas.attributes import Attributes
from multideid.base_systems.szarvas.classes import bio_scores, to_bio
from multideid.base_systems.szarvas.learner import Learner
from multideid.base_systems.szarvas.phrases import Phrases, standardised
from multideid.base_systems.szarvas.trusted import N_COLUMNS, Headings, trusted_columns
from multideid.base_systems.szarvas.votes import vote
from multideid.persistence import load_json, save_json
from multideid.text.table import TokenTable


class Rules(NamedTuple):
    """How notes are read; as the parameters of the same names of the tagger."""

    recall: bool
    iterations: int
    standard: bool


class Reading(NamedTuple):
    """Mean probabilities of the classes, and the BIO tags decided."""

    chances: FloatArray
    tags: IntArray


@dataclass(frozen=True, slots=True)
class Model:
    """Attributes and learners.

    Parameters
    ----------
    attributes : Attributes
    headings : Headings
    opening : tuple of Learner
        One, which reads the notes before any phrase is trusted; none without
        iterative learning.
    learners : tuple of Learner
        The voters.
    """

    attributes: Attributes
    headings: Headings
    opening: tuple[Learner, ...]
    learners: tuple[Learner, ...]

    def scores(self, features: sparse.csr_matrix, tokens: TokenTable, rules: Rules) -> FloatArray:
        """Score every BIO tag of every token: mean probability, the decision the greatest."""
        shared = self.attributes.columns(features, tokens)
        if self.opening:
            chances, tags = self._read_again(shared, features, tokens, rules)
        else:
            chances, tags = _read(self.learners, shared, features, tokens.document, rules)
        if rules.standard:
            tags = standardised(tags, tokens)
        return bio_scores(chances, tags, tokens.document)

    def _read_again(
        self, shared: FloatArray, features: sparse.csr_matrix, tokens: TokenTable, rules: Rules
    ) -> Reading:
        """Read with what was found under unambiguous headings the time before."""
        chances, tags = _read(self.opening, shared, features, tokens.document, rules)
        known = np.full((len(tokens), N_COLUMNS), -1, dtype=np.float32)
        for _ in range(rules.iterations):
            phrases = Phrases.of_tags(tags, tokens.document)
            trusted = trusted_columns(tokens, self.headings.trusted(tokens, phrases))
            rows = _in_changed_documents(trusted != known, tokens)
            columns = np.hstack([shared[rows], trusted[rows]])
            part = sparse.csr_matrix(features[rows])
            again = _read(self.learners, columns, part, tokens.document[rows], rules)
            chances[rows], tags[rows] = again
            known = trusted
        return Reading(chances, tags)

    def save(self, folder: Path) -> None:
        """Write everything into `folder`."""
        save_json(folder, "learners", [len(self.opening), len(self.learners)])
        self.attributes.save(folder)
        self.headings.save(folder)
        for n, learner in enumerate((*self.opening, *self.learners)):
            learner.save(folder, f"learner-{n}")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        n_opening, n_voters = load_json(folder, "learners")
        learners = [Learner.load(folder, f"learner-{n}") for n in range(n_opening + n_voters)]
        opening, voters = tuple(learners[:n_opening]), tuple(learners[n_opening:])
        return cls(Attributes.load(folder), Headings.load(folder), opening, voters)


def _read(
    learners: Sequence[Learner],
    columns: FloatArray,
    features: sparse.csr_matrix,
    document: IntArray,
    rules: Rules,
) -> Reading:
    found = [learner.chances(columns, features, document) for learner in learners]
    decided = np.stack([chances.argmax(axis=1) for chances in found]).astype(np.int32)
    mean = np.asarray(np.mean(found, axis=0), dtype=np.float32)
    return Reading(mean, to_bio(vote(decided, mean, rules.recall), document))


def _in_changed_documents(changed: BoolArray, tokens: TokenTable) -> LongArray:
    """Return the rows of the documents in which something changed."""
    at = changed.any(axis=1)
    per_document = np.bincount(tokens.document[at], minlength=len(tokens.ids))
    return np.flatnonzero(per_document[tokens.document] > 0)
