"""Multi learns the odds of PHI without augmentation, and keeps them in its folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from template_notes import sample_corpus

from multideid.stacking import MultiDeidentifier, load_folder
from multideid.stacking.out_of_fold import all_scores
from multideid.text.table import TokenTable

SYSTEMS = ["stat-deid", "mimic"]


@pytest.fixture(scope="module")
def model() -> MultiDeidentifier:
    notes = sample_corpus(6, seed=1)
    return MultiDeidentifier(SYSTEMS, folds=2, augmentation=False, n_jobs=1).fit(notes)


def test_a_loaded_model_has_the_same_odds_and_margins(
    model: MultiDeidentifier, tmp_path: Path
) -> None:
    model.save(tmp_path / "model")
    loaded = load_folder(tmp_path / "model")
    assert isinstance(loaded, MultiDeidentifier)
    odds, expected = loaded.stacker_.odds_, model.stacker_.odds_
    assert odds is not None
    assert expected is not None
    assert odds.linear == expected.linear
    tokens = TokenTable.from_documents(sample_corpus(2, seed=9))
    scores = all_scores(model.taggers_, tokens)
    with_odds = model.stacker_.margins(tokens, scores)
    assert np.array_equal(loaded.stacker_.margins(tokens, scores), with_odds)
    model.stacker_.odds_, odds = None, model.stacker_.odds_
    plain = model.stacker_.margins(tokens, scores)
    model.stacker_.odds_ = odds
    assert not np.array_equal(plain, with_odds)


@pytest.mark.parametrize("settings", [{}, {"augmentation": False, "decisions_only": True}])
def test_no_odds_are_learned_with_augmentation_or_from_decisions_only(settings) -> None:
    notes = sample_corpus(4, seed=1)
    model = MultiDeidentifier(["mimic"], folds=2, n_jobs=1, **settings).fit(notes)
    assert model.stacker_.odds_ is None
