"""spaCy's JSON: what ``Doc.to_json`` returns, training tuples, and the training format of spaCy 2.

::

    [{"id": "7", "text": "Dr. Lee", "ents": [{"start": 4, "end": 7, "label": "DOCTOR"}],
      "tokens": [{"id": 0, "start": 0, "end": 2}, ...]}]

    [["Dr. Lee", {"entities": [[4, 7, "DOCTOR"]]}]]

    [{"id": 0, "paragraphs": [{"raw": "Dr. Lee", "sentences": [
      {"tokens": [{"orth": "Dr.", "space": " ", "ner": "O"}, ...]}]}]}]

All are read, the first also as JSON Lines; the first is written, and ``Doc.from_json``
reads it. The spans are the entities or, in a document without any, those of its only span
group; other fields, except those of tokens, are kept in ``meta``. Tokens are split at
spans, so that every span is of whole tokens. Files are read as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from multideid.corpora.assembly import Assembler
from multideid.corpora.contract import Format
from multideid.corpora.json_items import parse_json
from multideid.corpora.output import Output
from multideid.corpora.records import (
    document_of_record,
    joined_meta,
    other_fields,
    record_of_document,
    to_json,
)
from multideid.corpora.reports import OnReport
from multideid.corpora.source import read_beginning, read_text, require_file
from multideid.corpora.span_groups import chosen_group
from multideid.document import Document
from multideid.errors import CorpusError

_TOKEN = re.compile(r"\w+ ?|[^\w\s] ?|\s+")
_TOKENS = ("tokens", "sents", "words", "spaces", "tags", "pos", "morphs", "lemmas", "heads", "deps")
_MORE = ("sent_starts", "underscore_token", "underscore_span")
_OF_DOC = ("id", "text", "ents", "spans", "meta", *_TOKENS, *_MORE)
_OF_PARAGRAPH = ("raw", "sentences", "entities", "meta")
_BILUO = re.compile(r"([BILU])-(.+)")
_STRING = r'"(?:[^"\\]|\\.)*+"'
_KEY = r'(?:"(?:ents|sents|paragraphs)"\s*:\s*\[|"tokens"\s*:\s*\[\s*\{\s*"id")'
_LOOKS_LIKE = re.compile(
    rf'\s*+(?:\[\s*+)?+(?:\{{(?:{_STRING}|[^"{{}}\[\]])*?{_KEY}'
    rf'|\[\s*{_STRING}\s*,\s*\{{\s*"entities"\s*:)'
)


def read(path: Path, report: OnReport, spans_key: str | None = None) -> Iterator[Document]:
    """Yield the documents of a file.

    Parameters
    ----------
    path : Path
    report : callable
    spans_key : str, optional
        The span group to read instead of the entities.

    Raises
    ------
    CorpusError
        If the file is not of this format; the message names the document.
    """
    assembler = Assembler(require_file(path), report)
    number = 0
    for place, item in enumerate(_items(path), start=1):
        where = f"item {place}"
        for record in _records(path, where, item, spans_key):
            number += 1
            yield document_of_record(assembler, where, str(number), record)


def _items(path: Path) -> list[Any]:
    """Return the documents or examples of a file: of a list, or one on each line."""
    text = read_text(path).removeprefix("\ufeff")
    first, _, rest = text.strip().partition("\n")
    if first.startswith("{") and first.rstrip().endswith("}") and rest:
        lines = enumerate(text.split("\n"), start=1)
        return [parse_json(path, line, number) for number, line in lines if line.strip()]
    value = parse_json(path, text, 1)
    return value if isinstance(value, list) else [value]


def _records(path: Path, where: str, item: Any, key: str | None) -> Iterator[dict[str, Any]]:
    """Yield records as of JSON Lines."""
    try:
        match item:
            case [str(text), {"entities": list(entities)}]:
                others = {name: value for name, value in item[1].items() if name != "entities"}
                yield _of_doc(path, where, {**others, "text": text, "ents": entities}, key)
            case {"paragraphs": list(paragraphs)}:
                meta = _meta(path, where, item, ("id", "meta", "paragraphs"))
                yield from _of_paragraphs(path, where, paragraphs, item.get("id"), meta)
            case {"text": str()}:
                yield _of_doc(path, where, item, key)
            case _:
                raise CorpusError(path, "is neither a document nor an example of spaCy", where)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise CorpusError(path, "is not as spaCy writes documents", where) from None


def _of_doc(path: Path, where: str, item: dict[str, Any], key: str | None) -> dict[str, Any]:
    groups = {name: _spans(group) for name, group in item.get("spans", {}).items()}
    spans = chosen_group(path, where, _spans(item.get("ents", [])), groups, key)
    record = {"id": item.get("id"), "text": item["text"], "spans": spans}
    return {**record, "meta": _meta(path, where, item, _OF_DOC)}


def _meta(
    path: Path, where: str, item: Mapping[str, Any], known: Collection[str]
) -> dict[str, Any]:
    return joined_meta(path, where, item.get("meta"), other_fields(path, where, item, known))


def _spans(items: Iterable[Any]) -> list[dict[str, Any]]:
    """Return spans, given as objects or as start, end and label, as objects."""
    found = []
    for item in items:
        pairs = item if isinstance(item, Mapping) else dict(zip(_FIELDS, item, strict=False))
        found.append({name: pairs[name] for name in _FIELDS})
    return found


_FIELDS = ("start", "end", "label")


def _of_paragraphs(
    path: Path, where: str, paragraphs: list[Any], number: Any, meta: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    for place, paragraph in enumerate(paragraphs):
        record: dict[str, Any] = {} if number is None else {"id": f"{number}-{place}"}
        tokens = [token for sentence in paragraph["sentences"] for token in sentence["tokens"]]
        text, spans = _of_tokens(tokens, paragraph.get("raw"))
        if paragraph.get("entities"):
            spans = _spans(paragraph["entities"])
        own = joined_meta(path, where, meta, _meta(path, where, paragraph, _OF_PARAGRAPH))
        yield {**record, "text": text, "spans": spans, "meta": own}


def _of_tokens(tokens: list[Any], raw: str | None) -> tuple[str, list[dict[str, Any]]]:
    """Return the text of tokens, and the spans of their BILUO tags."""
    text, spans = raw or "", list[dict[str, Any]]()
    place = 0
    for token in tokens:
        if raw is None:
            text += token["orth"] + (token.get("space") or ("" if "space" in token else " "))
        start = text.index(token["orth"], place)
        place = start + len(token["orth"])
        tag = _BILUO.fullmatch(token.get("ner") or "O")
        if tag and tag[1] in "IL":
            spans[-1]["end"] = place
        elif tag:
            spans.append({"start": start, "end": place, "label": tag[2]})
    return text, spans


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write one file with a list of documents."""
    with output.temporary.open("wb") as file:
        separator = "[\n"
        for document in documents:
            output.encode(document.text, document.id)
            line = to_json(_written(document))
            file.write(output.encode(separator + line, document.id))
            separator = ",\n"
        file.write(b"\n]\n")


def _written(document: Document) -> dict[str, Any]:
    starts = [match.start() for match in _TOKEN.finditer(document.text)]
    words = enumerate(words_of(document, starts))
    tokens = [{"id": n, "start": start, "end": start + len(word)} for n, (start, word, _) in words]
    record = record_of_document(document)
    meta = {"meta": record["meta"]} if document.meta else {}
    spans = record["spans"]
    return {"id": document.id, "text": document.text, "ents": spans, "tokens": tokens, **meta}


def words_of(document: Document, starts: Iterable[int]) -> Iterator[tuple[int, str, bool]]:
    """Yield the words of a document as spaCy has them, cut where spans begin and end.

    Parameters
    ----------
    document : Document
    starts : iterable of int
        The offsets at which tokens start.

    Yields
    ------
    start : int
    word : str
    space : bool
        Whether a space that is no token of its own follows.
    """
    text = document.text
    cuts = {0, len(text), *starts, *(span.start for span in document.spans)}
    cuts.update(*(_cuts_at_end(text, span.end) for span in document.spans))
    for start, end in pairwise(sorted(cuts)):
        piece = text[start:end]
        joined = piece.endswith(" ") and not piece.isspace()
        yield start, piece[:-1] if joined else piece, joined


def _cuts_at_end(text: str, end: int) -> tuple[int, ...]:
    """Return the cuts that make a token end at `end`: a single space joins the token before it."""
    if text[end - 1] == " ":
        return end - 1, end
    if text[end - 1].isspace():
        return (end,)  # A token of white space takes in a space behind it.
    return (end + text.startswith(" ", end),)


def _detect(path: Path) -> bool:
    return path.is_file() and _LOOKS_LIKE.match(read_beginning(path)) is not None


FORMAT = Format(
    "spacy-json",
    "spaCy's JSON: Doc.to_json, training tuples, or the training format of spaCy 2",
    read,
    write,
    folder=False,
    options=("spans_key",),
    detect=_detect,
)
