"""Functions that run in processes of their own, which may crash, hang and print.

Processes start clean, and never as a copy of one that has threads: their locks
could be held for ever. On Linux, one clean process loads and then makes copies of
itself, which share its memory and take its place within milliseconds.
"""

from __future__ import annotations

from multideid.isolation.child import leave_no_core
from multideid.isolation.hidden_output import HiddenOutput, HiddenOutputWarning, print_nothing
from multideid.isolation.pool import IsolatedFunction
from multideid.isolation.processes import LostProcessError

__all__ = [
    "HiddenOutput",
    "HiddenOutputWarning",
    "IsolatedFunction",
    "LostProcessError",
    "leave_no_core",
    "print_nothing",
]
