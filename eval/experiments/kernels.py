"""SVMs of different kernels that tell PHI from the rest (Tafvizi, Table 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from multideid.arrays import LongArray
from multideid.base_systems.svm_kernel.kernel_svm import KERNELS, ExactTrainer
from multideid.errors import UsageError
from multideid.eval.experiments.corpora import Corpus, check_corpora
from multideid.eval.experiments.data import Data
from multideid.eval.experiments.fits import Fit, Setup, finish, result
from multideid.eval.experiments.parts import check_parts
from multideid.eval.experiments.recipes import settings, source_digest
from multideid.eval.experiments.results import Source, document_text, silence
from multideid.eval.experiments.store import Arrays
from multideid.eval.metrics.scores import Score
from multideid.eval.metrics.token_metrics import NON_PHI, ConfusionMatrix
from multideid.eval.reports.text_cells import figure, section
from multideid.features.extractor import FeatureExtractor
from multideid.learners.feature_tagger import FeatureTagger
from multideid.tables import text_table
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable
from multideid.text.tokenizer import LINE_ENDS

FEATURES_OF = "stat-deid"
"""The base system whose features the SVMs are given."""


@dataclass(frozen=True, slots=True)
class KernelScore:
    """An SVM of one kernel.

    Parameters
    ----------
    corpus, kernel : str
    documents : int
        Training documents it was fitted on.
    phi, non_phi : Score
        At token level.
    support_vectors : int
    fit_seconds, predict_seconds : float
    """

    corpus: str
    kernel: str
    documents: int
    phi: Score
    non_phi: Score
    support_vectors: int
    fit_seconds: float
    predict_seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        scores = {"phi": self.phi.to_dict(), "non_phi": self.non_phi.to_dict()}
        return {**asdict(self), **scores}


@dataclass(frozen=True, slots=True)
class Kernels:
    """SVMs of different kernels.

    Parameters
    ----------
    scores : tuple of KernelScore
    sources : tuple of Source
    notes : tuple of str
    """

    scores: tuple[KernelScore, ...]
    sources: tuple[Source, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "experiment": "kernels",
            "scores": [score.to_dict() for score in self.scores],
            "sources": [source.to_dict() for source in self.sources],
            "notes": list(self.notes),
        }

    def to_text(self) -> str:
        """Return the table, the notes and the signatures."""
        header = ["corpus", "kernel", "documents", "PHI P", "PHI R", "PHI F1"]
        header += [f"{NON_PHI} P", f"{NON_PHI} R", "vectors", "fit s", "predict s"]
        table = text_table(header, list(map(_row, self.scores)), left=2)
        title = f"PHI or not: SVMs over the features of {FEATURES_OF}, a token by itself"
        return document_text([section(title, table)], self.notes, self.sources)


@dataclass(frozen=True, slots=True)
class KernelFit:
    """An SVM that tells PHI from the rest by the features of Stat-Deid.

    Parameters
    ----------
    kernel : str
        A key of `KERNELS`.
    c : float
        Trades margin size for training errors.
    tagger : FeatureTagger
        Stat-Deid, of which only the features are used, with its `min_count`.
    """

    kernel: str
    c: float
    tagger: FeatureTagger

    @property
    def name(self) -> str:
        """What a progress bar calls it."""
        return f"{self.kernel} kernel"

    def key(self) -> Mapping[str, Any]:
        """Return the kernel, its parameters and the settings of the features."""
        features = {FEATURES_OF: settings(self.tagger)}
        svm = {"svc": KERNELS[self.kernel], "c": self.c}
        return {**svm, "features": features, "code": source_digest(KernelFit)}

    def run(self, tokens: TokenTable, labels: TokenLabels, held: TokenTable) -> Arrays:
        """Return ``phi``, bool; ``support_vectors``; ``fit`` and ``predict`` in seconds."""
        extractor = FeatureExtractor(self.tagger.templates(), self.tagger.min_count).fit(tokens)
        start = perf_counter()
        svm = ExactTrainer(self.kernel, self.c).train(extractor.transform(tokens), labels.ids > 0)
        fitted = perf_counter()
        phi = svm.margins(extractor.transform(held)) > 0
        return {
            "phi": phi,
            "support_vectors": np.array(len(svm.weights)),
            "fit": np.array(fitted - start),
            "predict": np.array(perf_counter() - fitted),
        }


def kernels(
    corpora: Sequence[Corpus], setup: Setup, *, documents: int = 50, c: float = 1.0
) -> Kernels:
    """Fit an SVM of each kernel on some training documents, and measure on all test documents.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
        Its tokenization is not asked: tokens are multideid's.
    documents : int
        How many training documents are drawn.
    c : float
        Of every SVM. The width of the quadratic and the Gaussian kernel is
        scikit-learn's ``gamma="scale"``.

    Raises
    ------
    UsageError
        If a corpus or a number makes no sense, a parameter has no part, or a
        plug-in without features has the name of the system.

    Notes
    -----
    Tafvizi et al., 5.5 and Table 3, with a subset of 50 documents.
    """
    if documents < 1 or not c > 0:
        raise UsageError(f"documents and c must be above 0; got {documents} and {c}")
    check_parts(setup, features=[FEATURES_OF], also=["min_count"])
    setup = replace(setup, tokenization="multideid")
    runs = [_Run(corpus, setup, documents, c) for corpus in check_corpora(corpora)]
    finish((fit for run in runs for fit in run.fits.values()), setup)
    return Kernels(
        scores=tuple(score for run in runs for score in run.scores()),
        sources=tuple(_source(run.corpus, setup) for run in runs),
        notes=tuple(note for run in runs for note in run.notes()),
    )


def _tagger(setup: Setup) -> FeatureTagger:
    tagger = setup.tagger(FEATURES_OF)
    if not isinstance(tagger, FeatureTagger):
        raise UsageError(
            f"kernels are measured over the features of {FEATURES_OF}; the system of that name "
            "here has none"
        )
    return tagger


class _Run:
    def __init__(self, corpus: Corpus, setup: Setup, documents: int, c: float) -> None:
        self.corpus, self._setup = corpus, setup
        self._data = Data.of(corpus.train, corpus.test)
        self._chosen = _draw(self._data.n_train, documents, setup.seed)
        held, tagger = self._data.measured, _tagger(setup)
        self.fits = {
            kernel: Fit(KernelFit(kernel, c, tagger), self._data, self._chosen, held)
            for kernel in KERNELS
        }

    def scores(self) -> Iterator[KernelScore]:
        held = self._data.tokens.select(self._data.measured)
        counted = ~np.array([w in LINE_ENDS for w in held.vocabulary], dtype=np.bool_)[held.type]
        gold = self._is_phi()[counted]
        for kernel, fit in self.fits.items():
            found = result(fit, self._setup)
            matrix = ConfusionMatrix.from_codes(
                gold, found["phi"][counted].astype(np.int64), ["PHI"]
            )
            yield KernelScore(
                corpus=self.corpus.name,
                kernel=kernel,
                documents=len(self._chosen),
                phi=matrix.two_way(),
                non_phi=matrix.non_phi(),
                support_vectors=int(found["support_vectors"]),
                fit_seconds=float(found["fit"]),
                predict_seconds=float(found["predict"]),
            )

    def notes(self) -> Iterator[str]:
        yield from self.corpus.notes()
        drawn = [self.corpus.train[d] for d in self._chosen]
        if not any(document.spans for document in drawn):
            yield f"{self.corpus.name}: the documents drawn hold no PHI, so that none is found"
        for score in self.scores():
            yield from silence(self.corpus.name, f"the {score.kernel} kernel", score.phi)

    def _is_phi(self) -> LongArray:
        """Return 1 for the test tokens inside any gold span, of labels unseen in training too."""
        test = Data.of(self.corpus.test)
        return (test.gold.ids > 0).astype(np.int64)


def _source(corpus: Corpus, setup: Setup) -> Source:
    return Source.of(corpus, [*KERNELS], setup, folds=False, rests_on=[FEATURES_OF])


def _draw(n_documents: int, wanted: int, seed: int) -> LongArray:
    order = np.random.default_rng(seed).permutation(n_documents)
    return np.sort(order[:wanted])


def _row(score: KernelScore) -> list[str]:
    phi, non_phi = score.phi, score.non_phi
    figures = (phi.precision, phi.recall, phi.f1, non_phi.precision, non_phi.recall)
    return [
        score.corpus,
        score.kernel,
        str(score.documents),
        *map(figure, figures),
        str(score.support_vectors),
        f"{score.fit_seconds:.1f}",
        f"{score.predict_seconds:.1f}",
    ]
