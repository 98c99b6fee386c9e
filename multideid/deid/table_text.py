"""The text of CSV files in any encoding, read in chunks and written as it was."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path

from multideid.corpora.source import read_chunks, require_file, unreadable
from multideid.corpora.structure import HEAD, Content, ReadingOptions
from multideid.corpora.structured.encodings import (
    encoding_of,
    refuse_other_encoding,
    undecodable,
)
from multideid.errors import CorpusError


class TableText:
    """A text file that need not fit into memory.

    Parameters
    ----------
    path : Path
    options : ReadingOptions

    Attributes
    ----------
    encoding : str
        In which the text, with a byte order mark as its first character, is written again.

    Raises
    ------
    CorpusError
        If it cannot be opened, begins with the mark of an encoding that is not named, or is
        plainly not in the one that is.
    """

    def __init__(self, path: Path, options: ReadingOptions) -> None:
        self._path = require_file(path)
        try:
            with path.open("rb") as file:
                content = Content(file, str(path), options.encoding)
                self.encoding = encoding_of(content, options)[1]
                refuse_other_encoding(content, options, read_chunks(path))
        except OSError as error:
            raise unreadable(path, error) from None

    def chunks(self) -> Iterator[str]:
        """Yield the text in parts.

        Raises
        ------
        CorpusError
            If it is not in the encoding; names the byte and, if it can be recognised, the
            encoding to choose.
        """
        decoder = codecs.getincrementaldecoder(self.encoding)()
        offset = 0
        for chunk in read_chunks(self._path):
            yield self._decoded(decoder, chunk, offset)
            offset += len(chunk)
        yield self._decoded(decoder, b"", offset, final=True)

    def _decoded(
        self, decoder: codecs.IncrementalDecoder, chunk: bytes, offset: int, final: bool = False
    ) -> str:
        pending = decoder.getstate()[0]
        try:
            return decoder.decode(chunk, final)
        except UnicodeDecodeError as error:
            place = offset - len(pending) + error.start
            raise self._undecodable(place) from None

    def _undecodable(self, place: int) -> CorpusError:
        with self._path.open("rb") as file:
            file.seek(max(0, place - HEAD // 2))
            data = file.read(HEAD)
            return undecodable(Content(file, str(self._path)), data, self.encoding, place)
