"""SVMs with different kernels for PHI or not (Tafvizi, Table 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Annotated

import numpy as np

from multideid.arrays import LongArray
from multideid.base_systems.svm_kernel.kernel_svm import KERNELS, ExactTrainer
from multideid.errors import UsageError
from multideid.eval.experiments.corpora import Corpus, Data, check_corpora
from multideid.eval.experiments.fits import Fit, result_of, run_fits
from multideid.eval.experiments.registry import Option, experiment
from multideid.eval.experiments.result import Result, Source, silent_notes
from multideid.eval.experiments.setup import Setup, check_params_used
from multideid.eval.experiments.specs import SystemSpec
from multideid.eval.experiments.store import Arrays
from multideid.eval.metrics.token_metrics import NON_PHI, ConfusionMatrix
from multideid.eval.metrics.tokens import is_line_end
from multideid.eval.reports.cells import prf_columns
from multideid.features.extractor import FeatureExtractor
from multideid.learners.feature_tagger import FeatureTagger
from multideid.tables import Column, Record, Table
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

FEATURES_OF = "stat-deid"
"""The base system that provides the features."""


_COLUMNS = (
    Column("corpus", "corpus"),
    Column("kernel", "kernel"),
    Column("documents", "documents"),
    *prf_columns("PHI", "phi"),
    *prf_columns(NON_PHI, "non_phi", betas=()),
    Column("vectors", "support_vectors"),
    Column("fit s", "fit_seconds", ".1f"),
    Column("predict s", "predict_seconds", ".1f"),
)


@dataclass(frozen=True, slots=True)
class KernelSpec(SystemSpec):
    """An SVM for PHI or not, over the features of Stat-Deid.

    Parameters
    ----------
    tagger : FeatureTagger
        Stat-Deid, of which only the features and `min_count` are used.
    kernel : str
        A key of `KERNELS`.
    c : float
        Regularization parameter C.
    """

    tagger: FeatureTagger
    kernel: str
    c: float

    @property
    def name(self) -> str:
        """The name in progress bars."""
        return f"{self.kernel} kernel"

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


@experiment(
    "kernels",
    topic="systems",
    source="Tafvizi et al., 5.5 and Table 3",
    uses=lambda systems, options: (FEATURES_OF,),
)
def kernels(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    documents: Annotated[int, Option("Number of training documents to draw.")] = 50,
    c: Annotated[float, Option("Regularization parameter C of the SVMs.", "C", "--c")] = 1.0,
) -> Result:
    """Compare the linear kernel of an SVM with the quadratic and the Gaussian one.

    SVMs that classify tokens as PHI or not, over the features of stat-deid,
    fitted on some training documents and measured on all test documents, with
    the seconds each takes. Tokens are multideid's, whatever the setup's
    tokenization.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
    documents : int
        Number of training documents to draw.
    c : float
        Of every SVM. The width of the quadratic and the Gaussian kernel is
        scikit-learn's ``gamma="scale"``.

    Returns
    -------
    Result
        ``scores`` by kernel, with the number of support vectors and seconds.

    Raises
    ------
    UsageError
        If a corpus or number is invalid, a parameter has no effect, or a
        plug-in with the name of the system has no features.
    """
    if documents < 1 or not c > 0:
        raise UsageError(f"documents and c must be above 0; got {documents} and {c}")
    check_params_used(setup, features=[FEATURES_OF], also=["min_count"])
    setup = replace(setup, tokenization="multideid")
    runs = [_Run(corpus, setup, documents, c) for corpus in check_corpora(corpora)]
    run_fits((fit for run in runs for fit in run.fits.values()), setup)
    scores = [score for run in runs for score in run.scores()]
    caption = f"PHI or not: SVMs over the features of {FEATURES_OF}, each token on its own"
    return Result(
        "kernels",
        {"scores": scores},
        [Table.of(caption, _COLUMNS, scores, left=2)],
        sources=tuple(
            Source.of(run.corpus, [*KERNELS], setup, folds=False, members=[FEATURES_OF])
            for run in runs
        ),
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
        order = np.random.default_rng(setup.seed).permutation(self._data.n_train)
        self._chosen = np.sort(order[:documents])
        held, tagger = self._data.test, _tagger(setup)
        self.fits = {
            kernel: Fit(KernelSpec(tagger, kernel, c), self._data, self._chosen, held)
            for kernel in KERNELS
        }

    def scores(self) -> Iterator[Record]:
        held = self._data.tokens.select(self._data.test)
        counted = ~is_line_end(held)
        gold = self._is_phi()[counted]
        for kernel, fit in self.fits.items():
            found = result_of(fit, self._setup)
            predicted = found["phi"][counted].astype(np.int64)
            matrix = ConfusionMatrix.from_codes(gold, predicted, ["PHI"])
            yield Record(
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
            yield f"{self.corpus.name}: the drawn documents contain no PHI, so that none is found"
        for score in self.scores():
            yield from silent_notes(self.corpus.name, f"the {score.kernel} kernel", score.phi)

    def _is_phi(self) -> LongArray:
        """Return 1 for test tokens in gold spans, also those of labels unseen in training."""
        test = Data.of(self.corpus.test)
        return (test.gold.ids > 0).astype(np.int64)
