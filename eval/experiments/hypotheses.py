"""The four hypotheses of Tafvizi's thesis (1.2 and 6.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from multideid.arrays import IntArray
from multideid.eval.experiments import verdicts
from multideid.eval.experiments.corpora import Corpus, Data, check_corpora
from multideid.eval.experiments.fits import Fit, run_fits, tags_of
from multideid.eval.experiments.plan import JobPlan
from multideid.eval.experiments.registry import experiment
from multideid.eval.experiments.result import Result, Source, silent_notes
from multideid.eval.experiments.setup import Setup, check_params_used
from multideid.eval.experiments.verdicts import (
    STATEMENTS,
    Finding,
    SignificanceTable,
    finding_tables,
)
from multideid.eval.metrics.evaluation import Evaluation, evaluate
from multideid.eval.reports.blocks import Block, Text
from multideid.eval.reports.cells import prf_columns
from multideid.eval.statistics.significance import MARKS, SIGNIFICANT_Z
from multideid.eval.statistics.z_table import token_classes
from multideid.tables import Column, Record, Table
from multideid.text.bio import corpus_labels

_TRANSFERS = (
    Column("Mega, trained -> measured", lambda t: f"{t.trained} -> {t.measured}"),
    Column("PHI F1", "token_f", ".4f"),
    Column("span F1", "span_f", ".4f"),
)
_BY_CLASS = (
    Column("corpus", "corpus"),
    Column("features", "features"),
    Column("class", "label"),
    Column("tokens", "score.gold"),
    *prf_columns("", "score"),
)
_LEGEND = (
    "Tokens, F1 of both sides; z positive: the second is better; significant where |z| is above "
    f"{SIGNIFICANT_Z} ({MARKS})"
)


Measured = Mapping[tuple[str, str], Evaluation]


@experiment(
    "hypotheses",
    topic="systems",
    source="Tafvizi's thesis, 1.2, 6.1 and appendix B",
    example="--train b/train --test b/test",
)
def hypotheses(corpora: Sequence[Corpus], setup: Setup) -> Result:
    """Test the thesis's four hypotheses on your corpora, with z values.

    High-dimensionality (all features against each system's), universality
    (train on one corpus, measure on another: every ordered pair), over-fitting
    (cross-validation against held-out documents) and Mega against Multi.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup

    Returns
    -------
    Result
        ``findings``: each a `Finding`. ``transfers``: scores of Mega for every
        pair of a corpus to train on and one to measure on. ``classes``: precision,
        recall and F of every class, with the features of each system, with all, for
        another corpus, in cross-validation, and by Multi, as the thesis's Tables A.1
        to A.15.

    Raises
    ------
    UsageError
        If a corpus is unusable, or parameters are of another system.
    """
    check_params_used(setup, whole=setup.systems)
    tests = [_Test(corpus, corpora, setup) for corpus in check_corpora(corpora)]
    run_fits((fit for test in tests for fit in test.fits()), setup)
    measured = {(test.corpus.name, to.name): test.mega_on(to) for test in tests for to in corpora}
    findings = [
        *(test.high_dimensionality() for test in tests),
        *_universality(corpora, measured),
        *(finding for test in tests for finding in test.over_fitting()),
        *(test.mega_vs_multi() for test in tests),
    ]
    transfers = [
        Record(
            trained=trained,
            measured=on,
            token_f=found.tokens.two_way().f1,
            span_f=found.spans.strict.micro().f1,
        )
        for (trained, on), found in measured.items()
    ]
    classes = [row for test in tests for row in test.by_class()]
    return Result(
        "hypotheses",
        {"findings": findings, "transfers": transfers, "classes": classes},
        (*_blocks(findings, transfers), Table.of("By class", _BY_CLASS, classes, left=3)),
        sources=tuple(Source.of(c, ("mega", "multi"), setup) for c in corpora),
        notes=tuple(_notes(corpora, measured)),
    )


class _Test:
    """Mega and Multi trained on one corpus and measured on all."""

    def __init__(self, corpus: Corpus, corpora: Sequence[Corpus], setup: Setup) -> None:
        self.corpus = corpus
        self.corpora = corpora
        self.setup = setup
        self.data = Data.of(corpus.train, *(c.test for c in corpora))
        self.plan = JobPlan.of(self.data, setup)
        self.slices = _slices(corpora)

    def fits(self) -> Iterator[Fit]:
        yield from self.plan.fits(["mega", "multi"])
        yield from map(self._alone, self._several())
        yield from self.plan.mega_folds()

    def mega_on(self, measured: Corpus) -> Evaluation:
        return self._evaluated(self.plan.mega(), measured)

    def high_dimensionality(self) -> Finding:
        if not self._several():
            why = "there is one system, and so no other features to add to its own"
            return verdicts.untested(verdicts.HIGH_DIMENSIONALITY, self.corpus.name, why)
        all_features = self.mega_on(self.corpus)
        tables = []
        for system in self._several():
            alone = self._evaluated(self._alone(system), self.corpus)
            tables.append(SignificanceTable.of(system, "all", (alone, all_features)))
        return verdicts.high_dimensionality(self.corpus.name, tables)

    def over_fitting(self) -> Iterator[Finding]:
        held_out = {"Mega": self.mega_on(self.corpus), "Multi": self._multi()}
        for system, first in held_out.items():
            names = "held-out", f"{self.setup.folds}-fold"
            second = self.plan.evaluated_out_of_fold(system.lower())
            table = SignificanceTable.of(*names, (first, second))
            yield verdicts.over_fitting(f"{self.corpus.name}, {system}", system, table)

    def mega_vs_multi(self) -> Finding:
        evaluations = (self.mega_on(self.corpus), self._multi())
        table = SignificanceTable.of("Mega", "Multi", evaluations)
        return verdicts.mega_vs_multi(self.corpus.name, table)

    def by_class(self) -> Iterator[Record]:
        """Yield the rows of the thesis's Tables A.1 to A.15."""
        alone = {f"SVM, {system}": self._alone(system) for system in self._several()}
        found = {name: self._evaluated(fit, self.corpus) for name, fit in alone.items()}
        for other in self.corpora:
            to = "" if other.name == self.corpus.name else f" on {other.name}"
            found[f"Mega{to}"] = self.mega_on(other)
        found[f"Mega, {self.setup.folds}-fold"] = self.plan.evaluated_out_of_fold("mega")
        found["Multi"] = self._multi()
        for name, evaluation in found.items():
            for label, score in token_classes(evaluation).items():
                yield Record(corpus=self.corpus.name, features=name, label=label, score=score)

    def _several(self) -> tuple[str, ...]:
        return self.setup.systems if len(self.setup.systems) > 1 else ()

    def _alone(self, system: str) -> Fit:
        return self.plan.fit(self.plan.mega_spec(self.plan.train, [system]))

    def _multi(self) -> Evaluation:
        return self._on(self.corpus, self.plan.tags("multi"))

    def _evaluated(self, fit: Fit, measured: Corpus) -> Evaluation:
        return self._on(measured, tags_of(fit, self.setup))

    def _on(self, measured: Corpus, tags: IntArray) -> Evaluation:
        """Evaluate tags of all test documents on those of one corpus."""
        predicted = self.data.with_tags(self.plan.held, tags)[self.slices[measured.name]]
        return evaluate(measured.test, predicted, tokenization=self.setup.tokenization)


def _blocks(findings: Sequence[Finding], transfers: Sequence[Record]) -> Iterator[Block]:
    """Yield each hypothesis with its tables and verdicts."""
    for hypothesis, statement in STATEMENTS.items():
        yield Text(f"{hypothesis.capitalize()}: {statement}")
        if hypothesis == verdicts.UNIVERSALITY and len(transfers) > 1:
            yield Table.of("", _TRANSFERS, transfers)
        for finding in findings:
            if finding.hypothesis == hypothesis:
                if not finding.tables:
                    yield Text(finding.corpus)
                yield from finding_tables(finding)
                yield Text(finding.sentence)
    yield Text(_LEGEND)


def _slices(corpora: Sequence[Corpus]) -> dict[str, slice]:
    """Return the position of each corpus's test documents among all of them."""
    ends = np.cumsum([len(corpus.test) for corpus in corpora]).tolist()
    return {c.name: slice(end - len(c.test), end) for c, end in zip(corpora, ends, strict=True)}


def _universality(corpora: Sequence[Corpus], measured: Measured) -> Iterator[Finding]:
    if len(corpora) == 1:
        why = "it takes two corpora; give --train and --test of another one too"
        yield verdicts.untested(verdicts.UNIVERSALITY, corpora[0].name, why)
    for one, two in combinations((corpus.name for corpus in corpora), 2):
        table = SignificanceTable.of(one, two, (measured[one, one], measured[two, two]))
        yield verdicts.equally_good(one, two, table)
    for (trained, on), found in measured.items():
        if trained != on:
            names = f"from {on}", f"from {trained}"
            table = SignificanceTable.of(*names, (measured[on, on], found))
            yield verdicts.universality(f"{trained} -> {on}", table)


def _notes(corpora: Sequence[Corpus], measured: Measured) -> Iterator[str]:
    for corpus in corpora:
        yield from corpus.notes()
    for one, two in combinations(corpora, 2):
        if corpus_labels(one.train) != corpus_labels(two.train):
            yield (
                f"{one.name} and {two.name} have different classes: between them, compare any PHI "
                "and only those classes that both have"
            )
    for (trained, on), found in measured.items():
        yield from silent_notes(on, f"Mega of {trained}", found.tokens.two_way())
