"""UIMA CAS JSON, as INCEpTION exports it: a folder with a ``.json`` file per document.

Spans are annotations of named entities with their ``value``; the options ``layer`` and
``feature`` name others. Tokens, sentences and what describes the document are no spans;
annotations of any other layer are refused unless the layer to read is named. Offsets count
units of UTF-16, as in Java.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from multideid.corpora.assembly import Assembler
from multideid.corpora.contract import Format
from multideid.corpora.json_items import Item
from multideid.corpora.output import Output
from multideid.corpora.records import to_json
from multideid.corpora.reports import OnReport
from multideid.corpora.source import corpus_files, corpus_names, read_beginning, read_text
from multideid.document import Document, Span
from multideid.errors import CorpusError
from multideid.spans import utf16_offsets

LAYER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
FEATURE = "value"
_KEY = "%FEATURE_STRUCTURES"
# Types come first, and may be many.
_LOOKS_LIKE = re.compile(r'\s*\{\s*"%(?:HEADER|TYPES|FEATURE_STRUCTURES)"\s*:')
_SOFA = "uima.cas.Sofa"
_NO_SPANS = ("Token", "Sentence", "Paragraph", "Div", "DocumentMetaData", "DocumentAnnotation")
_TYPES = {
    LAYER: {
        "%NAME": LAYER,
        "%SUPER_TYPE": "uima.tcas.Annotation",
        FEATURE: {"%NAME": FEATURE, "%RANGE": "uima.cas.String"},
        "identifier": {"%NAME": "identifier", "%RANGE": "uima.cas.String"},
    }
}


def read(
    path: Path, report: OnReport, layer: str | None = None, feature: str | None = None
) -> Iterator[Document]:
    """Yield the documents of a folder, or of one file.

    Parameters
    ----------
    path : Path
    report : callable
    layer : str, optional
        Full name of the type whose annotations are spans. Default: named entities.
    feature : str, optional
        The feature that is the label. Default: ``value``.

    Raises
    ------
    CorpusError
        If a file is no CAS with a text, or has annotations of another layer.
    """
    for document_id, file in corpus_files(path, ".json"):
        structures = _structures(file)
        text = _text(file, structures)
        found = _annotations(file, structures, layer)
        offsets = utf16_offsets(text)
        spans = [_span(file, item, offsets, feature or FEATURE) for item in found]
        yield Assembler(file, report).build(document_id, text, spans)


def _structures(path: Path) -> list[Item]:
    try:
        content = json.loads(read_text(path).removeprefix("\ufeff"))
        found = content[_KEY]
    except (ValueError, RecursionError, KeyError, TypeError):
        raise CorpusError(path, "is no UIMA CAS in JSON") from None
    if isinstance(found, dict):
        found = list(found.values())
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise CorpusError(path, "its feature structures are not as the format has them")
    return found


def _text(path: Path, structures: Iterable[Item]) -> str:
    texts = [
        item["sofaString"]
        for item in structures
        if item.get("%TYPE") == _SOFA and isinstance(item.get("sofaString"), str)
    ]
    if len(texts) != 1:
        raise CorpusError(path, f"has {len(texts)} texts; a document has one")
    return str(texts[0])


def _annotations(path: Path, structures: Iterable[Item], layer: str | None) -> list[Item]:
    wanted, found = layer or LAYER, []
    for item in structures:
        kind = str(item.get("%TYPE"))
        if kind == wanted:
            found.append(item)
        elif layer is None and "begin" in item and kind.rpartition(".")[2] not in _NO_SPANS:
            raise CorpusError(path, f"has annotations of {kind}; name the layer to read")
    return found


def _span(path: Path, item: Item, offsets: list[int], feature: str) -> Span:
    begin, end, label = item.get("begin"), item.get("end"), item.get(feature)
    if type(begin) is not int or type(end) is not int or not isinstance(label, str):
        where = f"annotation {item.get('%ID')}"
        raise CorpusError(path, f"has no offsets, or no {feature} that is a label", where)
    start, stop = bisect_left(offsets, begin), bisect_left(offsets, end)
    within = 0 <= begin <= end <= offsets[-1]
    if not within or (offsets[start], offsets[stop]) != (begin, end):
        raise CorpusError(path, f"annotation {begin}-{end} is outside the text or cuts a character")
    return Span(start, stop, label)


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write one file per document."""
    for document in documents:
        output.encode(document.text, document.id)
        data = output.encode(to_json(_cas(document)) + "\n", document.id)
        output.write_file(document.id, ".json", data)


def _cas(document: Document) -> Item:
    text = document.text
    offsets = utf16_offsets(text)
    sofa = {"%ID": 1, "%TYPE": _SOFA, "sofaNum": 1, "sofaID": "_InitialView", "mimeType": "text"}
    structures: list[Item] = [{**sofa, "sofaString": text}]
    ends = {"@sofa": 1, "begin": 0, "end": offsets[-1], "language": "x-unspecified"}
    structures.append({"%ID": 2, "%TYPE": "uima.tcas.DocumentAnnotation", **ends})
    for number, (start, end, label) in enumerate(document.spans, start=3):
        place = {"@sofa": 1, "begin": offsets[start], "end": offsets[end]}
        structures.append({"%ID": number, "%TYPE": LAYER, **place, FEATURE: label})
    members = [item["%ID"] for item in structures[1:]]
    views: dict[str, Any] = {"_InitialView": {"%SOFA": 1, "%MEMBERS": members}}
    return {"%TYPES": _TYPES, "%FEATURE_STRUCTURES": structures, "%VIEWS": views}


def _detect(path: Path) -> bool:
    if path.is_dir():
        return any(_detect(path / name) for name in corpus_names(path, ".json")[:1])
    return path.is_file() and _LOOKS_LIKE.match(read_beginning(path)) is not None


FORMAT = Format(
    "uima-json",
    "UIMA CAS JSON, as INCEpTION exports it; a folder of .json files",
    read,
    write,
    meta=False,
    folder=True,
    suffixes=(".json",),
    options=("layer", "feature"),
    detect=_detect,
)
