"""Files are opened: each by the structure of its format, or as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from multideid.corpora.contract import Format
from multideid.corpora.registry import structured_formats
from multideid.corpora.structure import (
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
    withheld,
)
from multideid.corpora.structured.coded_text import coded
from multideid.corpora.structured.encodings import check_encoding, decoded
from multideid.corpora.structured.json_paths import JsonPath
from multideid.corpora.structured.recognition import (
    refuse_binary,
    refuse_named_columns,
    refuse_structured_text,
)
from multideid.corpora.structured.slots import Source
from multideid.errors import UsageError


def reading_options(
    *,
    as_text: bool = False,
    encoding: str | None = None,
    json_paths: tuple[str, ...] = (),
    json_id: str | None = None,
    patient_field: str | None = None,
) -> ReadingOptions:
    """Return checked options; see `ReadingOptions`.

    Raises
    ------
    UsageError
        If the encoding is unknown, a path is malformed, or options do not go together.
    """
    if as_text and (json_paths or json_id):
        raise UsageError("JSON paths are not for files that are read as text")
    for path in (*json_paths, *filter(None, [json_id])):
        JsonPath(path)
    return ReadingOptions(
        as_text=as_text,
        encoding=None if encoding is None else check_encoding(encoding),
        json_paths=json_paths,
        json_id=json_id,
        patient_field=patient_field,
    )


def recognised_format(content: Content) -> Format | None:
    """Return the format of a file by its content; None for plain text and unknown files."""
    for known in structured_formats():
        if known.structure is not None and known.structure.recognise(content):
            return known
    return None


def read_records(
    content: Content, structure: Structure | None, options: ReadingOptions
) -> Iterator[Record]:
    """Yield the records of a file.

    Parameters
    ----------
    content : Content
    structure : Structure, optional
        Default: plain text.
    options : ReadingOptions

    Raises
    ------
    CorpusError
        If the file cannot be read, or is not plain text.
    """
    if structure is not None:
        for record in structure.records(content, options):
            values = tuple(map(_readable, record.values))
            yield replace(record, values=values)
    else:
        yield plain_record(content, options)


def _readable(value: Value) -> Value:
    """Return a value, which is PHI as a whole if it holds text as codes."""
    if not value.free or coded(value.text) is None:
        return value
    return withheld(value)


def plain_record(content: Content, options: ReadingOptions) -> Record:
    """Return a plain text as a record with one value.

    Raises
    ------
    CorpusError
        If it is not in the encoding or, unless read as text, looks like data in a
        format that is not understood.
    """
    if not options.as_text:
        refuse_binary(content, options)
    read = decoded(content, options)
    if not options.as_text:
        refuse_named_columns(content, read.text, options.columns)
        refuse_structured_text(content, read.text)
    source = Source(read.text)
    value = Value((source.slot(0, len(read.text)),))
    return Record((value,), lambda changes: read.encoded(source.rendered(changes)))
