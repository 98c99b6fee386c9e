"""Multi with fewer systems: only the stacker is fitted again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from multideid.document import Document
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.plans import Plan
from multideid.eval.metrics.evaluation import evaluate
from multideid.stacking.decode import best_tags

Systems = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PruningStep:
    """Multi after a system was dropped.

    Parameters
    ----------
    corpus : str
    dropped : str
        The system that was dropped in this step; "" at the start.
    systems : tuple of str
        Those that are left.
    out_of_fold : float
        Strict span F on the training documents, by stackers that did not
        learn from them: what the choice of the system went by.
    token_f, span_f : float
        On the test documents: PHI or not, and strict.
    is_chosen : bool
        Whether this is where one would stop: the best out of fold, and of
        equals that with the fewest systems.
    """

    corpus: str
    dropped: str
    systems: tuple[str, ...]
    out_of_fold: float
    token_f: float
    span_f: float
    is_chosen: bool

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {**asdict(self), "systems": list(self.systems)}


class Pruning:
    """Multi of one corpus with all systems, with one less, and with ever fewer.

    Parameters
    ----------
    corpus : Corpus
    plan : Plan
        With all of Multi's fits finished.
    """

    def __init__(self, corpus: Corpus, plan: Plan) -> None:
        self._corpus, self._plan = corpus, plan
        self._names = plan.setup.systems
        # What is told of is how many ensembles are done, not each stacker.
        self._stack = replace(plan.stack(), progress=None)
        self._scored: dict[Systems, float] = {}

    def predictions(self) -> Iterator[tuple[tuple[str, str], list[Document]]]:
        """Yield the test documents as Multi sees them with all systems, and without each."""
        everything = tuple(range(len(self._names)))
        yield ("all", ""), self._predicted(everything)
        for system in everything if len(everything) > 1 else ():
            yield ("without", self._names[system]), self._predicted(_less(everything, system))

    def steps(self) -> list[PruningStep]:
        """Drop system after system, each time the one that is missed least out of fold."""
        path: list[tuple[str, Systems]] = [("", tuple(range(len(self._names))))]
        while len(left := path[-1][1]) > 1:
            worst = max(left, key=lambda system: self._out_of_fold(_less(left, system)))
            path.append((self._names[worst], _less(left, worst)))
        best = max(path, key=lambda step: (self._out_of_fold(step[1]), -len(step[1])))
        return [self._step(dropped, left, left == best[1]) for dropped, left in path]

    def _step(self, dropped: str, left: Systems, is_chosen: bool) -> PruningStep:
        tokenization = self._plan.setup.tokenization
        found = evaluate(self._corpus.test, self._predicted(left), tokenization=tokenization)
        return PruningStep(
            corpus=self._corpus.name,
            dropped=dropped,
            systems=tuple(self._names[n] for n in left),
            out_of_fold=self._out_of_fold(left),
            token_f=found.tokens.two_way().f1,
            span_f=found.spans.strict.micro().f1,
            is_chosen=is_chosen,
        )

    def _predicted(self, systems: Systems) -> list[Document]:
        stack = self._stack.only(systems)
        return self._plan.data.with_tags(self._plan.held, best_tags(stack.held, stack.margins()))

    def _out_of_fold(self, systems: Systems) -> float:
        if systems not in self._scored:
            stack = self._stack.only(systems)
            tags = best_tags(stack.tokens, stack.margins_out_of_fold())
            predicted = self._plan.data.with_tags(self._plan.train, tags)
            found = evaluate(self._corpus.train, predicted)
            self._scored[systems] = found.spans.strict.micro().f1
            self._tell()
        return self._scored[systems]

    def _tell(self) -> None:
        n = len(self._names)
        if self._plan.setup.progress:
            self._plan.setup.progress(len(self._scored), n * (n + 1) // 2, "stacker")


def _less(systems: Systems, system: int) -> Systems:
    return tuple(n for n in systems if n != system)
