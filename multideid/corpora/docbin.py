"""spaCy's DocBin, the ``.spacy`` file of documents that spaCy trains on.

The spans are the entities or, in a document without any, those of its only span group.
Id and ``meta`` of a document are in its ``user_data``. Documents are tokenized as by a
blank pipeline of English, and tokens are split at spans, so that every span is of whole
tokens. Files are read and written as a whole. It needs spaCy.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multideid.corpora.assembly import Assembler
from multideid.corpora.contract import Format
from multideid.corpora.output import Output
from multideid.corpora.records import document_of_record, to_json
from multideid.corpora.reports import OnReport
from multideid.corpora.source import read_bytes, require_file
from multideid.corpora.spacy_json import words_of
from multideid.corpora.span_groups import chosen_group
from multideid.document import Document
from multideid.errors import CorpusError, MissingPackageError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, DocBin

_MOST = 4 << 30  # Bytes that a file may have once it is decompressed.
_HEADER = b"\xa7version"  # The first key, in MessagePack.


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
        If the file is no DocBin.
    UsageError
        If spaCy is not installed.
    """
    _check_installed()
    from spacy.vocab import Vocab

    assembler = Assembler(require_file(path), report)
    docs = enumerate(_opened(path).get_docs(Vocab()), start=1)
    while True:
        try:
            number, doc = next(docs)
            record = _record(path, f"document {number}", doc, spans_key)
        except StopIteration:
            return
        except CorpusError:
            raise
        except Exception:
            raise _not_docbin(path) from None
        yield document_of_record(assembler, f"document {number}", str(number), record)


def _opened(path: Path) -> DocBin:
    from spacy.tokens import DocBin

    content = read_bytes(path)
    _check_size(path, content)
    try:
        found = DocBin().from_bytes(content)
        _keep_entities(found)
    except Exception:
        raise _not_docbin(path) from None
    return found


def _check_installed() -> None:
    try:
        import spacy  # noqa: F401
    except ImportError:
        raise MissingPackageError("spaCy", "spacy", "format 'docbin'") from None


def _check_size(path: Path, content: bytes) -> None:
    """Refuse a file that grows beyond all measure, before it is decompressed into memory."""
    reader, size = zlib.decompressobj(), 0
    rest = content
    try:
        while rest and not reader.eof:
            size += len(reader.decompress(rest, 1 << 24))
            rest = reader.unconsumed_tail
            if size > _MOST:
                raise CorpusError(path, f"has more than {_MOST >> 30} GB once decompressed")
    except zlib.error:
        raise _not_docbin(path) from None


def _keep_entities(found: DocBin) -> None:
    """Drop other columns: syntactic heads, for instance, are used as addresses unchecked."""
    from spacy.attrs import ENT_IOB, ENT_TYPE, ORTH

    kept = [n for n, attr in enumerate(found.attrs) if attr in (ORTH, ENT_IOB, ENT_TYPE)]
    found.attrs = [found.attrs[n] for n in kept]
    found.tokens = [np.ascontiguousarray(tokens[:, kept]) for tokens in found.tokens]


def _not_docbin(path: Path) -> CorpusError:
    return CorpusError(path, "is no DocBin of spaCy, or is damaged")


def _record(path: Path, where: str, doc: Doc, key: str | None) -> dict[str, Any]:
    """Return the record of a document, as of JSON Lines."""
    groups = {name: _spans(group) for name, group in doc.spans.items()}
    record = {"text": doc.text, "spans": chosen_group(path, where, _spans(doc.ents), groups, key)}
    if "id" in doc.user_data:
        record["id"] = doc.user_data["id"]
    if "meta" in doc.user_data:
        record["meta"] = json.loads(doc.user_data["meta"])
    return record


def _spans(spans: Iterable[Any]) -> list[dict[str, Any]]:
    return [{"start": s.start_char, "end": s.end_char, "label": s.label_} for s in spans]


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write one file."""
    _check_installed()
    import spacy
    from spacy.tokens import DocBin

    pipeline = spacy.blank("en")
    docs = DocBin(attrs=["ENT_IOB", "ENT_TYPE"], store_user_data=True)
    for document in documents:
        output.encode(document.text, document.id)
        docs.add(_doc(pipeline, document, output))
    output.temporary.write_bytes(docs.to_bytes())


def _doc(pipeline: Language, document: Document, output: Output) -> Doc:
    from spacy.tokens import Doc

    starts = [token.idx for token in pipeline.tokenizer(document.text)]
    words = list(words_of(document, starts))
    pieces, spaces = [word for _, word, _ in words], [space for *_, space in words]
    doc = Doc(pipeline.vocab, words=pieces, spaces=spaces)
    found = [doc.char_span(span.start, span.end, label=span.label) for span in document.spans]
    entities = [entity for entity in found if entity is not None]
    if len(entities) < len(found):
        raise output.error("has a span that no tokens of spaCy cover", document.id)
    doc.set_ents(entities, default="outside")
    doc.user_data["id"] = document.id
    if document.meta:
        doc.user_data["meta"] = to_json(dict(document.meta))
    return doc


def _detect(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        beginning = file.read(1 << 10)
    try:
        return _HEADER in zlib.decompressobj().decompress(beginning, 64)
    except zlib.error:
        return False


FORMAT = Format(
    "docbin",
    "spaCy's DocBin, a .spacy file; needs spaCy",
    read,
    write,
    folder=False,
    options=("spans_key",),
    detect=_detect,
)
