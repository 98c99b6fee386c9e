"""With ``features="paper"`` the systems have the features that the thesis lists, and no others."""

from __future__ import annotations

import pytest

from multideid.errors import UsageError
from multideid.features.extractor import FeatureExtractor
from multideid.features.templates import Window
from multideid.learners.feature_tagger import FeatureTagger
from multideid.taggers.registry import make_system
from multideid.text.table import TokenTable

NOTE = TokenTable.from_texts(["Plan:\nDr. Lee called 617-555-1234 on 3/4/2005 about Anna."])

# Thesis 2.1 to 2.4: views by their names, with the farthest neighbour that is looked at.
LISTED = {
    "stat-deid": {
        "word": 2, "pos lexicon": 0, "capitalized": 0, "length": 0, "stat-deid dictionaries": 0,
        "heading": 0, "has dash or slash": 0,
    },
    "stanford": {"word": 4, "character n-grams": 0, "pos lexicon": 1, "shape": 1},
    "mist": {"table 2.1": 0, "table 2.1 of chunk": 0, "word lists": 0},
    "lbj": {
        "word": 2, "capitals": 2, **{f"{kind} {n}": 0 for kind in ("prefix", "suffix")
                                     for n in range(1, 6)},
    },
}  # fmt: skip


def system(name: str, features: str = "paper") -> FeatureTagger:
    tagger = make_system(name, features=features)
    assert isinstance(tagger, FeatureTagger)
    return tagger


def values(name: str, word: str) -> set[str]:
    """Return the features of a word of the note that mist has of its own string and its chunk."""
    extractor = FeatureExtractor(system(name).templates(), 1)
    row = extractor.fit_transform(NOTE)[NOTE.words().index(word)]
    return {str(column) for column in row.indices}


@pytest.mark.parametrize("name", LISTED)
def test_features_are_those_that_the_thesis_lists(name: str) -> None:
    found: dict[str, int] = {}
    for template in system(name).templates():
        reach = max(map(abs, template.offsets))
        for view in template.views:
            found[view.name] = max(found.get(view.name, 0), reach)
    assert found == LISTED[name]


def test_windows_of_four_words_are_stanfords_alone() -> None:
    having = {name for name in LISTED for t in system(name).templates() if isinstance(t, Window)}
    assert having == {"stanford"}


def test_a_token_of_a_phone_number_has_the_pattern_of_the_whole_number() -> None:
    assert len(values("mist", "617") & values("mist", "1234")) > len(
        values("mist", "617") & values("mist", "2005")
    )


@pytest.mark.parametrize("name", LISTED)
def test_the_default_has_more(name: str) -> None:
    assert len(system(name, "full").templates()) > len(system(name).templates())
    assert make_system(name).get_params()["features"] == "full"


def test_another_choice_is_refused() -> None:
    with pytest.raises(UsageError, match="features must be one of full, paper; got 'thesis'"):
        make_system("mist", features="thesis")


def test_syntax_and_mesh_add_to_the_papers_features_where_they_are_asked_for() -> None:
    with_syntax = make_system("stat-deid", features="paper", syntax="link-grammar")
    assert isinstance(with_syntax, FeatureTagger)
    added = {t.group for t in with_syntax.templates()} - {
        t.group for t in system("stat-deid").templates()
    }
    assert added == {"syntactic bigram"}
