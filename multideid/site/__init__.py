"""What a site knows about its notes: lists, patterns and patients.

The names below are the public ones; all else in the package is internal.
"""

from __future__ import annotations

from multideid.site.lists import Pattern
from multideid.site.patients import Patients, PatientsWarning
from multideid.site.site import Site

__all__ = ["Patients", "PatientsWarning", "Pattern", "Site"]
