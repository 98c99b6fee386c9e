"""Decisions of base systems without feature templates, from which Mega learns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from multideid.arrays import FloatArray
from multideid.stacking.fitting import Progress, failures_of
from multideid.stacking.folds import Groups, document_folds
from multideid.stacking.out_of_fold import fit_out_of_fold
from multideid.stacking.systems import Params, make_systems
from multideid.taggers.checked import check_fit, scores_of
from multideid.taggers.contract import BaseTagger
from multideid.taggers.mapped import MappedTagger
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


@dataclass(frozen=True, slots=True)
class DecidingSystems:
    """Fits systems, and scores the documents that they are fitted on.

    A system that learns decides nearly all tokens of its own training documents right, so
    that a learner with these decisions among its features would follow them alone. So its
    scores of each document come from a fit without the document's fold. Rules, which do not
    know their training documents, are fitted once.

    Parameters
    ----------
    folds, seed : int
    groups : sequence of hashable, optional
        As for `document_folds`.
    n_jobs : int, optional
        Number of processes. Default, as -1: one per processor.
    progress : callable, optional
        Called with ``(done, total, name)`` after each fit of systems that learn.
    """

    folds: int
    seed: int
    groups: Groups = None
    n_jobs: int | None = None
    progress: Progress | None = None

    def fit(
        self, systems: Mapping[str, Params], tokens: TokenTable, labels: TokenLabels
    ) -> tuple[dict[str, BaseTagger], list[FloatArray]]:
        """Return systems fitted on all documents, and the scores of each for these documents.

        Raises
        ------
        UsageError
            If there are systems that learn, and fewer documents or groups than folds.
        """
        unfitted = make_systems(systems) if systems else {}
        learners = {name: systems[name] for name, tagger in unfitted.items() if _learns(tagger)}
        found = self._out_of_fold(learners, tokens, labels) if learners else {}
        for name in [name for name in unfitted if name not in learners]:
            with failures_of(name):
                tagger = unfitted[name].fit(tokens, labels)
                check_fit(name, tagger, labels.names)
                found[name] = tagger, scores_of(tagger, tokens)
        taggers = {name: found[name][0] for name in unfitted}
        return taggers, [found[name][1] for name in unfitted]

    def _out_of_fold(
        self, systems: Mapping[str, Params], tokens: TokenTable, labels: TokenLabels
    ) -> dict[str, tuple[BaseTagger, FloatArray]]:
        fold = document_folds(len(tokens.ids), self.folds, self.seed, self.groups)
        taggers, scores = fit_out_of_fold(
            systems, tokens, labels, fold,
            augment=False, n_jobs=self.n_jobs, progress=self.progress,
        )  # fmt: skip
        pairs = zip(taggers.items(), scores.scores, strict=True)
        return {name: (tagger, own) for (name, tagger), own in pairs}


def _learns(tagger: BaseTagger) -> bool:
    return tagger.learns if isinstance(tagger, MappedTagger) else True
