"""What a process that predicts is sent of a document."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import Enum
from uuid import UUID

import numpy as np
import pandas as pd

from multideid.document import Document
from multideid.stacking.failing_notes import patient_of
from multideid.stacking.prediction_process import sent


class Ward(str, Enum):  # noqa: UP042 (of which str gives another text)
    """A type that other processes may not know."""

    ICU = "icu"


class Number(int):
    """Another."""


def test_a_process_knows_the_fields_of_a_document() -> None:
    meta = {
        "patient": "7",
        "columns": {"doctor": "Lee", "seen": [1, None, {"x": (2.5, True)}]},
        "when": datetime(2024, 3, 4, tzinfo=UTC),
        "count": np.int64(3),
        "seen": pd.Timestamp("2024-03-04"),
    }
    assert sent(Document("d", "text", meta=meta)) == ("d", "text", meta)


def test_objects_of_other_types_stay_in_their_process() -> None:
    meta = {"record": object(), "columns": {"a": [object()]}, "row": 3}
    assert sent(Document("d", "text", meta=meta)) == ("d", "text", {"row": 3})


def test_values_of_subclasses_of_common_types_stay_too() -> None:
    meta = {"ward": Ward.ICU, Ward.ICU: 1, "n": Number(3), "columns": [Ward.ICU], "row": 3}
    assert sent(Document("d", "text", meta=meta)) == ("d", "text", {"row": 3})


def test_patients_of_any_type_are_sent_as_texts_that_name_the_same_patient() -> None:
    for value in (Ward.ICU, Number(7), UUID(int=3)):
        document = Document("d", "text", meta={"patient": value})
        (_, _, meta) = sent(document)
        assert type(meta["patient"]) is str
        assert patient_of(Document("d", "text", meta=meta)) == patient_of(document)


def test_ids_and_texts_of_subclasses_are_sent_as_they_read() -> None:
    name, text, _ = sent(Document(Ward.ICU, Ward.ICU))
    assert (name, text) == ("icu", "icu")
    assert {type(name), type(text)} == {str}
