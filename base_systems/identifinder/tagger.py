"""A hidden Markov model of classes with a language model for each."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from multideid.arrays import BoolArray, FloatArray, LongArray
from multideid.base_systems.identifinder.lattice import Models
from multideid.base_systems.identifinder.model import LanguageModels
from multideid.base_systems.identifinder.symbols import WordIndex, without_words, word_of
from multideid.base_systems.identifinder.tallies import TaggedText, Tallies
from multideid.learners.chain import MAX_LOG_ODDS
from multideid.persistence.files import load_json, save_json
from multideid.persistence.strings import load_strings, save_strings
from multideid.scoring.inference import raised_log_odds
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import TokenLabels
from multideid.text.lines import line_blocks, line_starts
from multideid.text.table import TokenTable

_BLOCK = 32_768
"""Tokens that are scored at a time, to bound memory."""


class IdentifinderTagger(BaseTagger):
    """The name finder of Bikel, Schwartz and Weischedel (1999).

    A class depends on the previous class and word, its first word on both classes, each
    further word on the previous word, and its end on the last word. Lines are the
    sentences.

    Attributes
    ----------
    labels_ : tuple of str
    vocabulary_ : WordIndex
    models_ : Models
    """

    name: ClassVar[str] = "identifinder"
    summary: ClassVar[str] = "Hidden Markov model with a language model a class (Bikel 1999)."

    labels_: tuple[str, ...]
    vocabulary_: WordIndex
    models_: Models

    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        """Count words, classes and their transitions."""
        used = np.unique(tokens.type).tolist()
        self.labels_ = labels.names
        self.vocabulary_ = WordIndex(tuple(sorted({tokens.vocabulary[t] for t in used})))
        pairs = self.vocabulary_.pairs(tokens)
        sizes = len(labels.names) // 2 + 1, len(self.vocabulary_), self.vocabulary_.n_pairs
        lines = tokens.position == 0
        masked = without_words(pairs, _new_to_other_half(tokens, pairs))
        texts = (TaggedText.of(words, labels.ids, lines) for words in (pairs, masked))
        self._assemble(*(Tallies.of(text, *sizes) for text in texts))
        return self

    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        """Score every tag by the log odds of its posterior probability.

        Returns
        -------
        float32 array, shape (n_tokens, len(labels_))
            Clipped to `MAX_LOG_ODDS`; the tag of the most probable path of the line is
            raised to the maximum of its row.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            Before `fit`.
        """
        self.check_fitted()
        scores = np.empty((len(tokens), len(self.labels_)), dtype=np.float32)
        pairs = self.vocabulary_.pairs(tokens)
        for first, stop in line_blocks(tokens, _BLOCK):
            starts = line_starts(tokens, first, stop)
            scores[first:stop] = self._scores(pairs[first:stop], starts)
        return scores

    def save(self, folder: Path) -> None:
        """Write words, counts and tags."""
        self.check_fitted()
        save_json(folder, "identifinder", {"labels": self.labels_})
        save_strings(folder, "words", self.vocabulary_.words)
        self.models_.known.tallies.save(folder, "known")
        self.models_.unknown.tallies.save(folder, "unknown")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        tagger = cls()
        tagger.labels_ = tuple(load_json(folder, "identifinder", {"labels": [str]})["labels"])
        tagger.vocabulary_ = WordIndex(load_strings(folder, "words"))
        words = tagger.vocabulary_
        sizes = len(tagger.labels_) // 2 + 1, len(words), words.n_pairs
        tagger._assemble(*(Tallies.load(folder, name, *sizes) for name in ("known", "unknown")))
        return tagger

    def _assemble(self, known: Tallies, unknown: Tallies) -> None:
        seen = known.bigrams.total() > 0
        seen[0] = True
        self.models_ = Models(LanguageModels(known), LanguageModels(unknown), seen)

    def _scores(self, pairs: LongArray, starts: LongArray) -> FloatArray:
        from multideid.base_systems.identifinder.decoding import best_tags, posteriors

        line_begins = np.zeros(len(pairs), dtype=np.bool_)
        line_begins[starts] = True
        lattice = self.models_.lattice(pairs, line_begins)
        best = best_tags(lattice, starts)
        return raised_log_odds(posteriors(lattice, starts), best, MAX_LOG_ODDS)


def _new_to_other_half(tokens: TokenTable, pairs: LongArray) -> BoolArray:
    """Mark the tokens with a word that occurs in no document of the other half."""
    words, half = word_of(pairs), tokens.document % 2
    present = np.zeros((2, int(words.max(initial=0)) + 1), dtype=np.bool_)
    present[half, words] = True
    return ~present[1 - half, words]
