"""A pretrained network of the transformers library, fine-tuned or as it is."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from multideid.arrays import BoolArray, FloatArray, IntArray
from multideid.base_systems.transformer.alignment import NONE, Piece, leading, pieces, shared
from multideid.base_systems.transformer.native import bio_tags
from multideid.base_systems.transformer.network import Network, check_folder
from multideid.base_systems.transformer.training import Trainer
from multideid.errors import ModelError, UsageError
from multideid.learners.network_scores import MAX_NETWORK_LOG_ODDS, log_odds
from multideid.persistence.files import save_json
from multideid.persistence.json_rules import check_json
from multideid.taggers.mapped import MappedTagger
from multideid.taggers.parameters import ABOVE_0, SEED, ParamRule, at_least, made_again
from multideid.text.bio import OUTSIDE, TokenLabels
from multideid.text.table import TokenTable

_FOLDER = "network"


class TransformerTagger(MappedTagger):
    """A token-classification network of the transformers library, from a local folder.

    Parameters
    ----------
    model : str or Path, optional
        The folder of the pretrained network, with ``config.json``, ``model.safetensors``
        and ``tokenizer.json``. Needed for `fit`; a saved model has a copy.
    fine_tune : bool, default True
        Whether `fit` trains the network with a new last layer. If not, it is used as it
        is, and `fit` maps its labels to those of the corpus.
    epochs : int, default 3
        Passes over the corpus. This and the next two are ignored without `fine_tune`.
    learning_rate : float, default 5e-5
        Greatest step size.
    batch_size : int, default 8
        Windows of a minibatch.
    max_length : int, default 512
        Most subtokens that are read at a time; fewer if the network can read fewer.
    stride : int, default 128
        Subtokens by which windows overlap.
    seed : int, default 0

    Attributes
    ----------
    labels_ : tuple of str
    network_ : Network
    mapping_ : LabelMapping
        Only without `fine_tune`.
    """

    name: ClassVar[str] = "transformer"
    summary: ClassVar[str] = "A network of the transformers library, from a local folder."
    needs: ClassVar[Mapping[str, str]] = {"transformers": "transformers", "torch": "transformers"}
    param_rules: ClassVar[Mapping[str, ParamRule]] = {
        "model": ParamRule(
            "the folder of a network", lambda value: isinstance(value, str | PathLike)
        ),
        "epochs": at_least(1),
        "learning_rate": ABOVE_0,
        "batch_size": at_least(1),
        "max_length": at_least(16),
        "stride": at_least(0),
        "seed": SEED,
    }

    earlier_names: ClassVar[Mapping[str, str]] = {
        "rate": "learning_rate",
        "batch": "batch_size",
        "window": "max_length",
    }

    min_precision: ClassVar[float] = 0.5
    _file: ClassVar[str] = "transformer"

    network_: Network

    def __init__(  # noqa: PLR0913 (all but one by name)
        self,
        model: str | Path | None = None,
        *,
        fine_tune: bool = True,
        epochs: int = 3,
        learning_rate: float = 5e-5,
        batch_size: int = 8,
        max_length: int = 512,
        stride: int = 128,
        seed: int = 0,
    ) -> None:
        # Parameters are plain values.
        self.model = fspath(model) if isinstance(model, PathLike) else model
        self.fine_tune = fine_tune
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_length = max_length
        self.stride = stride
        self.seed = seed

    @property
    def learns(self) -> bool:
        """Whether the network is trained."""
        return self.fine_tune

    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        """Fine-tune the network, or map its labels.

        Raises
        ------
        UsageError
            If `model` is no folder with a network, or the windows overlap by more than a quarter.
        """
        if self.model is None:
            raise UsageError("it needs the parameter model: a network's folder")
        if 4 * self.stride > self.max_length:
            raise UsageError("stride must be at most a quarter of max_length")
        check_folder(Path(self.model))
        if not self.fine_tune:
            self.network_ = Network.pretrained(Path(self.model))
            return super().fit(tokens, labels)
        self.network_ = self._seeded_network(len(labels.names))
        self._trainer().train(self.network_, tokens, labels)
        self.labels_ = labels.names
        return self

    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        """Return log odds, or without `fine_tune` 1 for the decided tag and 0 for others.

        Returns
        -------
        float32 array, shape (n_tokens, len(labels_))

        Raises
        ------
        sklearn.exceptions.NotFittedError
            Before `fit`.
        """
        if not self.fine_tune:
            return super().predict_scores(tokens)
        self.check_fitted()
        scores = np.full((len(tokens), len(self.labels_)), -MAX_NETWORK_LOG_ODDS, dtype=np.float32)
        scores[:, 0] = MAX_NETWORK_LOG_ODDS
        for piece in pieces(tokens):
            found, known, same = self._read(piece)
            values = log_odds(found)
            # The rest of a subtoken cannot begin a span.
            values[same, 2::2] = np.maximum(values[same, 1::2], values[same, 2::2])
            values[same, 1::2] = -MAX_NETWORK_LOG_ODDS
            scores[piece.rows][known] = values[known]
        return scores

    def predict_tags(self, tokens: TokenTable) -> IntArray:
        """Return the predicted tag of each token, as an index into `labels_`.

        Returns
        -------
        int32 array, shape (n_tokens,)
        """
        if not self.fine_tune:
            return super().predict_tags(tokens)
        tags: IntArray = self.predict_scores(tokens).argmax(axis=1).astype(np.int32)
        return tags

    def save(self, folder: Path) -> None:
        """Write parameters and tags as JSON; the network as JSON and safetensors."""
        self.check_fitted()
        if self.fine_tune:
            values = {"params": self.get_params(), "labels": self.labels_}
            save_json(folder, self._file, values)
        else:
            super().save(folder)
        self.network_.save(folder / _FOLDER)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If a file is missing or damaged.
        """
        tagger = super().load(folder)
        tagger.network_ = Network.load(folder / _FOLDER)
        if tagger.fine_tune and len(tagger.network_.labels) != len(tagger.labels_):
            raise ModelError(folder, "is damaged: the network has other labels")
        return tagger

    @classmethod
    def _restored(cls, values: dict[str, Any], path: Path) -> Self:
        check_json(path, values, {"params": dict})
        if not values["params"].get("fine_tune", True):
            return super()._restored(values, path)
        check_json(path, values, {"labels": [str]})
        tagger = made_again(cls, values["params"], path)
        tagger.labels_ = tuple(values["labels"])
        return tagger

    def _trainer(self) -> Trainer:
        return Trainer(
            self.epochs,
            self.learning_rate,
            self.batch_size,
            self.max_length,
            self.stride,
            self.seed,
        )

    def _seeded_network(self, n_labels: int) -> Network:
        import torch

        with torch.random.fork_rng():
            torch.manual_seed(self.seed)
            return Network.pretrained(Path(str(self.model)), n_labels)

    def _native(self, tokens: TokenTable) -> TokenLabels:
        labels = self.network_.labels
        if OUTSIDE not in labels:
            raise UsageError(f"{self.model}: the network has no label {OUTSIDE}; fine-tune it")
        found = np.full(len(tokens), labels.index(OUTSIDE), dtype=np.int32)
        inner = np.zeros(len(tokens), dtype=np.bool_)
        for piece in pieces(tokens):
            values, known, inner[piece.rows] = self._read(piece)
            found[piece.rows][known] = values[known].argmax(axis=1)
        return bio_tags(found, labels, inner)

    def _read(self, piece: Piece) -> tuple[FloatArray, BoolArray, BoolArray]:
        """Return the tokens' scores, which have some, and which share a subtoken."""
        values, bounds = self.network_.scores(piece.text, self.max_length, self.stride)
        lead = leading(piece, bounds)
        nothing = np.zeros((1, len(self.network_.labels)), dtype=np.float32)
        return np.concatenate([values, nothing])[lead], lead != NONE, shared(lead)
