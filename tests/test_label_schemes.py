"""Label schemes and the mappings between them."""

from __future__ import annotations

import itertools

import pytest

from multideid.label_schemes import (
    HIPAA,
    I2B2_2014,
    I2B2_2014_CATEGORIES,
    MEDDOCAN,
    SCHEMES,
    THESIS,
    LabelError,
    LabelScheme,
    map_label,
    mapping,
    scheme,
)


def test_schemes_have_the_published_numbers_of_labels() -> None:
    sizes = {s.name: len(s) for s in SCHEMES.values()}
    assert sizes == {
        "thesis": 8,
        "i2b2-2014": 31,
        "i2b2-2014-categories": 8,
        "hipaa": 18,
        "meddocan": 29,
    }


@pytest.mark.parametrize("labels", [(), ("A", "A"), ("A", ""), ("A B",), ("A\n",), (7,)], ids=repr)
def test_a_scheme_with_bad_labels_is_refused(labels: tuple[str, ...]) -> None:
    with pytest.raises(LabelError, match="'mine'"):
        LabelScheme("mine", labels)


def test_a_scheme_needs_a_name() -> None:
    with pytest.raises(LabelError):
        LabelScheme("", ("A",))


def test_an_unknown_scheme_lists_those_there_are() -> None:
    with pytest.raises(LabelError, match="thesis, i2b2-2014"):
        scheme("i2b2")


@pytest.mark.parametrize(
    ("source", "target"), list(itertools.permutations(SCHEMES.values(), 2)), ids=lambda s: s.name
)
def test_a_mapping_stays_within_its_schemes(source: LabelScheme, target: LabelScheme) -> None:
    try:
        found = mapping(source, target)
    except LabelError:
        assert target == MEDDOCAN or source == I2B2_2014_CATEGORIES
        return
    assert found
    assert set(found) <= set(source)
    assert set(found.values()) <= set(target)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (I2B2_2014, I2B2_2014_CATEGORIES),
        (I2B2_2014, HIPAA),
        (MEDDOCAN, I2B2_2014),
        (MEDDOCAN, I2B2_2014_CATEGORIES),
        (THESIS, I2B2_2014),
        (THESIS, I2B2_2014_CATEGORIES),
        (THESIS, HIPAA),
        (HIPAA, I2B2_2014_CATEGORIES),
    ],
    ids=lambda s: s.name,
)
def test_a_mapping_to_a_scheme_that_covers_everything_is_total(
    source: LabelScheme, target: LabelScheme
) -> None:
    assert tuple(mapping(source, target)) == source.labels


def test_thesis_labels_come_back_from_the_types() -> None:
    there = mapping(THESIS, I2B2_2014)
    back = mapping(I2B2_2014, THESIS)
    assert {label: back[kind] for label, kind in there.items()} == {x: x for x in THESIS}


def test_a_scheme_maps_to_itself() -> None:
    assert mapping("meddocan", MEDDOCAN) == {label: label for label in MEDDOCAN}


def test_a_guess_is_not_made() -> None:
    assert map_label("NAME", "hipaa", "i2b2-2014") is None
    assert map_label("PROFESSION", "i2b2-2014", "thesis") is None


def test_no_mapping_is_an_error() -> None:
    with pytest.raises(LabelError, match="no mapping from thesis to meddocan"):
        mapping("thesis", "meddocan")


def test_a_label_of_another_scheme_is_an_error() -> None:
    with pytest.raises(LabelError, match="'FECHAS' is not a label of thesis"):
        map_label("FECHAS", THESIS, I2B2_2014)


@pytest.mark.parametrize(
    ("label", "source", "target", "expected"),
    [
        ("CALLE", "meddocan", "thesis", "LOCATION"),
        ("NUMERO_FAX", "meddocan", "thesis", "PHONE"),
        ("FECHAS", "meddocan", "i2b2-2014-categories", "DATE"),
        ("AGE", "thesis", "hipaa", "DATE"),
        ("IPADDR", "i2b2-2014", "i2b2-2014-categories", "CONTACT"),
    ],
)
def test_labels_map_as_the_guidelines_say(
    label: str, source: str, target: str, expected: str
) -> None:
    assert map_label(label, source, target) == expected
