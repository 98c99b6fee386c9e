"""Native labels of a system are mapped to labels of the corpus."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from multideid.errors import UsageError
from multideid.taggers.label_mapping import LabelMapping
from multideid.text.bio import TokenLabels, bio_names


def tags(labels: tuple[str, ...], text: str) -> TokenLabels:
    names = bio_names(labels)
    return TokenLabels(np.array([names.index(t) for t in text.split()], dtype=np.int32), names)


NATIVE = ("PERSON", "PHONE", "NEVER")
GOLD = ("DATE", "DOCTOR", "PATIENT")


def test_each_native_label_takes_the_gold_label_it_meets_most() -> None:
    native = tags(NATIVE, "B-PERSON I-PERSON B-PERSON O B-PHONE")
    gold = tags(GOLD, "B-DOCTOR I-DOCTOR B-PATIENT B-DATE O")
    assert LabelMapping.fit(native, gold).pairs == {"PERSON": "DOCTOR"}


def test_the_first_gold_label_wins_a_tie() -> None:
    native = tags(NATIVE, "B-PERSON B-PERSON")
    gold = tags(GOLD, "B-PATIENT B-DOCTOR")
    assert LabelMapping.fit(native, gold).pairs == {"PERSON": "DOCTOR"}


def test_beginning_and_inside_are_kept_and_ignored_labels_are_outside() -> None:
    mapping = LabelMapping({"PERSON": "PATIENT"}, GOLD)
    found = mapping.transform(tags(NATIVE, "O B-PERSON I-PERSON B-PHONE I-PHONE"))
    assert [found.names[i] for i in found.ids] == ["O", "B-PATIENT", "I-PATIENT", "O", "O"]
    assert found.ids.dtype == np.int32


def test_native_labels_may_come_in_another_order_than_at_fit() -> None:
    mapping = LabelMapping({"PERSON": "PATIENT", "PHONE": "DATE"}, GOLD)
    found = mapping.transform(tags(("NEW", "PHONE", "PERSON"), "B-NEW B-PHONE B-PERSON"))
    assert [found.names[i] for i in found.ids] == ["O", "B-DATE", "B-PATIENT"]


@pytest.mark.parametrize(("native", "gold"), [((), GOLD), (NATIVE, ()), ((), ())])
def test_no_labels_map_to_nothing(native: tuple[str, ...], gold: tuple[str, ...]) -> None:
    mapping = LabelMapping.fit(tags(native, "O O"), tags(gold, "O O"))
    assert mapping.pairs == {}
    assert mapping.transform(tags(native, "O O")).names == bio_names(gold)


def test_mapping_comes_back_from_json() -> None:
    mapping = LabelMapping({"PERSON": "PATIENT"}, GOLD)
    assert LabelMapping.from_dict(json.loads(json.dumps(mapping.to_dict()))) == mapping


@pytest.mark.parametrize(
    "values", [{}, {"pairs": {"A": "X"}, "labels": ["Y"]}, {"pairs": 1, "labels": []}]
)
def test_values_that_make_no_mapping_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="label mapping"):
        LabelMapping.from_dict(values)


def test_a_native_label_that_is_mostly_outside_is_left_out_if_asked() -> None:
    native = tags(NATIVE, "B-PERSON B-PERSON B-PERSON B-PHONE B-PHONE")
    gold = tags(GOLD, "B-DOCTOR O O B-DATE O")
    assert LabelMapping.fit(native, gold, min_precision=0.5).pairs == {"PHONE": "DATE"}


@pytest.mark.parametrize("share", ["0.5", 2.0, -0.1, float("nan"), None, True])
def test_a_precision_that_is_no_share_is_refused(share: Any) -> None:
    native, gold = tags(NATIVE, "B-PERSON O"), tags(GOLD, "B-DOCTOR O")
    with pytest.raises(UsageError, match="min_precision must be a number from 0 to 1; got"):
        LabelMapping.fit(native, gold, share)
