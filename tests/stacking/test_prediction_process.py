"""What a process that predicts is sent of a document."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from multideid.document import Document
from multideid.stacking.prediction_process import sent


def test_a_process_knows_the_fields_of_a_document() -> None:
    meta = {
        "patient": "7",
        "columns": {"doctor": "Lee", "seen": [1, None, {"x": (2.5, True)}]},
        "when": datetime(2024, 3, 4, tzinfo=UTC),
        "count": np.int64(3),
    }
    assert sent(Document("d", "text", meta=meta)) == ("d", "text", meta)


def test_objects_of_other_types_stay_in_their_process() -> None:
    meta = {"record": object(), "columns": {"a": [object()]}, "row": 3}
    assert sent(Document("d", "text", meta=meta)) == ("d", "text", {"row": 3})
