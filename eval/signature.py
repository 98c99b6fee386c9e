"""What a score was measured on, with what and how: no figure goes without it."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np

from multideid import __version__
from multideid.document import Document, corpus_fingerprint
from multideid.errors import UsageError

EVERY_MATCHING = "strict, relaxed, type-blind"
_LIBRARIES = ("numpy", "scikit-learn", "python-crfsuite")


@dataclass(frozen=True, slots=True)
class Signature:
    """All that has to be equal for two figures to be compared.

    Parameters
    ----------
    version : str
        Of multideid.
    libraries : tuple of str
        Python and the libraries that learning and drawing by lot rest on,
        with their versions.
    systems : tuple of str
        Names of the systems that were scored.
    corpus : str
        Fingerprint of the gold corpus.
    documents : int
        How many it has.
    tokenization : str
        What a token is at token level.
    matching : str
        When a span counts as found.
    beta : float
        Of the F-measure.
    folds : int or None
        Of the training or cross-validation behind the predictions.
    seed : int or None
        Of whatever was drawn by lot.
    n_resamples : int or None
        Draws of the bootstrap, and shuffles of the randomization test.
    params : mapping of str to mapping
        Those parameters of base systems that were given, by system.
    knowledge : mapping of str to str
        The knowledge sources that base systems drew on, with their versions.
    """

    version: str
    libraries: tuple[str, ...]
    systems: tuple[str, ...]
    corpus: str
    documents: int
    tokenization: str
    matching: str
    beta: float
    folds: int | None
    seed: int | None
    n_resamples: int | None = None
    params: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    knowledge: Mapping[str, str] = field(default_factory=dict, hash=False)

    @classmethod
    def of(  # noqa: PLR0913 -- keywords
        cls,
        gold: Sequence[Document],
        systems: Iterable[str],
        *,
        tokenization: str,
        beta: float,
        folds: int | None,
        seed: int | None,
        n_resamples: int | None = None,
        params: Mapping[str, Mapping[str, Any]] | None = None,
        knowledge: Mapping[str, str] | None = None,
    ) -> Signature:
        """Sign scores over `gold` under every matching of spans.

        Raises
        ------
        UsageError
            If `params` are not mappings of plain values.
        """
        return cls(
            version=__version__,
            libraries=_library_versions(),
            systems=tuple(systems),
            corpus=corpus_fingerprint(gold),
            documents=len(gold),
            tokenization=tokenization,
            matching=EVERY_MATCHING,
            beta=beta,
            folds=folds,
            seed=seed,
            n_resamples=n_resamples,
            params=_plain_params(params or {}),
            knowledge=dict(knowledge or {}),
        )

    def __str__(self) -> str:
        systems = "+".join(self.systems) or "not named"
        return "; ".join(
            (
                f"multideid {self.version} ({', '.join(self.libraries)})",
                f"systems {systems}",
                *self._told_params(),
                *self._told_knowledge(),
                f"corpus {self.corpus}, {self.documents} documents",
                f"tokens {self.tokenization}",
                f"spans {self.matching}",
                f"beta {self.beta:g}",
                f"folds {_or_none(self.folds)}",
                f"resamples {_or_none(self.n_resamples)}",
                f"seed {_or_none(self.seed)}",
            )
        )

    def _told_params(self) -> Iterator[str]:
        """Yield the parameters as ``--param`` takes them, nothing if none was given."""
        pairs = [
            f"{system}.{name}={json.dumps(value)}"
            for system, params in self.params.items()
            for name, value in params.items()
        ]
        if pairs:
            yield f"parameters {', '.join(pairs)}"

    def _told_knowledge(self) -> Iterator[str]:
        """Yield the knowledge sources with their versions, nothing if none was used."""
        if self.knowledge:
            told = (f"{name} {version}" for name, version in self.knowledge.items())
            yield f"knowledge {', '.join(told)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, and the printed line, as plain JSON values."""
        lists = {"libraries": list(self.libraries), "systems": list(self.systems)}
        return {**asdict(self), **lists, "line": str(self)}


def _plain_params(params: object) -> dict[str, dict[str, Any]]:
    """Return parameters as a copy made of JSON values."""
    wanted = "params must be parameters by system, each of a plain JSON value"
    try:
        plain = json.loads(json.dumps(params, default=_plain, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise UsageError(f"{wanted}; {error}") from None
    if not (isinstance(plain, dict) and all(isinstance(own, dict) for own in plain.values())):
        raise UsageError(f"{wanted}; got {params!r}")
    return plain


def _plain(value: object) -> object:
    """Return what JSON takes for a mapping of another kind, or for numpy's values."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"got {value!r}")


def _or_none(number: int | None) -> str:
    return "none" if number is None else str(number)


@cache
def _library_versions() -> tuple[str, ...]:
    python = f"python {platform.python_version()}"
    return (python, *(f"{name} {version(name)}" for name in _LIBRARIES))
