"""JSON and JSON Lines: the values under chosen keys.

Without ``--json-path``, that is the key ``text``. Each line of JSON Lines is a
record, and so is each item of a list. Values under chosen keys with names such
as ``patient_name`` or ``mrn`` are PHI as a whole. An object or list under a chosen key is
chosen with all that is in it. All other values stay; if their
keys look like identifiers, a warning names them, or where they are if they may be PHI.
Keys are no text, but a record has them, since they may repeat PHI.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from multideid.corpora.contract import Format
from multideid.corpora.identifier_names import (
    field_label,
    warn_of_identifiers,
)
from multideid.corpora.structure import (
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
    is_title,
    labelled,
)
from multideid.corpora.structured.embedded import TextPart, file_or_withheld, html_values
from multideid.corpora.structured.json_paths import JsonPath
from multideid.corpora.structured.json_source import (
    JSON_ESCAPES,
    JsonString,
    Path,
    dotted,
    encoder,
    json_slot,
    parsed,
)
from multideid.corpora.structured.json_units import Unit, is_json_lines, units
from multideid.errors import CorpusError

DEFAULT_PATHS = ("text",)

_SAMPLE = 200  # Records whose other keys are looked at.


def read(content: Content, options: ReadingOptions) -> Iterator[Record]:
    """Yield a record for each line, item or file.

    Raises
    ------
    CorpusError
        Also if no record has a value under a chosen key.
    """
    chosen = [JsonPath(path) for path in options.json_paths or DEFAULT_PATHS]
    id_path, patient_path = (
        None if path is None else JsonPath(path)
        for path in (options.json_id, options.patient_field)
    )
    kept = _Kept(options.hides)
    found = False
    for unit in units(content, options):
        values: list[Value] = []
        for string in unit.strings:
            if any(path.holds(string.path) for path in chosen):
                values += _values(unit, string)
            else:
                kept.add(unit, string)
        found = found or bool(values)
        patient = None if patient_path is None else patient_path.found(unit.value)
        name = _name(unit, id_path)
        of = None if patient is None else str(patient)
        yield unit.record(tuple(values), name, of, unit.keys())
    if not found:
        keys = " or ".join(path.text for path in chosen)
        problem = f"JSON without a text under {keys}: name the keys of the text with --json-path"
        raise content.error(problem)
    kept.warn(content)


def _name(unit: Unit, id_path: JsonPath | None) -> str:
    found = None if id_path is None else id_path.found(unit.value)
    return unit.name if found is None else f"id {found}"


def _values(unit: Unit, string: JsonString) -> list[Value]:
    place = dotted(string.path)
    if string.quoted:
        low, high = string.start, string.end
        text = JSON_ESCAPES.decoded(unit.source.text, low, high)[0]
        part = TextPart(unit.source, low, high, text, encoder(unit.source.text))
        found = file_or_withheld(part, place)
        if found is not None:
            return found
        if not field_label(_key(string.path), text) and (found := html_values(part, place)):
            return found
    slot = json_slot(unit.source, string)
    if label := field_label(_key(string.path), slot.text):
        return [labelled(slot, label, place)]
    return [Value((slot,), place=place, title=is_title(slot.text))]


def _key(path: Path) -> str:
    return next((part for part in reversed(path) if isinstance(part, str)), "")


class _Kept:
    """Samples of the values that are kept as they are, by key."""

    def __init__(self, hides: Callable[[str], bool]) -> None:
        self._hides = hides
        self._samples: dict[str, list[str]] = {}
        self._places: dict[str, str] = {}

    def add(self, unit: Unit, string: JsonString) -> None:
        """Remember a value, unless there are enough."""
        key = _key(string.path)
        sample = self._samples.setdefault(key, [])
        if not sample:
            where = (f"the key of character {string.start + 1:,}", unit.name)
            self._places[key] = " of ".join(filter(None, where))
        if len(sample) < _SAMPLE:
            sample.append(unit.source.text[string.start : string.end])

    def warn(self, content: Content) -> None:
        """Warn of keys that look like identifiers."""
        remedy = "choose them too with --json-path, or remove them"
        warn_of_identifiers(content.name, self._samples, remedy, self._shown)

    def _shown(self, key: str) -> str:
        """Return a key as a warning may show it, by its place if it may be PHI."""
        return self._places[key] if self._hides(key) else repr(key)


def _recognise(content: Content) -> bool:
    if not content.beginning.startswith(("{", "[")):
        return False
    if is_json_lines(content):
        return True
    try:
        text = content.read().decode(content.decoding)
        value = parsed(text, None, content.name)
    except (CorpusError, UnicodeError):
        return False
    return isinstance(value, dict) or _is_data(value)


def _is_data(value: list[object]) -> bool:
    """Return whether a list is data: a note may be ``[1]`` alone."""
    return not value or any(isinstance(item, dict | list | str) for item in value)


FORMAT = Format(
    "json",
    "JSON and JSON Lines of any kind; deid reads the values under the keys of --json-path",
    structure=Structure(_recognise, read, (".json", ".jsonl", ".ndjson")),
)
