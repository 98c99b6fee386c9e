"""Corpora: files in, documents out, and back.

`iter_corpus` reads documents as they are asked for, and `write_corpus` writes
them as they come: JSON Lines line by line, i2b2-2006 XML record by record, CSV
and Parquet a few rows at a time, folders file by file. Of a corpus, only the
ids and the names of its files are held. PhysioNet files are read whole, and so
is every single text file and every file of a folder.

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
