"""Corpora: files in, documents out, and back.

Examples
--------
>>> from multideid.corpora import convert, read_corpus
>>> documents = read_corpus("notes.xml")  # doctest: +SKIP
>>> convert("notes.xml", "notes", to="brat")  # doctest: +SKIP
889
"""

from __future__ import annotations

from multideid.corpora.access import convert, iter_corpus, read_corpus, write_corpus
from multideid.corpora.detect import detect_format
from multideid.corpora.formats import FORMATS
from multideid.corpora.reports import CorpusWarning, Report

__all__ = [
    "FORMATS",
    "CorpusWarning",
    "Report",
    "convert",
    "detect_format",
    "iter_corpus",
    "read_corpus",
    "write_corpus",
]
