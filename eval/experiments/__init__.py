"""The experiments of the papers, on any corpora, resumable."""

from multideid.eval.experiments.ablation import Ablation, AblationRow, ablation
from multideid.eval.experiments.ambiguity import (
    Ambiguity,
    AmbiguityScore,
    AmbiguousClass,
    ambiguity,
)
from multideid.eval.experiments.catalogue import EXPERIMENTS, Experiment
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.curves import Curve
from multideid.eval.experiments.features import (
    ClassGain,
    FeatureGain,
    Features,
    TopFeature,
    features,
)
from multideid.eval.experiments.fits import Setup
from multideid.eval.experiments.hypotheses import Hypotheses, Transfer, hypotheses
from multideid.eval.experiments.kernels import Kernels, KernelScore, kernels
from multideid.eval.experiments.learning_curve import LearningCurve, Point, learning_curve
from multideid.eval.experiments.operating_points import OperatingPoints, Promise, operating_points
from multideid.eval.experiments.out_of_dictionary import (
    OutOfDictionary,
    UnlistedClass,
    UnlistedRecall,
    out_of_dictionary,
)
from multideid.eval.experiments.outcomes import Difference
from multideid.eval.experiments.pruning import PruningStep
from multideid.eval.experiments.results import Result, Source
from multideid.eval.experiments.significance_table import SignificanceTable
from multideid.eval.experiments.store import FolderStore, MemoryStore, Store
from multideid.eval.experiments.system_costs import SystemCost
from multideid.eval.experiments.system_rows import SystemsRow
from multideid.eval.experiments.systems import Systems, systems
from multideid.eval.experiments.verdicts import Finding

__all__ = [
    "EXPERIMENTS",
    "Ablation",
    "AblationRow",
    "Ambiguity",
    "AmbiguityScore",
    "AmbiguousClass",
    "ClassGain",
    "Corpus",
    "Curve",
    "Difference",
    "Experiment",
    "FeatureGain",
    "Features",
    "Finding",
    "FolderStore",
    "Hypotheses",
    "KernelScore",
    "Kernels",
    "LearningCurve",
    "MemoryStore",
    "OperatingPoints",
    "OutOfDictionary",
    "Point",
    "Promise",
    "PruningStep",
    "Result",
    "Setup",
    "SignificanceTable",
    "Source",
    "Store",
    "SystemCost",
    "Systems",
    "SystemsRow",
    "TopFeature",
    "Transfer",
    "UnlistedClass",
    "UnlistedRecall",
    "ablation",
    "ambiguity",
    "features",
    "hypotheses",
    "kernels",
    "learning_curve",
    "operating_points",
    "out_of_dictionary",
    "systems",
]
