"""De-identification of folders, tables, data frames and streams.

The names below are the public ones; all else in the package is internal.
"""

from __future__ import annotations

from multideid.deid.api import (
    deidentify_csv,
    deidentify_files,
    deidentify_folder,
    deidentify_parquet,
    deidentify_stream,
)
from multideid.deid.frames import deidentify_frame
from multideid.deid.options import DeidOptions
from multideid.deid.replacing import NoKeyWarning
from multideid.deid.results import DeidResult, Failure, FrameResult

__all__ = [
    "DeidOptions",
    "DeidResult",
    "Failure",
    "FrameResult",
    "NoKeyWarning",
    "deidentify_csv",
    "deidentify_files",
    "deidentify_folder",
    "deidentify_frame",
    "deidentify_parquet",
    "deidentify_stream",
]
