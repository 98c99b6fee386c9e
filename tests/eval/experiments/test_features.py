"""Information gain of features, without words of the corpus unless requested."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from multideid.errors import UsageError
from multideid.eval.experiments import features
from multideid.eval.experiments.features import ColumnNames
from multideid.features.common import LOWER
from multideid.features.extractor import FeatureExtractor
from multideid.features.templates import bags, each, joined
from multideid.features.views import of_type_set
from multideid.text.table import TokenTable


@pytest.fixture(scope="module")
def small(corpus):
    return replace(corpus, train=corpus.train[:2], test=corpus.test[:1])


def test_values_are_shown_only_on_request(small, setup) -> None:
    hidden, shown = (
        features([small], setup, systems=["small"], top=3, show_phi=show) for show in (False, True)
    )
    assert {top.value for top in hidden["top"]} == {None}
    assert all(top.value for top in shown["top"])
    assert [{**vars(top), "value": None} for top in shown["top"]] == [*map(vars, hidden["top"])]
    assert any("--show-phi" in note for note in hidden.notes)
    assert not shown.notes
    assert any(f"= {top.value}" in shown.to_text() for top in shown["top"])


def test_feature_classes_and_values_are_ranked(small, setup) -> None:
    found = features([small], setup, top=2)
    gains = [c.gain for c in found["classes"]]
    assert gains == sorted(gains, reverse=True)
    assert [f.gain for f in found["features"]] == sorted(
        (f.gain for f in found["features"]), reverse=True
    )
    assert sum(c.templates for c in found["classes"]) == len(found["features"])
    assert {c.feature_class for c in found["classes"]} >= {"word", "length", "heading"}
    assert all(0 <= c.share <= 1 for c in found["classes"])
    labels = {span.label for d in small.train for span in d.spans}
    assert [t.label for t in found["top"]] == [label for label in sorted(labels) for _ in "12"]
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()


def test_mega_has_the_features_of_all_systems(small, setup) -> None:
    found = features([small], replace(setup, systems=("stat-deid", "dates")), systems=["mega"])
    assert {c.system for c in found["classes"]} == {"mega"}


def test_parameters_that_features_are_made_of_change_the_figures(small, setup, add_mesh) -> None:
    fingerprint = add_mesh(("Heart Failure", "C14.280"))
    asked = replace(setup, systems=("stat-deid",), params={"stat-deid": {"mesh": True}})
    for name in ("stat-deid", "mega"):
        found = features([small], asked, systems=[name])
        assert "mesh" in {c.feature_class for c in found["classes"]}
        assert found.sources[0].signature.params == asked.params
        assert found.sources[0].signature.knowledge == {"mesh": fingerprint}


def test_columns_are_named_by_what_they_stand_for() -> None:
    tokens = TokenTable.from_texts(["Seen by Ann", "Ann rests"])
    initial = of_type_set("letters of test", lambda word: {word[0], word[-1]})
    templates = [
        *each(LOWER, (0,), "word"),
        joined("pair", (LOWER, -1), (LOWER, 0)),
        *bags(initial, (0,), "letters"),
    ]
    extractor = FeatureExtractor(templates)
    matrix = extractor.fit_transform(tokens)
    names = ColumnNames(extractor, tokens)
    words = [word.lower() for word in tokens.words()]
    for row in range(len(tokens)):
        word, pair, *letters = (names.value(c, row) for c in sorted(matrix[row].indices))
        before = words[row - 1] if row not in tokens.first else "(edge)"
        assert (word, pair) == (words[row], f"{before} {words[row]}")
        assert set(letters) == {tokens.words()[row][0], tokens.words()[row][-1]}


def test_system_without_features_is_refused(small, setup) -> None:
    with pytest.raises(UsageError, match="dates has no features"):
        features([small], setup, systems=["dates"])
    with pytest.raises(UsageError, match="top"):
        features([small], setup, top=-1)
