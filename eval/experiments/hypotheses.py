"""The four hypotheses of Tafvizi's thesis (1.2 and 6.1), tested on the user's own corpora."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from multideid.document import Document
from multideid.eval.experiments import verdicts
from multideid.eval.experiments.corpora import Corpus, check_corpora
from multideid.eval.experiments.data import Data
from multideid.eval.experiments.fits import Fit, Setup, finish, result
from multideid.eval.experiments.parts import check_parts
from multideid.eval.experiments.plans import Plan
from multideid.eval.experiments.recipes import MegaFit
from multideid.eval.experiments.results import Source, document_text, silence
from multideid.eval.experiments.significance_table import SignificanceTable, format_tables
from multideid.eval.experiments.verdicts import STATEMENTS, Finding
from multideid.eval.metrics.evaluation import Evaluation, evaluate
from multideid.eval.reports.text_cells import figure
from multideid.eval.statistics.significance import MARKS, SIGNIFICANT_Z
from multideid.stacking.decode import best_tags
from multideid.tables import text_table
from multideid.text.bio import corpus_labels


@dataclass(frozen=True, slots=True)
class Transfer:
    """Mega trained on one corpus and measured on one, which may be the same.

    Parameters
    ----------
    trained, measured : str
        Names of corpora.
    token_f : float
        PHI or not, at token level.
    span_f : float
        Strict.
    """

    trained: str
    measured: str
    token_f: float
    span_f: float


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What the data say of the four hypotheses.

    Parameters
    ----------
    findings : tuple of Finding
        Hypothesis by hypothesis.
    transfers : tuple of Transfer
        Every corpus to train on with every one to measure on.
    sources : tuple of Source
    notes : tuple of str
    """

    findings: tuple[Finding, ...]
    transfers: tuple[Transfer, ...]
    sources: tuple[Source, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "experiment": "hypotheses",
            "findings": [finding.to_dict() for finding in self.findings],
            "transfers": [asdict(transfer) for transfer in self.transfers],
            "sources": [source.to_dict() for source in self.sources],
            "notes": list(self.notes),
        }

    def to_text(self) -> str:
        """Return each hypothesis with its tables and verdicts, the notes and the signatures."""
        sections = [self._section(hypothesis) for hypothesis in STATEMENTS]
        sections.append(
            f"Tokens, F1 of either side; z positive: the second is better; significant where |z| "
            f"is above {SIGNIFICANT_Z} ({MARKS})"
        )
        return document_text(sections, self.notes, self.sources)

    def _section(self, hypothesis: str) -> str:
        parts = [f"{hypothesis.capitalize()}: {STATEMENTS[hypothesis]}"]
        if hypothesis == verdicts.UNIVERSALITY and len(self.transfers) > 1:
            parts.append(self._transfer_table())
        for finding in self.findings:
            if finding.hypothesis == hypothesis:
                table = [format_tables(finding.tables)] if finding.tables else []
                parts += [finding.corpus, *table, finding.sentence]
        return "\n\n".join(parts)

    def _transfer_table(self) -> str:
        rows = [
            [f"{t.trained} -> {t.measured}", figure(t.token_f), figure(t.span_f)]
            for t in self.transfers
        ]
        return text_table(["Mega, trained -> measured", "PHI F1", "span F1"], rows)


def hypotheses(corpora: Sequence[Corpus], setup: Setup) -> Hypotheses:
    """Test the hypotheses on every corpus, and universality on every ordered pair.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup

    Raises
    ------
    UsageError
        If a corpus cannot be used, or parameters are of another system.
    """
    check_parts(setup, whole=setup.systems)
    tests = [_Test(corpus, corpora, setup) for corpus in check_corpora(corpora)]
    finish((fit for test in tests for fit in test.fits()), setup)
    measured = {(test.corpus.name, to.name): test.mega_on(to) for test in tests for to in corpora}
    findings = [
        *(test.high_dimensionality() for test in tests),
        *_universality(corpora, measured),
        *(finding for test in tests for finding in test.over_fitting()),
        *(test.mega_vs_multi() for test in tests),
    ]
    return Hypotheses(
        findings=tuple(findings),
        transfers=tuple(_transfer(*names, found) for names, found in measured.items()),
        sources=tuple(Source.of(c, ("mega", "multi"), setup) for c in corpora),
        notes=(
            *(note for corpus in corpora for note in corpus.notes()),
            *_label_notes(corpora),
            *(
                note
                for (trained, on), found in measured.items()
                for note in silence(on, f"Mega of {trained}", found.tokens.two_way())
            ),
        ),
    )


class _Test:
    """One corpus, with Mega and Multi trained on it and measured on all."""

    def __init__(self, corpus: Corpus, corpora: Sequence[Corpus], setup: Setup) -> None:
        self.corpus = corpus
        self.setup = setup
        self.data = Data.of(corpus.train, *(c.test for c in corpora))
        self.plan = Plan.of(self.data, setup)
        self.lots = _lots(corpora)

    def fits(self) -> Iterator[Fit]:
        yield from self.plan.fits(["mega", "multi"])
        yield from map(self._alone, self._several())
        yield from self._mega_folds()

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
        crossed = {"Mega": self._mega_crossed(), "Multi": self._multi_crossed()}
        held_out = {"Mega": self.mega_on(self.corpus), "Multi": self._multi()}
        for system, second in crossed.items():
            names = "held-out", f"{self.setup.folds}-fold"
            table = SignificanceTable.of(*names, (held_out[system], second))
            yield verdicts.over_fitting(f"{self.corpus.name}, {system}", system, table)

    def mega_vs_multi(self) -> Finding:
        evaluations = (self.mega_on(self.corpus), self._multi())
        table = SignificanceTable.of("Mega", "Multi", evaluations)
        return verdicts.mega_vs_multi(self.corpus.name, table)

    def _several(self) -> tuple[str, ...]:
        return self.setup.systems if len(self.setup.systems) > 1 else ()

    def _alone(self, system: str) -> Fit:
        recipe = MegaFit(self.setup.with_params([system]), self.setup.seed)
        return Fit(recipe, self.data, self.plan.train, self.plan.held)

    def _mega_folds(self) -> list[Fit]:
        recipe, train, fold = self.plan.mega().recipe, self.plan.train, self.plan.fold()
        return [
            Fit(recipe, self.data, train[fold != k], train[fold == k])
            for k in range(self.setup.folds)
        ]

    def _mega_crossed(self) -> Evaluation:
        found = [
            document
            for fit in self._mega_folds()
            for document in self.data.with_tags(fit.held, result(fit, self.setup)["tags"])
        ]
        return self._scored(self.corpus.train, found)

    def _multi_crossed(self) -> Evaluation:
        stack = self.plan.stack()
        tags = best_tags(stack.tokens, stack.margins_out_of_fold())
        return self._scored(self.corpus.train, self.data.with_tags(self.plan.train, tags))

    def _multi(self) -> Evaluation:
        predicted = self.plan.predictions(["multi"])["multi"]
        return self._scored(self.corpus.test, predicted[self.lots[self.corpus.name]])

    def _evaluated(self, fit: Fit, measured: Corpus) -> Evaluation:
        predicted = self.data.with_tags(fit.held, result(fit, self.setup)["tags"])
        return self._scored(measured.test, predicted[self.lots[measured.name]])

    def _scored(self, gold: Sequence[Document], predicted: Sequence[Document]) -> Evaluation:
        return evaluate(gold, predicted, tokenization=self.setup.tokenization)


def _lots(corpora: Sequence[Corpus]) -> dict[str, slice]:
    """Return where each corpus's test documents stand among all of them."""
    ends = np.cumsum([len(corpus.test) for corpus in corpora]).tolist()
    return {c.name: slice(end - len(c.test), end) for c, end in zip(corpora, ends, strict=True)}


def _universality(
    corpora: Sequence[Corpus], measured: dict[tuple[str, str], Evaluation]
) -> Iterator[Finding]:
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


def _label_notes(corpora: Sequence[Corpus]) -> Iterator[str]:
    for one, two in combinations(corpora, 2):
        if corpus_labels(one.train) != corpus_labels(two.train):
            yield (
                f"{one.name} and {two.name} have different classes: between them, compare any PHI "
                "and those classes alone that both have"
            )


def _transfer(trained: str, measured: str, found: Evaluation) -> Transfer:
    token_f, span_f = found.tokens.two_way().f1, found.spans.strict.micro().f1
    return Transfer(trained, measured, token_f, span_f)
