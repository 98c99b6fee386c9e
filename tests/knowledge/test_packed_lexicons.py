"""The packed word lists and the packed lexicon are those that their sources give."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from multideid.arrays import AnyArray
from multideid.knowledge import lexicons
from multideid.knowledge.lexicon_sources import LOADERS, build_phrases
from multideid.text.brill import TAGS
from multideid.text.brill_lexicon import PACKED, TagLexicon

AGAIN = "python scripts/lexicons packs them again"


def different(packed: Mapping[str, AnyArray], built: Mapping[str, AnyArray]) -> list[str]:
    """Return the names of arrays that are missing or differ."""
    return [
        name
        for name in sorted({*packed, *built})
        if name not in packed or name not in built or not np.array_equal(packed[name], built[name])
    ]


def test_the_packed_word_lists_are_those_of_their_sources() -> None:
    assert list(LOADERS) == list(lexicons.LEXICON_NAMES)
    with np.load(lexicons.PATH, allow_pickle=False) as packed:
        assert different(packed, build_phrases().arrays()) == [], AGAIN


def test_the_packed_tags_are_those_of_the_lexicon() -> None:
    with np.load(PACKED, allow_pickle=False) as packed:
        assert different(packed, TagLexicon.build(TAGS).arrays()) == [], AGAIN


def test_packing_forgets_nothing() -> None:
    built = build_phrases()
    again = type(built).of_arrays(built.arrays())
    assert dict(again.phrases.items()) == dict(built.phrases.items())
    assert dict(again.words.items()) == dict(built.words.items())
    for part, other in zip(again.trie, built.trie, strict=True):
        assert part.dtype == other.dtype
        assert np.array_equal(part, other)


def test_a_word_of_the_lexicon_has_its_first_tag() -> None:
    lexicon = TagLexicon.load(TAGS)
    assert [lexicon.get(word) for word in ("the", "admitted", "zorvelquist")] == ["DT", "VBD", None]
    assert "the" in lexicon
    assert "zorvelquist" not in lexicon
