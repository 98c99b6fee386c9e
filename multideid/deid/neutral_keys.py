"""Keys of JSON that repeat PHI of their record, or look like PHI."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence

from multideid.corpora.identifier_names import IdentifierWarning
from multideid.corpora.structure import Changes, Record
from multideid.corpora.structured.slots import Change
from multideid.deid.echoes import values_of
from multideid.deid.file_names import looks_like_phi
from multideid.deid.repeated_names import repeating
from multideid.document import Span


class NeutralKeys:
    """Gives the keys of a file neutral names (``key-1``) where they repeat PHI.

    A key has the same new name in all records from the first in which it repeats PHI,
    and two keys have two names, so that none is lost.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._looks: dict[str, bool] = {}
        self._stays: dict[str, str] = {}  # Where each key is that looks like PHI.

    def changes(self, record: Record, text: str, spans: Iterable[Span]) -> Changes:
        """Return the changes of a record's keys.

        Parameters
        ----------
        record : Record
        text : str
            Its text.
        spans : iterable of Span
            The PHI in it.
        """
        if not record.keys:
            return {}
        keys = dict.fromkeys(slot.text for slot in record.keys)
        found = repeating(keys, values_of(text, spans)) | (self._names.keys() & keys)
        new = {key: self._name(key, keys) for key in keys if key in found}
        for slot in record.keys:
            if slot.text not in new and self._looks_like_phi(slot.text):
                where = " of ".join(filter(None, (f"character {slot.start + 1:,}", record.name)))
                self._stays.setdefault(slot.text, where)
        return {
            slot: [Change(0, len(slot.text), new[slot.text])]
            for slot in record.keys
            if slot.text in new
        }

    def _name(self, key: str, taken: Iterable[str]) -> str:
        name = self._names.setdefault(key, f"key-{len(self._names) + 1}")
        while name in taken:
            name += "-2"
        return name

    def _looks_like_phi(self, key: str) -> bool:
        if key not in self._looks:
            self._looks[key] = looks_like_phi(key)
        return self._looks[key]

    def warn(self, file: str) -> None:
        """Warn if keys were changed, and of those that look like PHI and stay."""
        if self._names:
            count = _counted(self._names)
            _warn(f"{file}: names of {count} repeat PHI; neutral names replace them")
        if self._stays:
            where = next(iter(self._stays.values()))
            _warn(
                f"{file}: names of {_counted(self._stays)} look like PHI, and stay: write them as "
                f"values, and choose these with --json-path (the first is at {where})"
            )


def _counted(keys: Sequence[str] | dict[str, str]) -> str:
    return f"{len(keys):,} key{'s' * (len(keys) != 1)}"


def _warn(message: str) -> None:
    warnings.warn(message, IdentifierWarning, stacklevel=3)
