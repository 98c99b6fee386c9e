"""Labels of any scheme stand for an identifier of HIPAA, and are direct ones or not."""

from __future__ import annotations

import pytest

from multideid.identifiers import KINDS, hipaa_identifiers, identifier_kind
from multideid.labels import HIPAA, I2B2_2014_CATEGORIES, SCHEMES, mapping


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=lambda s: s.name)
def test_every_label_of_every_scheme_has_an_identifier_but_contacts_of_any_sort(scheme) -> None:
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
def test_kinds_are_those_of_the_rule_on_limited_data_sets(kind: str, labels: str) -> None:
    assert kind in KINDS
    assert {identifier_kind(label) for label in labels.split()} == {kind}


def test_every_identifier_of_hipaa_is_direct_but_places_dates_and_the_rest() -> None:
    quasi = {label for label in HIPAA if identifier_kind(label) == "quasi"}
    assert quasi == {"GEOGRAPHIC", "DATE", "OTHER"}


def test_labels_that_no_scheme_knows_are_left_out() -> None:
    assert hipaa_identifiers(["BADGE", "nombre_sujeto_asistencia"]) == {
        "nombre_sujeto_asistencia": "NAME"
    }
