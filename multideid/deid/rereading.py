"""What a run wrote is recognised when it is restored, whatever its tags look like."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from multideid.corpora.structure import Content, ReadingOptions, Record, Structure
from multideid.corpora.structured.encodings import decoded
from multideid.corpora.structured.phi_tags import tags_as_text
from multideid.deid.run import Run
from multideid.errors import CorpusError


class TaggedRecords:
    """Reads a file once more, with values that begin with tagged PHI as text.

    Parameters
    ----------
    content : Content
    structure : Structure or None
    options : ReadingOptions
    """

    def __init__(
        self, content: Content, structure: Structure | None, options: ReadingOptions
    ) -> None:
        self._content, self._structure, self._options = content, structure, options
        self._records: Iterator[Record] | None = None
        self._read = 0

    def record(self, number: int) -> Record | None:
        """Return a record by its number, which is larger than those asked for before."""
        from multideid.corpora.structured.reading import read_records

        record = None
        with tags_as_text():
            if self._records is None:
                # Another reader is in the middle of the file.
                copy = Content(BytesIO(self._bytes()), self._content.name, self._content.encoding)
                self._records = read_records(copy, self._structure, self._options)
            while self._read <= number:
                record = next(self._records, None)
                self._read += 1
        return record

    def _bytes(self) -> bytes:
        file = self._content.file
        place = file.tell()
        data = self._content.read()
        file.seek(place)
        return data


def wrote_as_text(run: Run, name: str, content: Content, options: ReadingOptions) -> bool:
    """Return whether an earlier run read a file as plain text, and wrote what is in it now."""
    if run.finds_phi:
        return False
    try:
        return run.wrote(name, decoded(content, options).text)
    except CorpusError:
        return False
