"""Ensemble de-identification of clinical text.

The names below are imported when they are first used, so that
``import multideid`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multideid.corpora import read_corpus as read_corpus
    from multideid.corpora import write_corpus as write_corpus
    from multideid.deid import DeidOptions as DeidOptions
    from multideid.deid import DeidResult as DeidResult
    from multideid.deid import FrameResult as FrameResult
    from multideid.deid import deidentify_csv as deidentify_csv
    from multideid.deid import deidentify_folder as deidentify_folder
    from multideid.deid import deidentify_frame as deidentify_frame
    from multideid.deid import deidentify_parquet as deidentify_parquet
    from multideid.document import Document as Document
    from multideid.document import Span as Span
    from multideid.models import load as load
    from multideid.stacking import MegaDeidentifier as MegaDeidentifier
    from multideid.stacking import MultiDeidentifier as MultiDeidentifier
    from multideid.stacking import SingleDeidentifier as SingleDeidentifier
    from multideid.stacking import VoteDeidentifier as VoteDeidentifier
    from multideid.taggers.registry import register as register
    from multideid.text.table import TokenTable as TokenTable

__version__ = "0.1.0.dev0"

_HOMES = {
    "DeidOptions": "multideid.deid",
    "DeidResult": "multideid.deid",
    "Document": "multideid.document",
    "FrameResult": "multideid.deid",
    "MegaDeidentifier": "multideid.stacking",
    "MultiDeidentifier": "multideid.stacking",
    "SingleDeidentifier": "multideid.stacking",
    "Span": "multideid.document",
    "TokenTable": "multideid.text.table",
    "VoteDeidentifier": "multideid.stacking",
    "deidentify_csv": "multideid.deid",
    "deidentify_folder": "multideid.deid",
    "deidentify_frame": "multideid.deid",
    "deidentify_parquet": "multideid.deid",
    "load": "multideid.models",
    "read_corpus": "multideid.corpora",
    "register": "multideid.taggers.registry",
    "write_corpus": "multideid.corpora",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'multideid' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
