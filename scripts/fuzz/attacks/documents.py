"""Odd documents go through readers, tokenizer, models, redaction and restoring."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import NamedTuple

from attacks.odd_documents import odd_file, odd_text
from multideid.accents import composed
from multideid.corpora.structure import Container, Content, ReadingOptions
from multideid.corpora.structured.reading import read_records, recognised_format
from multideid.deid.record_text import RecordText
from multideid.document import Document
from multideid.errors import MultideidError
from multideid.redact import Key, VaultWriter, read_vault, replacements, spliced
from multideid.redact.redaction import make_replacer
from multideid.redact.vault import half_character
from multideid.stacking import Deidentifier, FailedDocument
from multideid.text.table import TokenTable
from multideid.text.tokenizer import tokenize

BATCH = 500
_FILES = 0.05  # Share of structured files.
_ALONE = 2  # Documents of each batch that are processed alone, too.
_MODES = ("mask", "tag", "remove", "surrogate", "hash")


class Fault(NamedTuple):
    """What must not be, and the seeds by which it can be repeated."""

    kind: str
    seeds: str


class Outcome(NamedTuple):
    """What became of documents, and the faults."""

    counts: Counter[str]
    faults: list[Fault]


def fuzz(model: Deidentifier, first: int, documents: int, seconds: float | None = None) -> Outcome:
    """Check batches of odd documents until there are enough, or the time is over.

    Parameters
    ----------
    model : Deidentifier
    first : int
        The seed of the first document; each has the next.
    documents : int
    seconds : float, optional
        Default: without end.
    """
    outcome = Outcome(Counter(), [])
    end = None if seconds is None else time.monotonic() + seconds
    for seed in range(first, first + documents, BATCH):
        if end is not None and time.monotonic() > end:
            break
        seeds = range(seed, min(seed + BATCH, first + documents))
        try:
            outcome.faults.extend(_checked(model, seeds, outcome.counts))
        except Exception as error:
            outcome.faults.append(Fault(f"ended with {type(error).__name__}", f"{seeds}"))
        outcome.counts["documents"] += len(seeds)
    return outcome


def _checked(model: Deidentifier, seeds: range, counts: Counter[str]) -> Iterator[Fault]:
    batch = []
    for seed in seeds:
        if Random(seed).random() < _FILES:
            found, faults = _read(seed, counts)
            batch += found
            yield from faults
        else:
            batch.append(Document(str(seed), odd_text(seed)))
    yield from _token_faults(batch)
    results = model.predict_batch(batch)
    yield from _batch_faults(model, batch, results, seeds[0])
    found = [result for result in results if isinstance(result, Document)]
    for result in results:
        if isinstance(result, FailedDocument):
            yield Fault(f"failed: {result.problem}", result.id)
    counts["with PHI"] += sum(bool(document.spans) for document in found)
    counts["spans"] += sum(len(document.spans) for document in found)
    yield from _restoring_faults(found, seeds[0])


def _read(seed: int, counts: Counter[str]) -> tuple[list[Document], list[Fault]]:
    """Read a structured file, which must be the same if nothing in it is changed."""
    name, data = odd_file(seed)
    content, options = Content(BytesIO(data), name), ReadingOptions()
    try:
        known = recognised_format(content)
        structure = None if known is None else known.structure
        if isinstance(structure, Container):
            return [], []
        records = list(read_records(content, structure, options))
        fields = [RecordText(record) for record in records]
        rendered = b"".join(each.rendered([]) for each in fields)
    except MultideidError:
        counts["refused"] += 1
        return [], []
    except Exception as error:
        return [], [Fault(f"reading ended with {type(error).__name__}", str(seed))]
    counts["structured"] += known is not None
    writes_other = structure is not None and structure.writes_text
    if rendered != data and not writes_other:
        return [], [Fault("a file changed without a change", str(seed))]
    return [Document(f"{seed}.{n}", each.text) for n, each in enumerate(fields)], []


def _token_faults(batch: list[Document]) -> Iterator[Fault]:
    """Compare the tokens of a batch with those of each text, which cover all but white space.

    The strings of a table have accents composed with their letters.
    """
    table = TokenTable.from_documents(batch)
    for n, document in enumerate(batch):
        rows = slice(table.first[n], table.first[n + 1])
        found = list(zip(table.start[rows].tolist(), table.end[rows].tolist(), strict=True))
        text = document.text
        strings = [table.vocabulary[t] for t in table.type[rows].tolist()]
        if found != tokenize(text) or strings != [composed(text[a:b]) for a, b in found]:
            yield Fault("tokens differ from the text", document.id)
        bounds = [0, *(place for token in found for place in token), len(text)]
        gaps = [text[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True)]
        if sorted(bounds) != bounds or any(gap.strip() for gap in gaps):
            yield Fault("a part of the text is in no token", document.id)


def _batch_faults(
    model: Deidentifier, batch: list[Document], results: list[Document | FailedDocument], seed: int
) -> Iterator[Fault]:
    """Compare results with those of another order and, for some, of the document alone."""
    draw = Random(seed)
    order = draw.sample(range(len(batch)), len(batch))
    again = model.predict_batch([batch[n] for n in order])
    for n, other in zip(order, again, strict=True):
        if other != results[n]:
            yield Fault("another result in another batch", batch[n].id)
    for n in order[:_ALONE]:
        if model.predict_batch([batch[n]]) != [results[n]]:
            yield Fault("another result alone", batch[n].id)


@cache
def _key() -> Key:
    # Derived once, since that is made to take long.
    return Key.from_secret(b"a secret of fuzzed documents")


def _restoring_faults(found: list[Document], seed: int) -> Iterator[Fault]:
    """Redact documents in one of the modes, and restore each from a vault."""
    whole = [document for document in found if half_character(document.text) is None]
    key = _key()
    replacer = make_replacer(_MODES[seed // BATCH % len(_MODES)], key)
    with tempfile.TemporaryDirectory() as folder:
        path, written = Path(folder) / "vault", {}
        with VaultWriter(path, key) as vault:
            for document in whole:
                new = replacements(document, replacer)
                vault.add(document.id, document, new)
                written[document.id] = spliced(document, new)
        records = read_vault(path, key)
    for document in whole:
        text = document.text
        kept = [text[span.start : span.end] for span in document.spans]
        if [document.span_text(span) for span in document.spans] != kept or not all(kept):
            yield Fault("a span is not the text at its offsets", document.id)
        if records[document.id].restored(written[document.id]) != text:
            yield Fault("restored text differs", document.id)
