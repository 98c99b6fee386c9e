"""A convolutional network per token, which sees the whole document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from multideid.arrays import FloatArray, LongArray
from multideid.base_systems.convnet.context import Context
from multideid.base_systems.convnet.embedding_sums import EmbeddingSums
from multideid.base_systems.convnet.features import convnet_templates
from multideid.base_systems.convnet.inference import document_scores
from multideid.base_systems.convnet.network import (
    MAX_LEVEL,
    Network,
    Sizes,
    array_rules,
    array_sizes,
)
from multideid.base_systems.convnet.training import NetworkTrainer, Sample
from multideid.blas_threads import one_blas_thread
from multideid.csr import Csr
from multideid.features.common import LOWER
from multideid.features.embedding_clusters import of_word_alone
from multideid.features.templates import Template
from multideid.features.terms import other_language_templates_of_word_alone
from multideid.lazy import lazy
from multideid.learners.feature_tagger import ONLY_ENGLISH, FeatureTagger
from multideid.learners.network_scores import chain_log_odds, log_odds
from multideid.persistence.files import load_arrays, save_arrays
from multideid.taggers.parameters import ABOVE_0, SEED, SHARE_BELOW_1, ParamRule, at_least
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from scipy import sparse

_LONGEST = 16_384
"""Tokens of a document that are scored at a time."""
_LEVELS = ParamRule(f"from 1 to {MAX_LEVEL}", lambda value: 1 <= value <= MAX_LEVEL)


class ConvnetTagger(FeatureTagger):
    """A convolutional network over embeddings of word, shape, layout and list features.

    Words are convolved as by Collobert et al. (2011), in dilations as by
    Strubell et al. (2017). One layer sees the mean of the hidden values of the
    word's other occurrences in the document. With `pooling`, all see those of its line and
    document.

    Parameters
    ----------
    epochs : int, default 14
        Passes over the training data.
    embedding_dim, hidden_dim : int, default 64, 128
        Widths of the embeddings and of the hidden layers.
    learning_rate : float, default 0.003
        Greatest step size.
    dropout : float, default 0.4
        Share of hidden values that are dropped in training.
    feature_dropout : float, default 0.5
        Probability of dropping a feature of a token in an epoch.
    batch_tokens : int, default 4000
        Approximate number of tokens of a minibatch.
    min_steps : int, default 3000
        Minibatches are smaller where a small corpus would give fewer steps than this.
    min_count : int, default 3
        Rarer features are dropped.
    seed : int, default 0
    levels : int, default 127
        Embeddings are rounded to multiples of a scale, at most this many of either
        sign; few make a small model.
    copies : int, default 0
        Copies of the training documents to learn from too, with each mention of PHI replaced
        by another one of its label (`multideid.learners.mention_replacement`).
    transitions : bool, default True
        Whether to learn scores of tags next to each other too, by the sentence-level
        log-likelihood of Collobert et al. (2011); a sequence is a line. False: each token is
        decided by itself.
    pooling : bool, default True
        Whether each token sees the means of the hidden values of its line and document.
    embedding_clusters : bool, default False
        Whether to see the clusters of words alike in meaning that come with the package, which
        are of English.
    other_languages : bool, default True
        Whether to see, in documents that are not in English, the Spanish and French words and
        names that come with the package (`multideid.knowledge.terms.OTHER_LANGUAGES`).
    """

    name: ClassVar[str] = "convnet"
    summary: ClassVar[str] = "Convolutional network (Collobert 2011, Strubell 2017)."
    param_rules: ClassVar[Mapping[str, ParamRule]] = {
        "epochs": at_least(1),
        "embedding_dim": at_least(1),
        "hidden_dim": at_least(1),
        "learning_rate": ABOVE_0,
        "dropout": SHARE_BELOW_1,
        "feature_dropout": SHARE_BELOW_1,
        "batch_tokens": at_least(1),
        "min_steps": at_least(1),
        "min_count": at_least(1),
        "seed": SEED,
        "levels": _LEVELS,
        "copies": at_least(0),
    }

    earlier_names: ClassVar[Mapping[str, str]] = {
        "rate": "learning_rate",
        "least_steps": "min_steps",
        "embedding": "embedding_dim",
        "hidden": "hidden_dim",
    }
    earlier_params: ClassVar[Mapping[str, Any]] = {
        **ONLY_ENGLISH,
        "transitions": False,
        "pooling": False,
    }

    def __init__(  # noqa: PLR0913 (all but one by name)
        self,
        epochs: int = 14,
        *,
        embedding_dim: int = 64,
        hidden_dim: int = 128,
        learning_rate: float = 0.003,
        dropout: float = 0.4,
        feature_dropout: float = 0.5,
        batch_tokens: int = 4000,
        min_steps: int = 3000,
        min_count: int = 3,
        seed: int = 0,
        levels: int = MAX_LEVEL,
        copies: int = 0,
        transitions: bool = True,
        pooling: bool = True,
        embedding_clusters: bool = False,
        other_languages: bool = True,
    ) -> None:
        self.epochs = epochs
        self.embedding_dim = embedding_dim
        self.hidden_dim = hidden_dim
        self.learning_rate = learning_rate
        self.dropout = dropout
        self.feature_dropout = feature_dropout
        self.batch_tokens = batch_tokens
        self.min_steps = min_steps
        self.min_count = min_count
        self.seed = seed
        self.levels = levels
        self.copies = copies
        self.transitions = transitions
        self.pooling = pooling
        self.embedding_clusters = embedding_clusters
        self.other_languages = other_languages

    def templates(self) -> list[Template]:
        """Return the system's feature templates."""
        chosen = convnet_templates()
        return [*chosen, *of_word_alone()] if self.embedding_clusters else chosen

    def language_templates(self) -> list[Template]:
        """Return the templates of the token's own terms of other languages."""
        return other_language_templates_of_word_alone()

    def _train(self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> None:
        sizes = Sizes(features.shape[1], len(labels.names), self.embedding_dim, self.hidden_dim)
        rng = np.random.default_rng(self.seed)
        self.network_ = self._network(sizes, rng)
        if not len(tokens):
            return
        trainer = NetworkTrainer(
            self.epochs,
            self.learning_rate,
            self.batch_tokens,
            self.min_steps,
            self.feature_dropout,
            self.seed,
        )
        word = LOWER.column(tokens).codes
        begins = tokens.position == 0
        trainer.train(self.network_, Sample(features, tokens.document, word, labels.ids, begins))
        self.network_.quantize(self.levels)

    def _network(self, sizes: Sizes, rng: np.random.Generator | None) -> Network:
        layers = {"transitions": self.transitions, "pooling": self.pooling}
        return Network(sizes, rng, self.dropout, **layers)

    def score_by_features(self, tokens: TokenTable) -> FloatArray:
        """Return the scores; sums of embeddings take the place of the features."""
        self.check_fitted()
        return self._score_sums(self._compiled_sums.of(tokens), tokens)

    @lazy
    def _compiled_sums(self) -> EmbeddingSums:
        return EmbeddingSums(self.extractor_, self.network_.embeddings)

    def _score(self, features: Csr, tokens: TokenTable) -> FloatArray:
        # Sets of values are in the order of the batch, and sums are rounded.
        matrix = features.matrix()
        matrix.sort_indices()
        return self._score_sums(np.asarray(matrix @ self.network_.embeddings), tokens)

    def _score_sums(self, embedded: FloatArray, tokens: TokenTable) -> FloatArray:
        """Score document by document, so that a score does not depend on the batch."""
        word = LOWER.column(tokens).codes
        scores = np.empty((len(tokens), len(self.labels_)), dtype=np.float32)
        with one_blas_thread():
            for rows in _windows(tokens):
                document, begins = tokens.document[rows], tokens.position[rows] == 0
                context = Context.of(document, word[rows], begins)
                found = document_scores(self.network_, embedded[rows], context)
                scores[rows] = self._odds(found, context.lines.starts)
        return scores

    def _odds(self, scores: FloatArray, starts: LongArray) -> FloatArray:
        transitions = self.network_.transitions
        if transitions is None:
            return log_odds(scores)
        return chain_log_odds(scores, transitions.scores.value, starts)

    def _save_model(self, folder: Path) -> None:
        save_arrays(folder, "network", **self.network_.arrays())

    def _load_model(self, folder: Path) -> None:
        n_features, n_labels = self.extractor_.n_features_, len(self.labels_)
        sizes = Sizes(n_features, n_labels, self.embedding_dim, self.hidden_dim)
        # Before the network is made, since the sizes are parameters that a file may exaggerate.
        rules = array_rules(transitions=self.transitions, pooling=self.pooling)
        arrays = load_arrays(folder, "network", rules, **array_sizes(sizes))
        self.network_ = self._network(sizes, None)
        self.network_.set_arrays(arrays)


def _windows(tokens: TokenTable) -> Iterator[slice]:
    """Yield the rows of each document, of a long one in parts so that memory is bounded."""
    for first, stop in zip(tokens.first[:-1].tolist(), tokens.first[1:].tolist(), strict=True):
        for start in range(first, stop, _LONGEST):
            yield slice(start, min(start + _LONGEST, stop))
