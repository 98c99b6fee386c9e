"""Registry of corpus formats: built-in ones and those of installed plug-ins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from multideid.corpora.contract import Format
from multideid.corpora.source import require_path
from multideid.errors import CorpusError, UsageError
from multideid.plugins import PluginEntry, entry_named, load_entry, plugin_entries

GROUP = "multideid.formats"

# The entry points of pyproject.toml, so that built-in formats are also found in
# a checkout that is not installed; tests/packaging compares the two. A file that
# fits several formats is in the first of them.
BUILT_IN = {
    "parquet": "multideid.corpora.parquet_table:FORMAT",
    "i2b2-2006": "multideid.corpora.i2b2_2006:FORMAT",
    "i2b2-2014": "multideid.corpora.i2b2_2014:FORMAT",
    "physionet": "multideid.corpora.physionet:FORMAT",
    "docbin": "multideid.corpora.docbin:FORMAT",
    "uima-json": "multideid.corpora.uima_json:FORMAT",
    "webanno-tsv": "multideid.corpora.webanno_tsv:FORMAT",
    "conll": "multideid.corpora.conll:FORMAT",
    "presidio-research": "multideid.corpora.presidio_research:FORMAT",
    "label-studio": "multideid.corpora.label_studio:FORMAT",
    "prodigy": "multideid.corpora.prodigy:FORMAT",
    "doccano": "multideid.corpora.doccano:FORMAT",
    "spacy-json": "multideid.corpora.spacy_json:FORMAT",
    "jsonl": "multideid.corpora.jsonl:FORMAT",
    "csv": "multideid.corpora.csv_table:FORMAT",
    "brat": "multideid.corpora.brat:FORMAT",
    "plain": "multideid.corpora.plain:FORMAT",
}
"""The formats of corpora."""

FILE_FORMATS = {
    "gzip": "multideid.corpora.structured.archives:GZIP",
    "pdf": "multideid.corpora.structured.pdf:FORMAT",
    "rtf": "multideid.corpora.structured.rtf:FORMAT",
    "docx": "multideid.corpora.structured.docx:FORMAT",
    "xlsx": "multideid.corpora.structured.xlsx:FORMAT",
    "zip": "multideid.corpora.structured.archives:ZIP",
    "hl7": "multideid.corpora.structured.hl7:FORMAT",
    "fhir": "multideid.corpora.structured.fhir:FORMAT",
    "json": "multideid.corpora.structured.json_text:FORMAT",
    "cda": "multideid.corpora.structured.cda:FORMAT",
    "xml": "multideid.corpora.structured.xml_text:FORMAT",
}
"""The formats of files that are only de-identified."""


def format_names() -> tuple[str, ...]:
    """Return the names of the formats of corpora and of plug-ins, without loading them."""
    return tuple(name for name in _all_names() if name not in FILE_FORMATS)


def formats_keeping(part: Literal["meta", "scores"]) -> list[str]:
    """Return the names of the formats of corpora that keep a part of documents."""
    return sorted(known.name for known in _usable() if known.is_corpus and getattr(known, part))


def _all_names() -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.name for entry in _entries()))


@cache
def structured_formats() -> tuple[Format, ...]:
    """Return the formats of files that are read by structure; a file is of the first that fits."""
    return tuple(known for known in _usable() if known.structure is not None)


def structured_suffixes() -> tuple[str, ...]:
    """Return the suffixes of files that are read by structure."""
    suffixes = (known.structure.suffixes for known in structured_formats() if known.structure)
    return tuple(dict.fromkeys(suffix for each in suffixes for suffix in each))


def describe_formats() -> dict[str, str]:
    """Return one line about each format, by name.

    For a plug-in that cannot be loaded, the line says why.
    """
    found = {}
    for name in _all_names():
        try:
            found[name] = load_format(name).summary
        except UsageError as error:
            found[name] = f"not usable: {error}".partition("\n")[0]
    return found


def load_format(name: str, options: Mapping[str, str] | None = None) -> Format:
    """Return the format that is registered as `name`.

    Raises
    ------
    UsageError
        If there is no such format, if it lacks one of the options, if two
        packages provide it, or if a plug-in cannot be loaded.
    """
    entry = entry_named("format", name, _entries())
    if entry is None:
        raise UsageError(f"unknown corpus format {name!r}; there are {', '.join(format_names())}")
    loaded = _load(entry)
    for option in options or {}:
        if option not in loaded.options:
            available = ", ".join(loaded.options) or "none"
            raise UsageError(f"format {name!r} has no option {option!r}; it has {available}")
    return loaded


def corpus_format(name: str, options: Mapping[str, str] | None = None) -> Format:
    """Return a format of corpora; as `load_format`.

    Raises
    ------
    UsageError
        Also if the format is one of files that are only de-identified.
    """
    loaded = load_format(name, options)
    if not loaded.is_corpus:
        raise UsageError(f"format {name!r} is for the files of multideid deid, not for corpora")
    return loaded


def detect_format(path: Path | str) -> str:
    """Return the name of the format of a file or folder, from its content.

    Raises
    ------
    CorpusError
        If the path does not exist, no format fits, or a folder holds several
        formats.
    """
    place = require_path(Path(path))
    found = (known.name for known in _usable() if known.detect is not None and known.detect(place))
    if not place.is_dir():
        if name := next(found, None):
            return name
        problem = "its format is not recognised; name the format"
        raise CorpusError(place, problem if place.stat().st_size else "is empty")
    names = sorted(found)
    if len(names) > 1:
        raise CorpusError(place, f"holds files of {' and '.join(names)}; name the format")
    if not names:
        raise CorpusError(place, "holds no file of a known format; name the format or a file")
    return names[0]


def _usable() -> Iterator[Format]:
    for name in _all_names():
        try:
            yield load_format(name)
        except UsageError:
            # A broken plug-in must not keep other corpora from being read.
            continue


def _entries() -> list[PluginEntry]:
    return plugin_entries(GROUP, {**BUILT_IN, **FILE_FORMATS})


def _load(entry: PluginEntry) -> Format:
    loaded = load_entry("format", entry)
    if not isinstance(loaded, Format):
        raise UsageError(
            f"format {entry.name!r} of {entry.origin} is not a format: it must be a "
            "multideid.corpora.Format"
        )
    return loaded
