"""The stacker learns from the scores of a word's other occurrences in the document."""

from __future__ import annotations

import numpy as np
import pytest

from multideid.arrays import FloatArray
from multideid.stacking.meta_features import ScoreNormalisation, with_context
from multideid.stacking.stacker import Stacker
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

NAMES = ("O", "B-X", "I-X")
NOTES = TokenTable.from_texts(["dr lee saw no pain\nlee left", "dr ngo saw no pain\nngo left"] * 20)
WORDS = NOTES.words()


def scores() -> FloatArray:
    """A system that only finds names after "dr"."""
    found = np.tile(np.array([4, -4, -4], dtype=np.float32), (len(NOTES), 1))
    after = np.array([False] + [word == "dr" for word in WORDS[:-1]])
    found[after] = [-4, 4, -4]
    return found


@pytest.mark.parametrize(("document_context", "expected"), [(True, 2), (False, 1)])
def test_a_name_found_once_is_found_wherever_the_note_repeats_it(
    document_context: bool, expected: int
) -> None:
    gold = TokenLabels(np.array([w in {"lee", "ngo"} for w in WORDS], dtype=np.int32), NAMES)
    stacker = Stacker(c=1.0, document_context=document_context).fit(NOTES, gold, [scores()])
    margins = stacker.margins(NOTES, [scores()])
    first = slice(0, int(NOTES.first[1]))
    assert (margins[first].argmax(axis=1) == 1).sum() == expected


def test_the_context_is_the_mean_of_normalised_scores_of_other_occurrences() -> None:
    table = TokenTable.from_texts(["lee lee Lee", "lee"])
    one = np.array([[0, 1], [0, 3], [0, 2], [0, 9]], dtype=np.float32)
    found = with_context(
        table, [one, 2 * one], [ScoreNormalisation(0, 4), ScoreNormalisation(0, 8)]
    )
    assert found[2][:, 1].tolist() == pytest.approx([0.625, 0.375, 0.5, 0.0])
