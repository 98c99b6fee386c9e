"""What every experiment's result has: figures as JSON values, tables as text, a signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from multideid.document import corpus_fingerprint
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.fits import Setup
from multideid.eval.experiments.plans import ENSEMBLES, base_systems
from multideid.eval.metrics.scores import Score
from multideid.eval.signature import Signature
from multideid.stacking.systems import given_params, knowledge_of


class Result(Protocol):
    """What an experiment returns."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""

    def to_text(self) -> str:
        """Return the tables, the notes and the signatures."""


@dataclass(frozen=True, slots=True)
class Source:
    """What an experiment's figures of one corpus were measured on, with what and how.

    Parameters
    ----------
    corpus : str
        Name of the corpus.
    trained_on : str
        Fingerprint of the training documents.
    n_train : int
        How many there are.
    base_systems : tuple of str
        What vote, Mega and Multi are made of; empty if none of them is measured.
    signature : Signature
        Of the test documents, the systems and the scores.
    """

    corpus: str
    trained_on: str
    n_train: int
    base_systems: tuple[str, ...]
    signature: Signature

    @classmethod
    def of(  # noqa: PLR0913 -- keywords
        cls,
        corpus: Corpus,
        systems: Sequence[str],
        setup: Setup,
        *,
        folds: bool = True,
        n_resamples: int | None = None,
        rests_on: Iterable[str] | None = None,
    ) -> Source:
        """Sign the figures of some systems on a corpus.

        Parameters
        ----------
        corpus : Corpus
        systems : sequence of str
            What was measured.
        setup : Setup
        folds : bool
            Whether anything was dealt out to folds.
        n_resamples : int, optional
        rests_on : iterable of str, optional
            The base systems behind the figures. Default: `base_systems` of `systems`.
        """
        used = base_systems(systems, setup.systems) if rests_on is None else tuple(rests_on)
        signature = Signature.of(
            corpus.test,
            systems,
            tokenization=setup.tokenization,
            beta=1.0,
            folds=setup.folds if folds else None,
            seed=setup.seed,
            n_resamples=n_resamples,
            params=given_params(setup.with_params(used)),
            knowledge=knowledge_of(map(setup.tagger, used)),
        )
        learned = corpus_fingerprint(corpus.train), len(corpus.train)
        made_of = setup.systems if set(systems) & set(ENSEMBLES) else ()
        return cls(corpus.name, *learned, made_of, signature)

    def __str__(self) -> str:
        made_of = f"base systems {'+'.join(self.base_systems)}; " if self.base_systems else ""
        return (
            f"{self.corpus}: trained on {self.trained_on}, {self.n_train} documents; {made_of}"
            f"{self.signature}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, and the printed line, as plain JSON values."""
        return {
            "corpus": self.corpus,
            "trained_on": self.trained_on,
            "n_train": self.n_train,
            "base_systems": list(self.base_systems),
            "signature": self.signature.to_dict(),
            "line": str(self),
        }


def silence(corpus: str, system: str, score: Score) -> Iterator[str]:
    """Yield a word of why where a system's scores are all 0."""
    if score.gold and not score.predicted:
        yield f"{corpus}: {system} predicts no PHI at all, so that its precision and F are 0"


def document_text(sections: Iterable[str], notes: Iterable[str], sources: Iterable[Source]) -> str:
    """Put sections, notes and signatures below each other."""
    told = [f"Note: {note}." for note in dict.fromkeys(notes)]
    return "\n\n".join([*sections, *told, "\n".join(map(str, sources))])
