"""The types of HL7 v2 fields, and the PHI that they hold.

The data types of fields and components come from the package hl7apy, which has
them for versions 2.1 to 2.8.2. What is neither in the message's version nor in
another, such as a segment of a hospital's own (``ZPI``), is of unknown type.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from multideid.errors import MissingPackageError

UNKNOWN = "OTHER"
"""The label of values of unknown type, which are PHI as a whole."""

FREE, KEPT, CODE, DATE, SEQUENCE = "free", "kept", "code", "date", "sequence"
NUMBER = "number"
"""Kinds of values: text for the model, what stays if it looks like a code, what stays if it is one
of a standard or looks like a code, times, numbers of repeated segments, numbers."""

# Whose name, which number, and whether a code has a system, depends on the rest of the field.
_NAME, _ID, _CODE, _AUTHORITY = "name", "id", "coded", "authority"
_OTHER_VERSIONS = ("2.8.2", "2.6", "2.5.1", "2.5", "2.4", "2.3.1", "2.3", "2.2", "2.1")
_NEWEST = _OTHER_VERSIONS[0]

_Rule = TypeVar("_Rule")


def _by_name(*rules: tuple[str, _Rule]) -> dict[str, _Rule]:
    """Return a rule for each of several names, which are separated by spaces."""
    return {name: rule for names, rule in rules for name in names.split()}


_PERSON = {1: "IDNUM", 2: _NAME, 3: _NAME, 4: _NAME, 5: _NAME, 6: FREE, 7: FREE}
_PLACE = {1: "DEPARTMENT", 2: "ROOM", 3: "ROOM", 4: _AUTHORITY, 5: KEPT, 6: KEPT,
          7: "LOCATION-OTHER", 8: "LOCATION-OTHER", 9: FREE}  # fmt: skip
_INSIDE = {n: _PLACE[n] for n in range(1, 9)}
_ADDRESS = {1: "STREET", 2: "STREET", 3: "CITY", 4: "STATE", 5: "ZIP", 6: "COUNTRY", 7: KEPT,
            8: "LOCATION-OTHER", 9: "LOCATION-OTHER", 10: "LOCATION-OTHER"}  # fmt: skip
_PHONE = {1: "PHONE", 4: "EMAIL", 6: "PHONE", 7: "PHONE", 8: "PHONE", 12: "PHONE"}
_DOSE_ADDRESS = {8 + n: kind for n, kind in _ADDRESS.items() if n <= 8}
_PERFORMED_AT = {3 + n: kind for n, kind in _INSIDE.items()}
_CODED_TYPES = ("CE", "CWE", "CNE", "CF")
_CODED = {1: KEPT, 2: _CODE, 3: KEPT, 4: KEPT, 5: _CODE, 6: KEPT, 7: KEPT, 8: KEPT, 9: FREE,
          10: KEPT, 11: _CODE, 12: KEPT}  # fmt: skip

_COMPONENTS = _by_name(
    ("XPN PN", {1: _NAME, 2: _NAME, 3: _NAME, 4: _NAME, 5: FREE, 6: FREE}),
    ("XCN CN CN_SIMPLE PPN CNN", {**_PERSON, 9: _AUTHORITY, 14: _AUTHORITY}),
    ("XAD AD", _ADDRESS),
    ("PL CM_INTERNAL_LOCATION", _PLACE),
    ("LA1", _INSIDE),
    ("LA2 CM_LA1", {**_INSIDE, **_DOSE_ADDRESS}),
    ("NDL CM_NDL", _PERFORMED_AT),
    ("CX CK CM_PAT_ID", {1: _ID, 2: KEPT, 4: _AUTHORITY, 6: _AUTHORITY}),
    (" ".join(_CODED_TYPES), _CODED),
    ("TS DR DR_SIMPLE", {1: DATE, 2: DATE}),
    ("XTN", _PHONE),
    ("EI", {1: "IDNUM", 2: _AUTHORITY}),
    ("XON", {1: "HOSPITAL", 3: "IDNUM", 10: "IDNUM"}),
    ("CM_EIP", {1: "IDNUM", 2: "IDNUM"}),
    ("HD", {1: "HOSPITAL", 2: "HOSPITAL", 3: CODE}),
    ("DLN PLN", {1: "LICENSE"}),
    ("RP", {1: "IDNUM", 2: CODE}),
    ("ED", {1: CODE}),
)
"""What the components of a type hold."""

_PRIMITIVES = _by_name(
    ("ST TX FT GTS varies AD RP", FREE),
    ("ID IS TM SN MO NA", KEPT),
    ("NM", NUMBER),
    ("SI", SEQUENCE),
    ("DT DTM TS", DATE),
    ("TN", "PHONE"),
    ("CX", _ID),
    ("PN", _NAME),
    ("EI", "IDNUM"),
)
"""What types without components hold."""

_FIELDS = _by_name(
    ("MSH-3 MSH-5 MSH-9 MSH-11 MSH-12 MSH-18 MSH-21 MSA-1 QPD-1", CODE),
    ("BHS-3 BHS-5 FHS-3 FHS-5 MFI-2", CODE),
    ("MSH-4 MSH-6 BHS-4 BHS-6 FHS-4 FHS-6 PV1-37 PV1-39", "HOSPITAL"),
    ("OBX-7 OBX-8", KEPT),
    ("MSH-10 MSA-2 BHS-11 BHS-12 FHS-11 FHS-12", "IDNUM"),
    ("GT1-19 NK1-12 OBR-18 OBR-19 OBR-20 OBR-21", "IDNUM"),
    ("PID-12 PID-23 ACC-3", "LOCATION-OTHER"),
    ("PID-19 GT1-12 NK1-37 IN2-2", "SSN"),
    ("IN1-8 IN1-36 IN2-6 IN2-8 IN2-10", "HEALTHPLAN"),
)
"""Fields that hold something else than their types say."""

_NUMBERS = _by_name(
    ("PID-2 PID-3 PID-4 MRG-1 MRG-2 MRG-4", "MEDICALRECORD"),
    ("PID-18 MRG-3", "ACCOUNT"),
    ("IN1-49 IN2-61", "HEALTHPLAN"),
)
"""Fields whose identifiers are known; others are of an unknown kind."""

_NUMBER_TYPES = {"MR": "MEDICALRECORD", "SS": "SSN", "DL": "LICENSE", "AN": "ACCOUNT",
                 "MA": "HEALTHPLAN", "MC": "HEALTHPLAN", "NPI": "LICENSE"}  # fmt: skip
_STAFF = ("STF", "PRA", "PRD", "CTD", "ORG", "AFF", "EDU")
_PROVIDERS = ("XCN", "CN", "CN_SIMPLE", "PPN", "CNN")


class Type(NamedTuple):
    """The type of a field or component.

    Parameters
    ----------
    name : str
        Such as ``"XPN"``.
    components : tuple of Type
        Empty for a type without components.
    """

    name: str
    components: tuple[Type, ...] = ()


@cache
def field_type(version: str, segment: str, number: int) -> Type | None:
    """Return the type of a field in a version or, if it has no such field, in another."""
    for candidate in (version, *_OTHER_VERSIONS):
        row = _fields(candidate).get(f"{segment}_{number}")
        if row is not None and row[2] not in (None, "WD"):
            return _type(row)
    return None


@cache
def data_type(version: str, name: str) -> Type | None:
    """Return a data type by its name; None if there is no such."""
    for candidate in (version, _NEWEST):
        row = _library(candidate).DATATYPES_STRUCTS.get(name)
        if row is not None:
            return Type(name, tuple(_type(component[1]) for component in row))
    return Type(name) if name in _PRIMITIVES else None


def _type(row: Any) -> Type:
    if row[0] == "sequence":
        return Type(row[2], tuple(_type(component[1]) for component in row[1]))
    return Type(row[2])


def _fields(version: str) -> dict[str, Any]:
    fields: dict[str, Any] = _library(version).FIELDS
    return fields


@cache
def _library(version: str) -> Any:
    """Return hl7apy's tables of a version; of an unknown one, those of the newest."""
    try:
        import hl7apy
    except ImportError:
        raise MissingPackageError("hl7apy", "hl7", "an HL7 v2 message") from None
    known = version if version in hl7apy.SUPPORTED_LIBRARIES else _NEWEST
    return hl7apy.load_library(known)


class Leaf(NamedTuple):
    """A value without components, and where it is.

    Parameters
    ----------
    segment : str
    field : int
    types : tuple of (Type, int)
        The types from the field inwards, each with the number of the component
        that leads on; 0 for the value itself.
    """

    segment: str
    field: int
    types: tuple[tuple[Type, int], ...]


def kind_of(leaf: Leaf, identifier_type: str = "", is_coded: bool = False) -> str:
    """Return the PHI class of a value, or how it is treated.

    Parameters
    ----------
    leaf : Leaf
    identifier_type : str
        The type code of the identifier around the value, such as ``"MR"``.
    is_coded : bool
        Whether the coded element around the value names its coding system.
    """
    place = f"{leaf.segment}-{leaf.field}"
    if place in _FIELDS:
        return _FIELDS[place]
    kind, inside = _kind(leaf)
    if kind == _NAME:
        return _whose_name(leaf)
    if kind == _ID:
        return _NUMBER_TYPES.get(identifier_type) or _NUMBERS.get(place, "IDNUM")
    if kind == _AUTHORITY:
        # The name comes first, then numbers that only registries know.
        return "HOSPITAL" if inside in (0, 1) else CODE
    if kind == _CODE:
        return CODE if is_coded else FREE
    return kind


def _kind(leaf: Leaf) -> tuple[str, int]:
    """Return what the outermost type that knows its component says, else the innermost type.

    With it comes the number of the component inside of that component.
    """
    for (kind, number), (_, inside) in pairwise(leaf.types):
        if found := _COMPONENTS.get(kind.name, {}).get(number):
            return found, inside
    return _PRIMITIVES.get(leaf.types[-1][0].name, FREE), 0


def _whose_name(leaf: Leaf) -> str:
    is_provider = any(kind.name in _PROVIDERS for kind, _ in leaf.types)
    return "DOCTOR" if is_provider or leaf.segment in _STAFF else "PATIENT"


_NUMBER = r"[<>]?=? ?[+\-]?\d{1,6}(?:[.,]\d{1,6})?"
_SHORT_CODE = re.compile(
    rf"(?!(?:\D*\d){{7}})[\w.+\-/%*]{{1,16}}|{_NUMBER}(?: ?[\-_] ?{_NUMBER})?", re.ASCII
)
_MEASURED = re.compile(
    rf"{_NUMBER}(?: ?[\-_] ?{_NUMBER})?"
    r"|[+\-]?\d{0,6}(?:,\d{3}){0,2}(?:\.\d{1,12})?(?:[eE][+\-]?\d{1,3})?"
)
# The component that names the system of a code, its text and version.
_SYSTEM_OF = {4: 6, 5: 6, 6: 6, 8: 6, 10: 12, 11: 12, 12: 12}
# Those that hospitals make up, L and 99xxx, have texts that hospitals make up.
_SYSTEM = re.compile(
    r"(?!L\Z|99|LOCAL)(?:[A-Z][A-Za-z0-9\-]{0,11}|[A-Z0-9]{2,6}[0-9]{0,4}|[0-9.]{5,})"
)


def is_kept(kind: str, text: str, is_coded: bool) -> bool:
    """Return whether a value is what its kind says, and so nobody need read it.

    Parameters
    ----------
    kind : str
        As `kind_of` returns.
    text : str
    is_coded : bool
        Whether the coded element around the value names a coding system of a standard.
    """
    if kind == NUMBER:
        return bool(_MEASURED.fullmatch(text))
    return kind in (CODE, KEPT) and (is_coded or is_code(text))


def is_code(text: str) -> bool:
    """Return whether a value whose type says that it is a code or number looks like one."""
    return bool(_SHORT_CODE.fullmatch(text))


def has_standard_system(kind: Type | None, number: int, parts: Sequence[str]) -> bool:
    """Return whether a component of a coded element belongs to a code of a standard.

    Parameters
    ----------
    kind : Type, optional
        Of other types, no component does.
    number : int
        Of the component; each code has three, and the last names its system.
    parts : sequence of str
        All components of the element.
    """
    if kind is None or kind.name not in _CODED_TYPES:
        return False
    system = _SYSTEM_OF.get(number, 3)
    return len(parts) >= system and bool(_SYSTEM.fullmatch(parts[system - 1]))


def require_tables() -> None:
    """Raise MissingPackageError if hl7apy is not installed."""
    _library(_NEWEST)
