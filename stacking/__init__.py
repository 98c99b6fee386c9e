"""De-identifiers: Multi, Mega, the vote and single systems."""

from multideid.document import FailedDocument
from multideid.stacking.comparison import compare_systems
from multideid.stacking.corpus_checks import LabelWarning
from multideid.stacking.deidentifier import Deidentifier
from multideid.stacking.loading import load_bytes, load_folder
from multideid.stacking.mega import MegaDeidentifier
from multideid.stacking.multi import MultiDeidentifier
from multideid.stacking.out_of_fold import DEFAULT_SYSTEMS
from multideid.stacking.parallel_prediction import ParallelPredictor
from multideid.stacking.single import SingleDeidentifier
from multideid.stacking.vote import VoteDeidentifier
from multideid.stacking.votes import RULES

__all__ = [
    "DEFAULT_SYSTEMS",
    "RULES",
    "Deidentifier",
    "FailedDocument",
    "LabelWarning",
    "MegaDeidentifier",
    "MultiDeidentifier",
    "ParallelPredictor",
    "SingleDeidentifier",
    "VoteDeidentifier",
    "compare_systems",
    "load_bytes",
    "load_folder",
]
