"""HL7 v2 messages: fields by their data types, texts of OBX and NTE by the model.

A file holds a message or several, with or without batch headers and the frames
of MLLP. Of a part of a message, without its header, the separators are the usual
ones. Messages are read segment by segment; values keep their places and
separators. Segments and fields of no standard are PHI as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from multideid.corpora.contract import Format
from multideid.corpora.structure import (
    Changes,
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
    is_title,
    kept,
    labelled,
    may_repeat,
    withheld,
)
from multideid.corpora.structured.age_values import Measure, age_value, is_age_text
from multideid.corpora.structured.dates import compact_date, year
from multideid.corpora.structured.embedded import (
    TextPart,
    base64_values,
    file_or_withheld,
    html_values,
)
from multideid.corpora.structured.encodings import Decoded, decoded
from multideid.corpora.structured.hl7_escapes import USUAL, Escapes, Separators
from multideid.corpora.structured.hl7_types import (
    CODE,
    DATE,
    FREE,
    KEPT,
    NUMBER,
    SEQUENCE,
    UNKNOWN,
    Leaf,
    Type,
    data_type,
    field_type,
    has_standard_system,
    is_kept,
    kind_of,
    require_tables,
)
from multideid.corpora.structured.slots import Slot, Source
from multideid.errors import UsageError

_SEGMENT = re.compile(r"[^\r\n\x0b\x1c]+")
_START = re.compile(r"\x0b?(?:MSH|FHS|BHS)([^\w\s])[^\w\s]{2,5}\1")
_MESSAGE_HEADER = re.compile(rb"(?:\A|[\r\n\x0b\x1c])(MSH[^\r\n\x0b\x1c]+)")
_HEADERS = ("MSH", "FHS", "BHS")
# A message whose header was left out; more than one segment, since notes may quote one.
_HEADLESS = re.compile(r"(?:EVN|PID|PV1|NK1|OBR|OBX|ORC)\|[^\r\n]*[\r\n]+[A-Z][A-Z\d]{2}\|")
_CHARACTER_SETS = {"8859/1": "iso-8859-1", "8859/15": "iso-8859-15", "8859/2": "iso-8859-2"}
_VERSION = re.compile(r"\d(?:\.\d){1,2}")
_LONGEST_SEQUENCE = 4  # As the standard says.
_OBSERVED, _UNITS = 5, 6  # Fields of OBX.
_MEANING = re.compile(r"[^\W_]")


def read(content: Content, options: ReadingOptions) -> Iterator[Record]:
    """Yield a record for each message."""
    try:
        require_tables()
    except UsageError as error:
        raise content.error(str(error)) from None
    declared = _character_set(content)
    read = _decoded(content, options, declared)
    is_known = bool(options.encoding) or declared.startswith(("UNICODE", "8859/"))
    parts = _messages(read.text)
    for number, text in enumerate(parts, start=1):
        message = _Message(Source(text), read.encoding if is_known else None)
        values = tuple(message.values())
        render = _renderer(message.source, read.encoding, read.mark if number == 1 else b"")
        name = f"message {number}" if len(parts) > 1 else ""
        yield Record(values, render, name, message.patient, separable=True)


def _renderer(source: Source, encoding: str, mark: bytes) -> Callable[[Changes], bytes]:
    return lambda changes: mark + source.rendered(changes).encode(encoding)


def _character_set(content: Content) -> str:
    """Return the character set that the first message's header declares; empty if none."""
    match = _MESSAGE_HEADER.search(content.head)
    header = match[1].decode("latin-1") if match else ""
    fields = header.split(header[3]) if match else []
    return fields[17].partition("~")[0].strip() if len(fields) > 17 else ""


def _decoded(content: Content, options: ReadingOptions, declared: str) -> Decoded:
    """Decode a file; without an option, by the character set that it declares."""
    if options.encoding is None and declared in _CHARACTER_SETS:
        options = ReadingOptions(encoding=_CHARACTER_SETS[declared])
    return decoded(content, options)


def _messages(text: str) -> list[str]:
    """Return the parts of a file, each with one message; headers of batches go with the first."""
    starts = [m.start() for m in re.finditer(r"(?:(?<=[\r\n\x0b\x1c])|^)MSH", text)]
    cuts = [0, *starts[1:], len(text)]
    return [text[low:high] for low, high in pairwise(cuts)]


class _Message:
    """Reads the segments of a message."""

    def __init__(self, source: Source, encoding: str | None) -> None:
        self.source = source
        self.patient: str | None = None
        self._encoding = encoding
        self._declare(USUAL)
        self._version = "2.5"
        self._segment = ""
        self._age_unit: str | None = None

    def values(self) -> Iterator[Value]:
        """Yield the values of all segments."""
        for match in _SEGMENT.finditer(self.source.text):
            text = match[0]
            self._segment = text[:3]
            if self._segment in _HEADERS and len(text) > 4:
                self._declare(Separators.of(text))
            if len(text) < 3 or not text[:3].isalnum() or text[3:4] not in ("", self._field_mark):
                # Not a segment: text that somebody broke over several lines.
                yield Value((self._slot(match.start(), match.end()),), place="text")
                continue
            yield from self._fields(match.start(), match.end())

    def _declare(self, separators: Separators) -> None:
        self._separators = separators
        self._escapes = Escapes(separators, self.source.text, self._encoding)

    @property
    def _field_mark(self) -> str:
        return self._separators.field

    def _fields(self, start: int, end: int) -> Iterator[Value]:
        fields = list(self._split(start, end, self._field_mark))[1:]
        first = 1
        if self._segment in _HEADERS:
            first, fields = 3, fields[1:]  # The first two are the separators.
        if self._segment == "MSH" and len(fields) > 9:
            found = _VERSION.match(self.source.text[slice(*fields[9])])
            self._version = found[0] if found else self._version
        observed = self._observed_type(fields)
        self._age_unit = self._unit_of_age(fields) if self._segment == "OBX" else None
        for number, (low, high) in enumerate(fields, start=first):
            kind = field_type(self._version, self._segment, number)
            if kind is not None and kind.name == "varies":
                kind = observed
            for place in self._split(low, high, self._separators.repetition):
                yield from self._repetition(number, kind, *place)

    def _observed_type(self, fields: Sequence[tuple[int, int]]) -> Type | None:
        """Return the type of an observation's values, which OBX-2 names."""
        name = self.source.text[slice(*fields[1])] if len(fields) > 1 else ""
        return data_type(self._version, name) if name else Type("ST")

    def _unit_of_age(self, fields: Sequence[tuple[int, int]]) -> str | None:
        """Return the unit of an observation that is an age; None if it is none."""
        texts = [self.source.text[low:high] for low, high in fields[:_UNITS]]
        if len(texts) < _UNITS - 1:
            return None
        codes = texts[2].split(self._separators.component)
        unit = texts[_UNITS - 1].split(self._separators.component) if len(texts) == _UNITS else []
        return Measure(tuple(codes), tuple(codes)).unit(" ".join(unit[:2]))

    def _repetition(self, number: int, kind: Type | None, low: int, high: int) -> Iterator[Value]:
        if kind is not None and kind.name == "ED":
            yield from self._encapsulated(number, kind, low, high)
        elif kind is not None and not kind.components:
            yield from self._leaf(Leaf(self._segment, number, ((kind, 0),)), low, high)
        else:
            yield from self._components(number, kind, low, high)

    def _encapsulated(self, number: int, kind: Type, low: int, high: int) -> Iterator[Value]:
        """Yield the content of encoded data: text, or something that is withheld."""
        parts = list(self._split(low, high, self._separators.component))
        if len(parts) < 5:
            yield labelled(self._slot(low, high), UNKNOWN, self._place(number))
            return
        yield from self._components(number, kind, low, parts[3][1])
        encoding = self.source.text[slice(*parts[3])].lower()
        if encoding == "a":
            yield from self._text(parts[4][0], high, self._place(number, 5))
        else:
            yield from base64_values(self.source, parts[4][0], high, self._place(number, 5))

    def _components(self, number: int, kind: Type | None, low: int, high: int) -> Iterator[Value]:
        text = self.source.text[low:high]
        parts = text.split(self._separators.component)
        identifier_type = parts[4] if len(parts) > 4 else ""
        places = self._split(low, high, self._separators.component)
        for n, (start, end) in enumerate(places, start=1):
            inner = kind.components[n - 1] if kind and n <= len(kind.components) else None
            subparts = list(self._split(start, end, self._separators.subcomponent))
            inside = [self.source.text[slice(*part)] for part in subparts]
            for m, (first, last) in enumerate(subparts, start=1):
                if kind is None or inner is None:
                    yield from self._unknown(number, first, last)
                    continue
                types = [(kind, n), (inner, m if inner.components else 0)]
                if inner.components and m <= len(inner.components):
                    types.append((inner.components[m - 1], 0))
                leaf = Leaf(self._segment, number, tuple(types))
                is_coded = has_standard_system(kind, n, parts) or has_standard_system(
                    inner, m, inside
                )
                yield from self._leaf(leaf, first, last, identifier_type, is_coded)

    def _leaf(
        self, leaf: Leaf, low: int, high: int, identifier_type: str = "", is_coded: bool = False
    ) -> Iterator[Value]:
        kind = kind_of(leaf, identifier_type, is_coded)
        text = self.source.text[low:high]
        if not text:
            return
        if age := self._age(leaf, kind, low, high):
            yield age
            return
        if is_kept(kind, text, is_coded):
            if may_repeat(text):
                yield kept(self._slot(low, high), self._place(leaf.field))
            return
        if kind == SEQUENCE:
            # Other things than a number are out of place, as a record number is in PID-1.
            kind = UNKNOWN
            if text.isdecimal() and len(text) <= _LONGEST_SEQUENCE:
                return
        place = self._place(leaf.field, *(n for _, n in leaf.types if n))
        if kind == FREE:
            yield from self._text(low, high, place)
            return
        slot = self._slot(low, high)
        if (leaf.segment, leaf.field) == ("PID", 3) and self.patient is None:
            self.patient = slot.text
        if kind == DATE and (known := compact_date(slot.text) or year(slot.text)):
            yield Value((slot,), known, free=False, place=place)
        elif kind in (CODE, DATE, KEPT, NUMBER):
            yield Value((slot,), place=place, title=is_title(slot.text))
        else:
            yield labelled(slot, kind, place)

    def _age(self, leaf: Leaf, kind: str, low: int, high: int) -> Value | None:
        """Return the value of an observed age; None of anything else."""
        if self._age_unit is None or leaf.field != _OBSERVED:
            return None
        place = self._place(leaf.field, *(n for _, n in leaf.types if n))
        if kind == NUMBER:
            return age_value(self._slot(low, high), self._age_unit, place)
        is_age = kind == FREE and is_age_text(self.source.text[low:high])
        return labelled(self._slot(low, high), "AGE", place) if is_age else None

    def _text(self, low: int, high: int, place: str) -> Iterator[Value]:
        """Yield the values of free text, which may be that of an RTF or XML file."""
        raw, escapes, mark = self.source.text[low:high], self._escapes, self._separators.escape
        text = escapes.rule.decoded(raw, 0, len(raw))[0]
        if "\0" in text:
            # Data in hexadecimal.
            yield withheld(Value((self._slot(low, high),), place=place))
            return
        # Some systems do not escape the backslashes of RTF.
        is_escaped = f"{mark}E{mark}" in raw
        encode = escapes.encode if is_escaped else escapes.encode_all_but_escapes
        part = TextPart(self.source, low, high, text, encode)
        found = file_or_withheld(part, place)
        if found is None:
            found = html_values(part, place)
        if found is not None:
            yield from found
            return
        slot = self._slot(low, high)
        yield Value((slot,), place=place, title=is_title(slot.text))

    def _unknown(self, number: int, low: int, high: int) -> Iterator[Value]:
        """Yield a value of unknown type, unless it has no letter or digit."""
        if _MEANING.search(self.source.text, low, high):
            yield labelled(self._slot(low, high), UNKNOWN, self._place(number))

    def _slot(self, low: int, high: int) -> Slot:
        return self.source.slot(low, high, self._escapes.rule, self._escapes.encode)

    def _place(self, number: int, *components: int) -> str:
        return ".".join(map(str, (f"{self._segment}-{number}", *components)))

    def _split(self, low: int, high: int, separator: str) -> Iterator[tuple[int, int]]:
        """Yield the places between separators."""
        while (cut := self.source.text.find(separator, low, high)) >= 0:
            yield low, cut
            low = cut + len(separator)
        yield low, high


def _recognise(content: Content) -> bool:
    start = content.beginning
    return bool(_START.match(start) or _HEADLESS.match(start))


FORMAT = Format(
    "hl7",
    "HL7 v2 messages and batches; deid reads fields by their data types",
    structure=Structure(_recognise, read, (".hl7",)),
)
