"""What a score was measured on, with what and how: no figure goes without it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from multideid.document import Document
from multideid.fingerprint import corpus_fingerprint

EVERY_MATCHING = "strict, relaxed, type-blind"


@dataclass(frozen=True, slots=True)
class Signature:
    """All that has to be equal for two figures to be compared.

    Parameters
    ----------
    version : str
        Of multideid.
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
    """

    version: str
    systems: tuple[str, ...]
    corpus: str
    documents: int
    tokenization: str
    matching: str
    beta: float
    folds: int | None
    seed: int | None

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
    ) -> Signature:
        """Sign scores over `gold` under every matching of spans."""
        return cls(
            version=multideid_version(),
            systems=tuple(systems),
            corpus=corpus_fingerprint(gold),
            documents=len(gold),
            tokenization=tokenization,
            matching=EVERY_MATCHING,
            beta=beta,
            folds=folds,
            seed=seed,
        )

    def __str__(self) -> str:
        systems = "+".join(self.systems) or "not named"
        return "; ".join(
            (
                f"multideid {self.version}",
                f"systems {systems}",
                f"corpus {self.corpus}, {self.documents} documents",
                f"tokens {self.tokenization}",
                f"spans {self.matching}",
                f"beta {self.beta:g}",
                f"folds {'none' if self.folds is None else self.folds}",
                f"seed {'none' if self.seed is None else self.seed}",
            )
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, and the printed line, as plain JSON values."""
        return {**asdict(self), "systems": list(self.systems), "line": str(self)}


def multideid_version() -> str:
    """Return the version that is installed, or "unknown" in a bare checkout."""
    try:
        return version("multideid")
    except PackageNotFoundError:
        return "unknown"
