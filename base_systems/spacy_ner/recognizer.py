"""A named-entity recognizer of spaCy: construction, training, prediction and storage."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from multideid.arrays import IntArray
from multideid.base_systems.spacy_ner.entities import entity_tags, piece_bounds, set_entities
from multideid.errors import ModelError
from multideid.text.bio import TokenLabels
from multideid.text.spacy_pipelines import blank_pipeline, token_docs
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.training import Example


_LONGEST = 5_000
"""Maximum number of tokens of a piece, which bounds memory."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Architecture of a recognizer's network.

    Parameters
    ----------
    language : str
        Language code for spaCy's lexical attributes; ``"xx"`` for any.
    width : int
        Width of token vectors.
    depth : int
        Number of convolution layers; each widens the window by one token on both sides.
    """

    language: str
    width: int
    depth: int

    def config(self) -> dict[str, Any]:
        """Return spaCy's configuration of the component."""
        tok2vec = {
            "@architectures": "spacy.HashEmbedCNN.v2",
            "pretrained_vectors": None,
            "width": self.width,
            "depth": self.depth,
            "embed_size": 2000,
            "window_size": 1,
            "maxout_pieces": 3,
            "subword_features": True,
        }
        model = {
            "@architectures": "spacy.TransitionBasedParser.v2",
            "state_type": "ner",
            "extra_state_tokens": False,
            "hidden_width": 64,
            "maxout_pieces": 2,
            "use_upper": True,
            "tok2vec": tok2vec,
        }
        return {"model": model}


class Recognizer:
    """A recognizer over our tokens.

    Parameters
    ----------
    shape : Shape
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.pipeline = blank_pipeline(shape.language)
        self.component: Any = self.pipeline.add_pipe("ner", config=shape.config())

    def __reduce__(self) -> tuple[Callable[..., Recognizer], tuple[Shape, bytes]]:
        # Fitted taggers are returned by worker processes, but spaCy's pipelines cannot be pickled.
        return _from_bytes, (self.shape, self.component.to_bytes(exclude=["vocab"]))

    def tags(self, tokens: TokenTable, names: tuple[str, ...]) -> IntArray:
        """Return the tag of every token, an index into `names`."""
        docs = token_docs(tokens, self.pipeline.vocab, piece_bounds(tokens, _LONGEST))
        found = [entity_tags(doc, names) for doc in self.pipeline.pipe(docs)]
        return np.concatenate([np.zeros(0, dtype=np.int32), *found])

    def save(self, folder: Path, name: str) -> None:
        """Write the folder ``name`` in spaCy's own format: JSON and MessagePack, no pickle."""
        from thinc.api import set_dropout_rate

        # It is saved, too, as the last use of the network left it.
        set_dropout_rate(self.component.model, 0.0)
        self.component.to_disk(folder / name, exclude=["vocab"])

    @classmethod
    def load(cls, shape: Shape, folder: Path, name: str) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If a file is missing or damaged, or is of a network of another shape.
        """
        from multideid.base_systems.spacy_ner.saved import fill

        recognizer = cls(shape)
        try:
            with _seeded(0):
                fill(recognizer.component, folder / name)
        except Exception:
            raise ModelError(
                folder / name, "is missing or damaged; train the model again"
            ) from None
        return recognizer


def _from_bytes(shape: Shape, content: bytes) -> Recognizer:
    recognizer = Recognizer(shape)
    recognizer.component.from_bytes(content, exclude=["vocab"])
    return recognizer


@dataclass(frozen=True, slots=True)
class RecognizerTrainer:
    """Hyperparameters of training with Adam and averaged weights.

    Parameters
    ----------
    shape : Shape
    epochs : int
        Passes over the corpus.
    batch_tokens : int
        Tokens per batch.
    dropout : float
    learning_rate : float
        Learning rate.
    seed : int
    """

    shape: Shape
    epochs: int
    batch_tokens: int = 500
    dropout: float = 0.1
    learning_rate: float = 0.001
    seed: int = 0

    def train(self, tokens: TokenTable, labels: TokenLabels) -> Recognizer:
        """Train a recognizer, reproducibly for a seed."""
        from thinc.api import Adam

        recognizer = Recognizer(self.shape)
        examples = _examples(recognizer, tokens, labels)
        optimizer = Adam(
            self.learning_rate, L2=0.01, L2_is_weight_decay=True, grad_clip=1.0, use_averages=True
        )
        with _seeded(self.seed):
            recognizer.component.initialize(lambda: examples)
            order = np.random.default_rng(self.seed)
            for _ in range(self.epochs):
                shuffled = [examples[n] for n in order.permutation(len(examples)).tolist()]
                for some in self._batches(shuffled):
                    recognizer.component.update(some, sgd=optimizer, drop=self.dropout)
        _keep_averages(recognizer.component.model, optimizer.averages)
        return recognizer

    def _batches(self, examples: list[Example]) -> Iterator[list[Example]]:
        sizes = np.array([len(example.x) for example in examples])
        number = (np.cumsum(sizes) - sizes) // self.batch_tokens
        edges = np.flatnonzero(np.diff(number, prepend=-1, append=-1)).tolist()
        return (examples[start:stop] for start, stop in pairwise(edges))


def _examples(recognizer: Recognizer, tokens: TokenTable, labels: TokenLabels) -> list[Example]:
    from spacy.tokens import Doc
    from spacy.training import Example

    vocab = recognizer.pipeline.vocab
    bounds = piece_bounds(tokens, _LONGEST)
    gold = list(token_docs(tokens, vocab, bounds))
    for doc, (start, stop) in zip(gold, pairwise(bounds.tolist()), strict=True):
        set_entities(doc, labels.ids[start:stop], labels.names)
    # spaCy cannot initialise a network without examples.
    plain: list[Doc] = [*token_docs(tokens, vocab, bounds)] or [Doc(vocab, words=["."])]
    pairs = zip(plain, gold or [Doc(vocab, words=["."], ents=["O"])], strict=True)
    return [Example(doc, reference) for doc, reference in pairs]


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Seed the global random generators, which spaCy uses, and restore them afterwards."""
    states = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed)
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])


def _keep_averages(model: Any, averages: dict[tuple[int, str], Any]) -> None:
    """Replace the weights of the last step by the averages."""
    for node in model.walk():
        for name in node.param_names:
            if (node.id, name) in averages:
                node.set_param(name, averages[node.id, name])
