"""The experiments of the papers, on any corpora, resumable."""

from multideid.eval.experiments.catalogue import EXPERIMENTS, Experiment
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.fits import Setup
from multideid.eval.experiments.learning_curve import LearningCurve, Point, learning_curve
from multideid.eval.experiments.results import Result, Source
from multideid.eval.experiments.store import FolderStore, MemoryStore, Store

__all__ = [
    "EXPERIMENTS",
    "Corpus",
    "Experiment",
    "FolderStore",
    "LearningCurve",
    "MemoryStore",
    "Point",
    "Result",
    "Setup",
    "Source",
    "Store",
    "learning_curve",
]
