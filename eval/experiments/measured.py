"""Several systems on one corpus: what most experiments predict and sign."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from multideid.document import Document
from multideid.eval.experiments.corpora import Corpus, check_corpora
from multideid.eval.experiments.data import Data
from multideid.eval.experiments.fits import Setup, finish
from multideid.eval.experiments.parts import check_measured
from multideid.eval.experiments.plans import ENSEMBLES, Plan, check_names


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A corpus, and what systems predict for its test documents.

    Parameters
    ----------
    corpus : Corpus
    plan : Plan
    predictions : dict of str to list of Document
        By system or ensemble.
    """

    corpus: Corpus
    plan: Plan
    predictions: dict[str, list[Document]]


def everything(setup: Setup, systems: Sequence[str] | None) -> tuple[str, ...]:
    """Return the names to measure: those given, or the base systems and all ensembles."""
    return check_names((*setup.systems, *ENSEMBLES) if systems is None else systems)


def measure(corpora: Iterable[Corpus], setup: Setup, names: Sequence[str]) -> Iterator[Measured]:
    """Train on every corpus, all fits first, and predict its test documents."""
    check_measured(setup, names)
    plans = [(c, Plan.of(Data.of(c.train, c.test), setup)) for c in check_corpora(list(corpora))]
    finish((fit for _, plan in plans for fit in plan.fits(names)), setup)
    for corpus, plan in plans:
        yield Measured(corpus, plan, plan.predictions(names))
