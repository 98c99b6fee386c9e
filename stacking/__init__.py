"""De-identifiers: Multi, Mega, committees and single systems."""

from multideid.stacking.committee import RULES, CommitteeDeidentifier
from multideid.stacking.comparison import compare_systems, fit_systems
from multideid.stacking.deidentifier import Deidentifier, FailedDocument
from multideid.stacking.ensemble import DEFAULT_SYSTEMS
from multideid.stacking.mega import MegaDeidentifier
from multideid.stacking.models import load
from multideid.stacking.multi import MultiDeidentifier
from multideid.stacking.single import SingleDeidentifier
from multideid.stacking.workers import Workers

__all__ = [
    "DEFAULT_SYSTEMS",
    "RULES",
    "CommitteeDeidentifier",
    "Deidentifier",
    "FailedDocument",
    "MegaDeidentifier",
    "MultiDeidentifier",
    "SingleDeidentifier",
    "Workers",
    "compare_systems",
    "fit_systems",
    "load",
]
