"""Every label of every scheme has its row, with its HIPAA identifier and kind."""

from __future__ import annotations

import pytest

from multideid.label_schemes import HIPAA, I2B2_2014_CATEGORIES, SCHEMES, THESIS, mapping
from multideid.labels import (
    IDENTIFIER_KINDS,
    PHI_CLASSES,
    hipaa_identifiers,
    identifier_kind,
    phi_class,
)


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=lambda s: s.name)
def test_every_label_but_contact_has_a_hipaa_identifier(scheme) -> None:
    without = {"CONTACT"} if scheme == I2B2_2014_CATEGORIES else set()
    assert set(scheme) - hipaa_identifiers(scheme).keys() == without
    assert set(hipaa_identifiers(scheme).values()) <= set(HIPAA)


def test_no_two_schemes_disagree_on_a_label() -> None:
    found = {}
    for scheme in SCHEMES.values():
        for label, identifier in mapping(scheme, HIPAA).items():
            assert found.setdefault(label, identifier) == identifier


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=lambda s: s.name)
def test_every_label_of_every_scheme_is_direct_or_quasi(scheme) -> None:
    assert {identifier_kind(label) for label in scheme} == {"direct", "quasi"}


@pytest.mark.parametrize(
    ("kind", "labels"),
    [
        ("direct", "PATIENT NAME STREET CALLE SSN ID patient ID_SUJETO_ASISTENCIA EMAIL"),
        ("quasi", "DATE AGE ZIP CITY LOCATION HOSPITAL GEOGRAPHIC TERRITORIO FECHAS PROFESSION"),
        ("unclassified", "BADGE PHI"),
    ],
)
def test_kinds_follow_the_rule_on_limited_data_sets(kind: str, labels: str) -> None:
    assert kind in IDENTIFIER_KINDS
    assert {identifier_kind(label) for label in labels.split()} == {kind}


def test_hipaa_identifiers_are_direct_except_places_dates_and_other() -> None:
    quasi = {label for label in HIPAA if identifier_kind(label) == "quasi"}
    assert quasi == {"GEOGRAPHIC", "DATE", "OTHER"}


def test_unknown_labels_are_left_out() -> None:
    assert hipaa_identifiers(["BADGE", "nombre_sujeto_asistencia"]) == {
        "nombre_sujeto_asistencia": "NAME"
    }


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=lambda s: s.name)
def test_every_label_of_every_scheme_has_a_row(scheme) -> None:
    assert [label for label in scheme if phi_class(label) is None] == []


def test_a_label_belongs_to_one_row() -> None:
    listed = [x for row in PHI_CLASSES for x in (row.label, *row.synonyms.split())]
    assert len(set(listed)) == len(listed)
    tools = [x for row in PHI_CLASSES for x in row.tools.split()]
    assert set(tools).isdisjoint(listed)


def test_rows_name_labels_of_the_schemes() -> None:
    assert {row.category for row in PHI_CLASSES} == set(I2B2_2014_CATEGORIES)
    assert {row.thesis for row in PHI_CLASSES} - {None} == set(THESIS)
    assert {row.hipaa for row in PHI_CLASSES} - {None} == set(HIPAA)
    assert {row.identifier for row in PHI_CLASSES} == {"direct", "quasi"}
