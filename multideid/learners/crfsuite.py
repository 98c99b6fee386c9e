"""Training of chains with crfsuite, with weights read exactly from its model file."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from multideid.arrays import LongArray
from multideid.learners.chain import ChainModel, ChainTrainer
from multideid.text.bio import TokenLabels

_FEATURE = np.dtype([("kind", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])
_STATE, _TRANSITION = 0, 1
_SECTIONS = 28
_NAME_INDEX = 16


@dataclass(frozen=True, slots=True)
class CrfsuiteTrainer(ChainTrainer):
    """Algorithm and hyperparameters of crfsuite.

    Parameters
    ----------
    algorithm : str
        ``"lbfgs"``, ``"l2sgd"``, ``"ap"``, ``"pa"`` or ``"arow"``. Only
        ``"lbfgs"`` is reproducible: the others shuffle the examples with C's
        random generator, which crfsuite does not seed.
    params : dict
        Hyperparameters, as named by sklearn-crfsuite.
    temperature : float
        Temperature of the chain; see `ChainModel`.
    """

    # So that labels are those of crfsuite's own tagger.
    quantizes: ClassVar[bool] = False

    algorithm: str
    params: dict[str, Any] = field(default_factory=dict)
    temperature: float = 1.0

    def train(
        self, features: sparse.csr_matrix, labels: TokenLabels, starts: LongArray
    ) -> ChainModel:
        """Train by crfsuite, with column numbers as names; see `ChainTrainer.train`."""
        if not len(starts):
            return _empty(features.shape[1], len(labels.names), self.temperature)
        from sklearn_crfsuite import CRF

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.crfsuite"
            crf = CRF(algorithm=self.algorithm, model_filename=str(path), **self.params)
            crf.fit(_items(features, starts), _tags(labels, starts))
            return read_chain(
                path.read_bytes(), features.shape[1], len(labels.names), self.temperature
            )


def _items(features: sparse.csr_matrix, starts: LongArray) -> Iterator[list[list[str]]]:
    """Yield the tokens of each sequence as lists of column numbers, as strings."""
    names = np.array([str(column) for column in range(features.shape[1])], dtype=object)
    bounds = [*starts.tolist(), features.shape[0]]
    indptr = features.indptr.tolist()
    for first, end in pairwise(bounds):
        base = indptr[first]
        flat = names[features.indices[base : indptr[end]]].tolist()
        yield [flat[indptr[row] - base : indptr[row + 1] - base] for row in range(first, end)]


def _tags(labels: TokenLabels, starts: LongArray) -> Iterator[list[str]]:
    """Yield the tags of each sequence as label numbers, as strings."""
    bounds = [*starts.tolist(), len(labels)]
    for first, end in pairwise(bounds):
        yield [str(label) for label in labels.ids[first:end].tolist()]


def read_chain(
    model: bytes, n_features: int, n_labels: int, temperature: float = 1.0
) -> ChainModel:
    """Read the weights of a crfsuite model with column and label numbers as names.

    crfsuite's own dump rounds weights to six decimals, so the file itself is
    read: a header, feature records, and two constant databases of names.

    Parameters
    ----------
    model : bytes
        The model file's content.
    n_features, n_labels : int
        Shape of the weights; those missing from the model are 0.
    temperature : float

    Returns
    -------
    ChainModel
        With float64 weights. It predicts the same labels as crfsuite's
        tagger, except that ties go to the lower label number.
    """
    at_features, at_labels, at_attributes = struct.unpack_from("<3I", model, _SECTIONS)
    count = struct.unpack_from("<I", model, at_features + 8)[0]
    records = np.frombuffer(model, _FEATURE, count, at_features + 12)
    label = _names(model, at_labels)
    attribute = _names(model, at_attributes)
    state = records[records["kind"] == _STATE]
    places = (attribute[state["source"]], label[state["target"]])
    weights = sparse.csr_matrix(
        (state["weight"].astype(np.float64), places), shape=(n_features, n_labels)
    )
    transitions = np.zeros((n_labels, n_labels))
    between = records[records["kind"] == _TRANSITION]
    transitions[label[between["source"]], label[between["target"]]] = between["weight"]
    seen = np.isin(np.arange(n_labels), label)
    return ChainModel(weights, transitions, seen, temperature)


def _names(model: bytes, at: int) -> LongArray:
    """Return the number named by each id of a constant database."""
    count, table = struct.unpack_from("<2I", model, at + _NAME_INDEX)
    places = np.frombuffer(model, "<u4", count, at + table).tolist()
    numbers = np.empty(count, dtype=np.int64)
    for n, place in enumerate(places):
        length = struct.unpack_from("<I", model, at + place + 4)[0]
        begin = at + place + 8
        numbers[n] = int(model[begin : begin + length - 1])
    return numbers


def _empty(n_features: int, n_labels: int, temperature: float) -> ChainModel:
    weights = sparse.csr_matrix((n_features, n_labels), dtype=np.float64)
    nothing = np.zeros((n_labels, n_labels))
    return ChainModel(weights, nothing, np.zeros(n_labels, dtype=np.bool_), temperature)
