"""Multi with fewer and fewer systems; only the stacker is fitted again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from multideid.document import Document
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.plan import JobPlan
from multideid.eval.experiments.result import Record
from multideid.eval.metrics.evaluation import evaluate
from multideid.tables import Column, Table

Systems = tuple[int, ...]


_COLUMNS = (
    Column("corpus", "corpus"),
    Column("dropped", "dropped"),
    Column("left", lambda step: "+".join(step.systems)),
    Column("span F1, out of fold", "out_of_fold", ".4f"),
    Column("chosen", lambda step: "yes" if step.is_chosen else ""),
    Column("PHI F1", "token_f", ".4f"),
    Column("span F1", "span_f", ".4f"),
)


def pruning_tables(steps: Sequence[Record]) -> Iterator[Table]:
    """Yield a table of steps, if there are any."""
    if steps:
        yield Table.of("Multi, pruned by out-of-fold scores", _COLUMNS, steps, left=3)


class Pruning:
    """Multi of one corpus with all systems, without each, and with fewer and fewer.

    Parameters
    ----------
    corpus : Corpus
    plan : JobPlan
        With all of Multi's fits made.
    """

    def __init__(self, corpus: Corpus, plan: JobPlan) -> None:
        self._corpus, self._plan = corpus, plan
        self._names = plan.setup.systems
        # Progress is reported by ensembles instead.
        self._stack = replace(plan.stack(), progress=None)
        self._scored: dict[Systems, float] = {}

    def predictions(self) -> Iterator[tuple[tuple[str, str], list[Document]]]:
        """Yield the test documents as Multi predicts them with all systems, and without each."""
        everything = tuple(range(len(self._names)))
        yield ("all", ""), self._predicted(everything)
        for system in everything if len(everything) > 1 else ():
            yield ("without", self._names[system]), self._predicted(_less(everything, system))

    def steps(self) -> list[Record]:
        """Drop one system after another, each time the least useful one out of fold.

        Steps have ``out_of_fold``, strict span F on the training documents by
        stackers that did not learn from them, by which systems are dropped;
        ``token_f`` (PHI or not) and ``span_f`` on the test documents; and
        ``is_chosen`` for the best out of fold, the smallest among equals.
        """
        path: list[tuple[str, Systems]] = [("", tuple(range(len(self._names))))]
        while len(left := path[-1][1]) > 1:
            worst = max(left, key=lambda system: self._out_of_fold(_less(left, system)))
            path.append((self._names[worst], _less(left, worst)))
        best = max(path, key=lambda step: (self._out_of_fold(step[1]), -len(step[1])))
        return [self._step(dropped, left, left == best[1]) for dropped, left in path]

    def _step(self, dropped: str, left: Systems, is_chosen: bool) -> Record:
        tokenization = self._plan.setup.tokenization
        found = evaluate(self._corpus.test, self._predicted(left), tokenization=tokenization)
        return Record(
            corpus=self._corpus.name,
            dropped=dropped,
            systems=tuple(self._names[n] for n in left),
            out_of_fold=self._out_of_fold(left),
            token_f=found.tokens.two_way().f1,
            span_f=found.spans.strict.micro().f1,
            is_chosen=is_chosen,
        )

    def _predicted(self, systems: Systems) -> list[Document]:
        return self._plan.data.with_tags(self._plan.held, self._stack.only(systems).tags())

    def _out_of_fold(self, systems: Systems) -> float:
        if systems not in self._scored:
            tags = self._stack.only(systems).tags_out_of_fold()
            predicted = self._plan.data.with_tags(self._plan.train, tags)
            found = evaluate(self._corpus.train, predicted)
            self._scored[systems] = found.spans.strict.micro().f1
            self._report_progress()
        return self._scored[systems]

    def _report_progress(self) -> None:
        n = len(self._names)
        if self._plan.setup.progress:
            self._plan.setup.progress(len(self._scored), n * (n + 1) // 2, "stacker")


def _less(systems: Systems, system: int) -> Systems:
    return tuple(n for n in systems if n != system)
