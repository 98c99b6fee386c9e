"""The experiments of the papers on any corpora; interrupted runs resume."""

from multideid.eval.experiments.ablation import ablation
from multideid.eval.experiments.active_learning import active_learning
from multideid.eval.experiments.ambiguity import ambiguity
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.cross_validation import cross_validation
from multideid.eval.experiments.crossing import cross
from multideid.eval.experiments.differences import Difference
from multideid.eval.experiments.diversity import diversity
from multideid.eval.experiments.features import features
from multideid.eval.experiments.greedy_features import greedy_features
from multideid.eval.experiments.hypotheses import hypotheses
from multideid.eval.experiments.iterative_learning import iterative_learning
from multideid.eval.experiments.kernels import kernels
from multideid.eval.experiments.learning_curve import learning_curve
from multideid.eval.experiments.operating_points import operating_points
from multideid.eval.experiments.oracle import oracle
from multideid.eval.experiments.out_of_dictionary import out_of_dictionary
from multideid.eval.experiments.plan import Measured, all_names, measure
from multideid.eval.experiments.precision_recall import Curve, curves_of, precision_recall_chart
from multideid.eval.experiments.registry import EXPERIMENTS, Experiment, Option, experiment
from multideid.eval.experiments.result import Result, Source
from multideid.eval.experiments.setup import Setup
from multideid.eval.experiments.store import FolderStore, MemoryStore, Store
from multideid.eval.experiments.systems import systems
from multideid.eval.experiments.verdicts import Finding, SignificanceTable
from multideid.tables import Column, Record, Table

__all__ = [
    "EXPERIMENTS",
    "Column",
    "Corpus",
    "Curve",
    "Difference",
    "Experiment",
    "Finding",
    "FolderStore",
    "Measured",
    "MemoryStore",
    "Option",
    "Record",
    "Result",
    "Setup",
    "SignificanceTable",
    "Source",
    "Store",
    "Table",
    "ablation",
    "active_learning",
    "all_names",
    "ambiguity",
    "cross",
    "cross_validation",
    "curves_of",
    "diversity",
    "experiment",
    "features",
    "greedy_features",
    "hypotheses",
    "iterative_learning",
    "kernels",
    "learning_curve",
    "measure",
    "operating_points",
    "oracle",
    "out_of_dictionary",
    "precision_recall_chart",
    "systems",
]
