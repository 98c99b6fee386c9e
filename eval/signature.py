"""The conditions of a measurement, shown with every figure."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np

from multideid import __version__
from multideid.document import Document, corpus_fingerprint
from multideid.errors import UsageError
from multideid.eval.metrics.scores import check_beta
from multideid.eval.metrics.tokens import check_tokenization

EVERY_MATCHING = "strict, relaxed, type-blind"
_LIBRARIES = ("numpy", "scikit-learn", "python-crfsuite")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How predictions are scored, and what the signature says of the systems behind them.

    Parameters
    ----------
    tokenization : {"multideid", "whitespace"}
        The tokens of token-level scores.
    beta : float
        Weight of recall relative to precision in F-measures.
    folds : int or None
        Of the training or cross-validation behind the predictions.
    seed : int or None
        Of the bootstrap and the randomization test.
    n_resamples : int or None
        Draws of the paired bootstrap over documents, and shuffles of the
        randomization test.
    params : mapping of str to mapping
        Non-default parameters by base system.
    knowledge : mapping of str to str
        Versions of the knowledge sources of the base systems.
    features : {"full", "paper"}
        "paper": Multi has the thesis's stacker; the features of systems are among `params`.

    Raises
    ------
    UsageError
        If the tokenization or beta is invalid, or `params` are not mappings of
        plain values.
    """

    tokenization: str = "multideid"
    beta: float = 1.0
    folds: int | None = None
    seed: int | None = 0
    n_resamples: int | None = 10_000
    params: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    knowledge: Mapping[str, str] = field(default_factory=dict, hash=False)
    features: str = "full"

    def __post_init__(self) -> None:
        check_beta(self.beta)
        check_tokenization(self.tokenization)
        object.__setattr__(self, "params", _plain_params(self.params))
        object.__setattr__(self, "knowledge", dict(self.knowledge))


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature(Scoring):
    """Everything that must be equal for two figures to be comparable.

    The parameters of `Scoring`, and these.

    Parameters
    ----------
    version : str
        Of multideid.
    libraries : tuple of str
        Versions of Python and of the libraries that results depend on.
    systems : tuple of str
        Names of the evaluated systems.
    corpus : str
        Fingerprint of the gold corpus.
    documents : int
        Number of documents.
    matching : str
        Criteria of span matching.
    """

    version: str
    libraries: tuple[str, ...]
    systems: tuple[str, ...]
    corpus: str
    documents: int
    matching: str

    @classmethod
    def of(cls, gold: Sequence[Document], systems: Iterable[str], scoring: Scoring) -> Signature:
        """Sign scores on `gold` under every matching of spans."""
        return cls(
            version=__version__,
            libraries=_library_versions(),
            systems=tuple(systems),
            corpus=corpus_fingerprint(gold),
            documents=len(gold),
            matching=EVERY_MATCHING,
            **{f.name: getattr(scoring, f.name) for f in fields(Scoring)},
        )

    def __str__(self) -> str:
        return "; ".join(self._parts())

    def _parts(self) -> Iterator[str]:
        yield f"multideid {self.version} ({', '.join(self.libraries)})"
        yield f"systems {'+'.join(self.systems) or 'not named'}"
        # As --param accepts them.
        params = [
            f"{system}.{name}={json.dumps(value)}"
            for system, own in self.params.items()
            for name, value in own.items()
        ]
        if params:
            yield f"parameters {', '.join(params)}"
        if self.features != "full":
            yield f"features {self.features}"
        if self.knowledge:
            yield f"knowledge {', '.join(f'{k} {v}' for k, v in self.knowledge.items())}"
        yield f"corpus {self.corpus}, {self.documents} documents"
        yield f"tokens {self.tokenization}"
        yield f"spans {self.matching}"
        yield f"beta {self.beta:g}"
        numbers = {"folds": self.folds, "resamples": self.n_resamples, "seed": self.seed}
        for name, number in numbers.items():
            yield f"{name} {'none' if number is None else number}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the printed line as plain JSON values."""
        lists = {"libraries": list(self.libraries), "systems": list(self.systems)}
        return {**asdict(self), **lists, "line": str(self)}


def _plain_params(params: object) -> dict[str, dict[str, Any]]:
    """Return a copy of parameters made of JSON values."""
    expected = "params must be parameters by system, each of a plain JSON value"
    try:
        plain = json.loads(json.dumps(params, default=_plain, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise UsageError(f"{expected}; {error}") from None
    if not (isinstance(plain, dict) and all(isinstance(own, dict) for own in plain.values())):
        raise UsageError(f"{expected}; got {params!r}")
    return plain


def _plain(value: object) -> object:
    """Return a JSON value for other mappings and for numpy's values."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"got {value!r}")


@cache
def _library_versions() -> tuple[str, ...]:
    python = f"python {platform.python_version()}"
    return (python, *(f"{name} {version(name)}" for name in _LIBRARIES))
