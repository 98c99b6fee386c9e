"""The settings of the thesis: plain stacker, features of the papers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from multideid.errors import ModelError, UsageError
from multideid.stacking import MultiDeidentifier
from multideid.stacking.meta_features import OFFSETS, system_columns
from multideid.stacking.paper import PLAIN_STACKER, with_feature_set
from multideid.stacking.stacker import Stacker
from multideid.text.bio import TokenLabels, bio_names
from multideid.text.table import TokenTable

NAMES = bio_names(["DATE", "ID"])
N = len(NAMES)
TOKENS = TokenTable.from_texts(["a b c\nd e f g h\n" * 30])


def scores(seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return list(rng.normal(0, 1, (2, len(TOKENS), N)).astype(np.float32))


def plain() -> Stacker:
    gold = np.random.default_rng(5).integers(0, N, len(TOKENS)).astype(np.int32)
    stacker = Stacker(c=1.0, document_context=False, decisions_only=True)
    return stacker.fit(TOKENS, TokenLabels(gold, NAMES), scores(1))


def test_a_plain_stacker_has_weights_of_decisions_for_the_token_alone() -> None:
    used = np.flatnonzero(np.diff(plain().model_.weights.indptr))
    allowed = [range(c.start, c.start + N) for c in (system_columns(s, 2, N) for s in (0, 1))]
    assert len(used) > 2
    assert {int(u) for u in used} <= {n for columns in allowed for n in columns}
    assert len(OFFSETS) > 1


def test_margins_of_a_plain_stacker_depend_on_the_decisions_alone() -> None:
    stacker, found = plain(), scores(2)
    for own in found:
        own[:, 0] -= 5  # So that every token is a candidate, whatever the scores.
    sharper = [np.where(own == own.max(axis=1, keepdims=True), own + 7, own) for own in found]
    assert not np.array_equal(found[0], sharper[0])
    assert np.array_equal(stacker.margins(TOKENS, found), stacker.margins(TOKENS, sharper))


def test_a_plain_stacker_is_saved_as_such(tmp_path: Path) -> None:
    stacker = plain()
    stacker.save(tmp_path)
    again = Stacker.load(tmp_path, 2, N)
    assert again.decisions_only
    assert np.array_equal(again.margins(TOKENS, scores(3)), stacker.margins(TOKENS, scores(3)))


def test_a_damaged_setting_is_refused(tmp_path: Path) -> None:
    plain().save(tmp_path)
    path = tmp_path / "stacker.json"
    path.write_text(path.read_text().replace('"decisions_only": true', '"decisions_only": 1'))
    with pytest.raises(ModelError, match=r"stacker\.json"):
        Stacker.load(tmp_path, 2, N)


def test_the_settings_of_the_thesis_are_parameters_of_multi() -> None:
    multi = MultiDeidentifier(["mimic"], **PLAIN_STACKER)
    assert {name: multi.get_params()[name] for name in PLAIN_STACKER} == PLAIN_STACKER


def test_only_systems_with_a_choice_of_features_are_given_it() -> None:
    systems = with_feature_set({"mist": {"epochs": 3}, "mimic": {}, "lbj": {}}, "paper")
    assert systems == {
        "mist": {"epochs": 3, "features": "paper"}, "mimic": {}, "lbj": {"features": "paper"}
    }  # fmt: skip


def test_a_choice_made_for_one_system_stays() -> None:
    systems = with_feature_set({"mist": {"features": "full"}, "lbj": {}}, "paper")
    assert systems["mist"] == {"features": "full"}


def test_an_unknown_choice_is_refused() -> None:
    with pytest.raises(UsageError, match="features must be one of full, paper"):
        with_feature_set(["mist"], "thesis")
