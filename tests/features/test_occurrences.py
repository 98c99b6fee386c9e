"""Means over a word's other occurrences stay within the document."""

from __future__ import annotations

import numpy as np

from multideid.features.occurrences import Occurrences
from multideid.text.table import TokenTable


def test_the_mean_of_others_leaves_out_the_token_itself() -> None:
    x = np.array([[1.0], [10.0], [3.0], [5.0]], dtype=np.float32)
    found = Occurrences.of(np.array([7, 2, 7, 7], dtype=np.int32)).mean_of_others(x)
    assert found[:, 0].tolist() == [4.0, 0.0, 3.0, 2.0]


def test_a_word_in_another_case_is_the_same_word_and_one_in_another_note_is_not() -> None:
    table = TokenTable.from_texts(["Lee saw LEE", "lee"])
    values = np.array([[1.0], [2.0], [4.0], [8.0]], dtype=np.float32)
    found = Occurrences.in_documents(table).mean_of_others(values)
    assert found[:, 0].tolist() == [4.0, 0.0, 1.0, 0.0]
