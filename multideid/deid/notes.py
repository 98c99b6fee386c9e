"""Files and streams of notes: read by their structure, rewritten and written."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from multideid.corpora.structure import (
    Changes,
    Container,
    Content,
    ReadingOptions,
    Record,
    Structure,
)
from multideid.deid.archives import Archive
from multideid.deid.files import FileJob
from multideid.deid.inputs import Input, file_inputs
from multideid.deid.neutral_keys import NeutralKeys
from multideid.deid.outputs import BytesOutput, CountedOutput, Output
from multideid.deid.record_text import FIELDS, RecordText
from multideid.deid.rereading import TaggedRecords, wrote_as_text
from multideid.deid.run import MEMBER, NAME, Rewritten, Run
from multideid.document import Document, Span
from multideid.errors import CorpusError, MultideidError, failed_with, reason
from multideid.site.patients import PATIENT


def rewrite_notes(jobs: Sequence[FileJob], run: Run) -> None:
    """Rewrite files that are not tables; all that is not changed stays.

    A file that cannot be read or fails in the run is reported and not written, and
    what an earlier run wrote in its place is removed. Of a file with several
    records, such as JSON Lines, records that fail are left out.
    """
    _Rewriter(run, len(jobs)).rewrite(file_inputs(jobs, run))


def rewrite_stream(source: BinaryIO, target: BinaryIO, name: str, run: Run) -> None:
    """Rewrite a stream; nothing is written if it cannot be read or fails in the run."""

    def write(data: bytes) -> None:
        target.write(data)
        target.flush()

    content = Content(BytesIO(source.read()), name)
    output = CountedOutput(BytesOutput(write), name, run)
    whole = Input(name, None, None, lambda: content, output, lambda *_: None)
    _Rewriter(run).rewrite([whole])


class _Pending(NamedTuple):
    """A record whose new text is not known yet."""

    name: str
    fields: RecordText
    file: Input
    keys: NeutralKeys


class _Step(NamedTuple):
    """Something to do with an output, between two records."""

    output: Output
    do: Callable[[], None]


class _Rewriter:
    """Rewrites files as a stream of records, whose results come later and in order.

    Parameters
    ----------
    run : Run
    total : int
        Number of files.
    """

    def __init__(self, run: Run, total: int = 1) -> None:
        self._run, self._options = run, run.reading
        self._total, self._files = total, 0
        self._queue: deque[_Pending | _Step] = deque()
        self._latest: Output | None = None

    def rewrite(self, inputs: Iterable[Input]) -> None:
        """Rewrite files."""
        self._advance()
        try:
            for _, new in self._run.rewrite_each(self._documents(inputs)):
                self._catch_up()
                pending = self._queue.popleft()
                assert isinstance(pending, _Pending)
                self._latest = pending.file.output
                self._write(pending, new)
                self._catch_up()
                # A file may have very many records.
                self._advance()
            self._catch_up()
        except BaseException:
            if self._latest is not None:
                self._latest.abort(failed=False)
            raise

    def _advance(self) -> None:
        documents = f"{self._run.done:,} document{'s' * (self._run.done != 1)}"
        self._run.advance(self._files, self._total, f"files, {documents}")

    def _count_file(self) -> None:
        self._files += 1
        self._advance()

    def _catch_up(self) -> None:
        """Do what is due between two records."""
        while self._queue and isinstance(step := self._queue[0], _Step):
            self._queue.popleft()
            self._latest = step.output
            step.do()

    def _write(self, pending: _Pending, new: Rewritten | None) -> None:
        output, data = pending.file.output, None
        if new is not None:
            data = self._rendered(pending, new)
            pending.file.add_phi(pending.fields.text, new.spans)
        if new is None or data is None:
            if not pending.fields.record.separable:
                output.abort()
            return
        output.write(data)
        if not output.is_aborted:
            self._run.count(new)

    def _rendered(self, pending: _Pending, new: Rewritten) -> bytes | None:
        """Return the bytes of a record; None if they cannot be made, which is reported."""
        try:
            keys = self._keys(pending.keys, pending.fields, new.spans)
            return pending.fields.rendered(new.changes, keys)
        except UnicodeEncodeError as error:
            problem = f"its encoding, {error.encoding}, lacks a character of the new text"
        except (MultideidError, OSError):
            raise
        except Exception as error:
            problem = failed_with(error)
        self._run.failures.add(pending.name, problem)
        return None

    def _keys(self, keys: NeutralKeys, fields: RecordText, spans: Sequence[Span] = ()) -> Changes:
        """Return the changes of the keys of a record."""
        if not self._run.finds_phi:
            return {}
        return keys.changes(fields.record, fields.text, spans)

    def _documents(self, inputs: Iterable[Input]) -> Iterator[Document]:
        for file in inputs:
            yield from self._opened(file)
            self._later(file.output, self._count_file)

    def _later(self, output: Output, step: Callable[[], None]) -> None:
        self._queue.append(_Step(output, step))

    def _opened(self, file: Input, depth: int = 0) -> Iterator[Document]:
        """Yield the documents of a file; one that cannot be read is reported."""
        self._later(file.output, file.output.begin)
        try:
            content = replace(file.open(), encoding=self._options.encoding)
            with content.file:
                options = self._options_for(file, content)
                structure = None if options.as_text else self._structure(content)
                if isinstance(structure, Container):
                    yield from self._members(file, content, structure, depth)
                else:
                    yield from self._records(file, content, structure, options)
        except CorpusError as error:
            where = f"{error.where}: " if error.where else ""
            self._fail(file, f"{where}{error.problem}")
        except MultideidError:
            raise
        except OSError as error:
            self._fail(file, f"cannot be read: {reason(error)}")
        except Exception as error:
            # One odd file must not keep the others from being written.
            self._fail(file, failed_with(error))
        else:
            self._later(file.output, file.output.close)

    def _fail(self, file: Input, problem: str) -> None:
        self._run.failures.add(file.name, problem)
        self._later(file.output, file.output.abort)

    def _structure(self, content: Content) -> Structure | Container | None:
        from multideid.corpora.structured.reading import recognised_format

        found = recognised_format(content)
        return None if found is None else found.structure

    def _options_for(self, file: Input, content: Content) -> ReadingOptions:
        """Return how a file is read: as text if it was read so when it was written."""
        name = file.saved_name or file.name
        is_text = wrote_as_text(self._run, name, content, self._options)
        return replace(self._options, as_text=True) if is_text else self._options

    def _records(
        self,
        file: Input,
        content: Content,
        structure: Structure | None,
        options: ReadingOptions,
    ) -> Iterator[Document]:
        from multideid.corpora.structured.reading import read_records

        if structure is not None and structure.writes_text:
            _require_text_name(content, file.target_name)
        keys, own_name = NeutralKeys(), _UniqueNames()
        tagged = TaggedRecords(content, structure, options)
        for number, record in enumerate(read_records(content, structure, options)):
            of_record = own_name(record.name)
            name = " ".join(filter(None, (file.name, of_record)))
            saved = " ".join(filter(None, (file.saved_name or file.name, of_record)))
            fields = self._fields(record, number, saved, tagged)
            if fields.record.values:
                self._queue.append(_Pending(name, fields, file, keys))
                yield Document(name, fields.text, meta=_meta(saved, fields, file))
            else:
                self._later(file.output, partial(self._write_rest, keys, fields, file.output))
        self._later(file.output, lambda: keys.warn(file.name))

    def _fields(self, record: Record, number: int, name: str, tagged: TaggedRecords) -> RecordText:
        """Return the text of a record, read as it was read when it was written."""
        fields = RecordText(record)
        if self._run.finds_phi or self._run.wrote(name, fields.text):
            return fields
        again = tagged.record(number)
        other = fields if again is None else RecordText(again)
        return other if self._run.wrote(name, other.text) else fields

    def _write_rest(self, keys: NeutralKeys, fields: RecordText, output: Output) -> None:
        """Write a record without a value."""
        output.write(fields.rendered((), self._keys(keys, fields)))

    def _members(
        self, file: Input, content: Content, container: Container, depth: int
    ) -> Iterator[Document]:
        if depth:
            raise content.error("is an archive inside an archive: unpack it first")
        archive = Archive(file, container, self._run)
        hidden, read = list[Path](), 0
        for name, member in container.members(content):
            if "/." in f"/{name}":
                hidden.append(Path(file.name, name))
                continue
            read += 1
            yield from self._opened(archive.member(name, member), depth + 1)
        if not read:
            raise content.error("holds hidden files only, which are not read: unpack it first")
        self._run.skipped += hidden
        self._later(file.output, archive.choose_names)
        self._later(file.output, archive.finish)


class _UniqueNames:
    """Numbers names that come again: records of one id are not one document."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()

    def __call__(self, name: str) -> str:
        own = name
        # A record may have an id that another one is given here.
        while own and own in self._times:
            self._times[name] += 1
            own = f"{name} ({self._times[name]})"
        self._times[own] = 1
        return own


def _meta(name: str, fields: RecordText, file: Input) -> dict[str, object]:
    meta: dict[str, object] = {NAME: name, PATIENT: fields.record.patient}
    if file.is_member:
        meta[MEMBER] = file.saved_name
    return meta if fields.is_plain else {**meta, FIELDS: fields}


def _require_text_name(content: Content, target_name: str | None) -> None:
    if target_name is not None and not target_name.lower().endswith(".txt"):
        problem = "is a PDF, whose text is written to a .txt file: give it a name that ends in .pdf"
        raise content.error(problem)
