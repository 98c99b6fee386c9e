"""Systems learn from copies of their training documents with replaced mentions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from template_notes import sample_corpus

from multideid.errors import UsageError
from multideid.learners.mention_replacement import with_copies
from multideid.taggers.registry import make_system
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable

SYSTEMS: dict[str, dict[str, Any]] = {
    "stat-deid": {},
    "stanford": {"epochs": 2},
    "mist": {"epochs": 2},
    "convnet": {"epochs": 1, "hidden_dim": 8},
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_system_learns_from_the_copies_as_from_documents(name: str) -> None:
    corpus = sample_corpus(4, seed=5)
    tokens = TokenTable.from_documents(corpus)
    labels = encode_bio(tokens, corpus)
    copied = make_system(name, copies=2, seed=3, **SYSTEMS[name]).fit(tokens, labels)
    given = make_system(name, seed=3, **SYSTEMS[name]).fit(*with_copies(tokens, labels, 2, 3))
    plain = make_system(name, seed=3, **SYSTEMS[name]).fit(tokens, labels)
    scores = [tagger.predict_scores(tokens) for tagger in (copied, given, plain)]
    assert np.array_equal(scores[0], scores[1])
    assert not np.array_equal(scores[0], scores[2])


@pytest.mark.parametrize("name", [*SYSTEMS, "lbj"])
def test_fewer_copies_than_none_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="copies"):
        make_system(name, copies=-1)
