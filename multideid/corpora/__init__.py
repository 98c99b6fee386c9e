"""Reading, writing and converting corpora of documents.

`iter_corpus` and `write_corpus` stream documents: JSON Lines line by line,
i2b2-2006 XML record by record, CSV and Parquet in batches of rows, folders file
by file. Only document ids and file names are kept in memory. PhysioNet files,
and single files of folders, are read as a whole.

Examples
--------
>>> from multideid.corpora import convert, read_corpus
>>> documents = read_corpus("notes.xml")  # doctest: +SKIP
>>> convert("notes.xml", "notes", to="brat")  # doctest: +SKIP
889
"""

from __future__ import annotations

from multideid.corpora.access import convert, iter_corpus, read_corpus, write_corpus
from multideid.corpora.contract import Format
from multideid.corpora.output import Output
from multideid.corpora.registry import describe_formats, detect_format, format_names
from multideid.corpora.reports import CorpusWarning, Report

__all__ = [
    "CorpusWarning",
    "Format",
    "Output",
    "Report",
    "convert",
    "describe_formats",
    "detect_format",
    "format_names",
    "iter_corpus",
    "read_corpus",
    "write_corpus",
]
