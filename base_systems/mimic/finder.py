"""All rules in order of priority."""

from __future__ import annotations

from itertools import chain

from multideid.base_systems.mimic.addresses import find_addresses
from multideid.base_systems.mimic.contacts import find_phones, find_web
from multideid.base_systems.mimic.contexts import find_bare_names, find_relatives, find_subjects
from multideid.base_systems.mimic.dates import find_ages, find_dates
from multideid.base_systems.mimic.european_dates import find_european_dates
from multideid.base_systems.mimic.hospitals import find_hospitals, find_moved_to
from multideid.base_systems.mimic.identifiers import find_identifiers, find_unlabelled_identifiers
from multideid.base_systems.mimic.locations import find_places
from multideid.base_systems.mimic.names import (
    find_labelled_names,
    find_names_before_credentials,
    find_titled_names,
)
from multideid.base_systems.mimic.patterns import Finder, Notes, resolve
from multideid.base_systems.mimic.repeats import find_repeats
from multideid.document import Span
from multideid.text.table import TokenTable

NATIVE_LABELS = (
    "PATIENT", "DOCTOR", "HOSPITAL", "LOCATION", "DATE", "ID", "PHONE", "AGE", "EMAIL", "URL",
)  # fmt: skip

# Earlier rules win overlaps:
# unambiguous forms, then labels and titles, then context alone.
PRIORITY: tuple[Finder, ...] = (
    find_web,
    find_identifiers,
    find_european_dates,
    find_dates,
    find_phones,
    find_addresses,
    find_unlabelled_identifiers,
    find_ages,
    find_hospitals,
    find_titled_names,
    find_names_before_credentials,
    find_labelled_names,
    find_relatives,
    find_moved_to,
    find_places,
    find_subjects,
    find_bare_names,
)


def find_phi(text: str) -> list[Span]:
    """Find PHI by rules (thesis 2.5.1-2.5.7).

    The time is linear in the length of the text.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of Span
        Sorted, not overlapping, with labels of `NATIVE_LABELS`.

    Examples
    --------
    >>> find_phi("Mr. Lopez was seen on 3/4/2005.")
    [Span(start=4, end=9, label='PATIENT'), Span(start=22, end=30, label='DATE')]
    """
    return find_in_batch(TokenTable.from_texts([text]))[0]


def find_in_batch(table: TokenTable) -> list[list[Span]]:
    """Find PHI in every note of a table, as `find_phi` does in one."""
    notes = Notes(table)
    return notes.split(find_in_notes(notes))


def find_in_notes(notes: Notes) -> list[Span]:
    """Find PHI in the notes of a batch, with offsets in the notes as given, joined."""
    taken = bytearray(len(notes.text))
    candidates = chain.from_iterable(finder(notes) for finder in PRIORITY)
    found = list(resolve(candidates, taken))
    found += resolve(find_repeats(notes, found, taken), taken)
    return notes.as_given(sorted(found))
