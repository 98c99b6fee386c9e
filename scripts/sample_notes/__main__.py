"""Add notes to the sample corpus, or replace those that it has.

For maintainers. `NOTES` is a corpus of any format whose documents have the ``meta`` of the
sample notes, such as the output of ``multideid sample-corpus`` after it was corrected::

    python scripts/sample_notes NOTES --split train

Since the notes in the package take 2 MB, others are in the repository only: ``--split more`` is for
those that the bundled model is trained on, ``--split next`` for those that the next one will be.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import typer

from multideid.cli.error_handler import handle_errors
from multideid.corpora import read_corpus
from multideid.document import Document
from multideid.errors import UsageError
from multideid.samples import DATA, read_notes
from multideid.samples.inline import shorten, to_line

_FOLDER = Path(__file__).parents[1] / "default_model"
OUTSIDE = {split: _FOLDER / f"{split}_notes.jsonl.xz" for split in ("more", "next")}
"""Files of the notes that are not in the package."""
_META = ("brief", "country", "kind")
_FOR_TEXT = [
    {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}
]
"""Bytes of text depend on the byte before, and not on their position."""

app = typer.Typer(pretty_exceptions_enable=False)


@app.command()
@handle_errors
def add(
    notes: Annotated[Path, typer.Argument(metavar="NOTES")],
    *,
    split: Annotated[Literal["train", "dev", "test", "more", "next"], typer.Option()],
) -> None:
    """Put notes into a split, in the order of their ids."""
    new = {note.id: note for note in read_corpus(notes)}
    for note in new.values():
        if sorted(note.meta) != sorted(_META):
            raise UsageError(f"document {note.id!r}: meta must have {', '.join(_META)}")
    path = OUTSIDE.get(split, DATA / f"{split}.jsonl.xz")
    known = read_notes(path) if path.exists() else []
    merged = {note.id: note for note in known} | new
    pack((merged[identifier] for identifier in sorted(merged)), path)
    typer.echo(f"{path}: {len(merged):,} notes, {path.stat().st_size:,} bytes")


def pack(notes: Iterable[Document], path: Path) -> None:
    """Write notes as `multideid.samples` reads them."""
    lines = "".join(shorten(to_line(note)) for note in notes)
    path.write_bytes(lzma.compress(lines.encode(), filters=_FOR_TEXT))


if __name__ == "__main__":
    app()
