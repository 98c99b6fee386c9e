"""The conformance suite, for authors of plug-ins."""

from multideid.taggers.conformance import (
    CheckResult,
    ConformanceError,
    check_tagger,
    tagger_checks,
)

__all__ = ["CheckResult", "ConformanceError", "check_tagger", "tagger_checks"]
