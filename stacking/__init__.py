"""De-identifiers: Multi, Mega, the vote and single systems.

The base class has layers, each in a file: `stored_model` saves and loads, `site_knowledge` joins
what a site knows, `span_evidence` scores spans and counts votes, `one_pass` reads each text once
for all of that, and `deidentifier` has what users call. A model adds `_fit` and `_tags`.

Multi decides in this order: the scores of base systems (`reading`), margins of the stacker
(`stacker` from `meta_features`; `compiled_stacker` for many tokens), `thresholds`, evidence for
what they flip (`flip_evidence`), and the choice of spans (`span_choice`). Then come certain finds
of rules (`pass_through`) and what the site knows.
"""

from multideid.document import FailedDocument
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
    "load_bytes",
    "load_folder",
]
